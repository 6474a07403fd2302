/** One lead in full, with its history. @see leads.tsx */
import { LEAD_STATUSES, type LeadStatus, leadMayBecome, OPEN_LEADS } from "../../../src/domain/lifecycle.ts";
import { toUnits } from "../../../src/lib/money.ts";
import type { Lead, WonAmount } from "../../../src/store/store.ts";
import { leadFacts } from "../../customers/lead-text.ts";
import {
  bookingFields,
  bookingTerms,
  callLead,
  followUpTyped,
  movedInWords,
  moveLead,
  notedInWords,
  noteWithAmount,
  quotedInWords,
  readCall,
  reopenLead,
  requireLead,
} from "../../customers/leads.ts";
import { readPrice } from "../../diary/owner.ts";
import { CliError, clean } from "../../terminal/output.ts";
import { knownOf, startingWith } from "../../typed/requests.ts";
import { readNote } from "../../typed/values.ts";
import { usePaper } from "../diary/paper.tsx";
import { type KeyBinding, key } from "../kit/bindings.tsx";
import { type Actions, type Ask, useAsk } from "../kit/dialogs.tsx";
import { FactsFrame } from "../kit/frame.tsx";
import { useNav } from "../kit/navigation.ts";
import type { OpenShop } from "../kit/open-shop.ts";
import type { ScreenProps } from "../kit/screen-stack.tsx";
import { useAct, useLive, useShop } from "../kit/shop.ts";
import { ONE_MOMENT } from "../kit/text.tsx";

/** @param about the lead's reference */
export function Screen({ about }: ScreenProps) {
  const { catalog, clock, now } = useShop();
  const live = useLive(async ({ store }) => ({ lead: await store.findLead(about) }), about);
  const lead = live?.lead ?? null;
  const actions = useLeadActions(lead);
  const paper = usePaper(lead?.confirmationCode === null ? lead.reference : undefined, null);
  return (
    <FactsFrame
      title={`Lead ${about}`}
      status={lead?.status ?? ""}
      about="Everything about one lead: what was asked, and what became of it."
      keys={[...actions.keys, ...paper.keys]}
      dialog={actions.dialog ?? paper.dialog}
      facts={lead ? leadFacts(lead, clock, now(), catalog && quotedInWords(lead, catalog)) : []}
      otherwise={live ? `There is no lead ${about}.` : ONE_MOMENT}
    />
  );
}

/** @param lead null when none is selected */
export function useLeadActions(lead: Lead | null): Actions {
  const { catalog, clock, now } = useShop();
  const { open } = useNav();
  const act = useAct();
  const ask = useAsk();
  const book = useLeadBooking(lead);
  if (!lead) return { keys: [], dialog: ask.dialog };
  const { status, reference } = lead;
  const name = clean(lead.name);
  const currency = catalog?.currency ?? "USD";

  const write = async () => {
    const note = await askForNote(ask, `Note on ${reference}`, "write it down", true);
    if (note)
      await act(async ({ store, now }) => moved(await moveLead(store, lead, { to: status, note, at: msOf(now) })));
  };
  const moved = (outcome: Awaited<ReturnType<typeof moveLead>>) => notedInWords(outcome.lead);
  const moveTo = async (to: LeadStatus) => {
    const cents = to === "won" || to === "quoted" ? await askForAmount(ask, lead, to) : null;
    if (cents === undefined) return;
    const note = await askForNote(ask, `${reference} is ${to}; a note, if you like`, `mark as ${to}`);
    if (note === undefined) return;
    const amount: WonAmount | null = cents === null ? null : { cents, currency };
    const step = async ({ store, now }: OpenShop) =>
      movedInWords(
        await moveLead(store, lead, { to, note: noteWithAmount(note || null, cents, currency), at: msOf(now), amount }),
        { ...clock, currency },
      );
    await act(async (shop) => ({ said: await step(shop), step: { undo: backFrom(lead), redo: step } }));
  };
  const moveOn = async () => {
    const steps = LEAD_STATUSES.flatMap((to) =>
      to !== "lost" && leadMayBecome(status, to) ? [[to.charAt(0), to, () => moveTo(to)] as const] : [],
    );
    const back = () => act((shop) => backFrom(lead)(shop));
    const answers = [...steps, ...(status === "new" ? [] : [["b", "back a step", back] as const])];
    await (await ask.choose(`${reference} (${name}) is ${status}. What is it now?`, answers))?.();
  };
  const callBack = async () => {
    const read = (typed: string) => {
      if (catalog) readCall(typed, catalog, now());
      return typed;
    };
    const typed = await ask.read(read, {
      label: `When to call ${name} back, like friday 10am`,
      submit: "remind me then",
    });
    if (typed === undefined) return;
    const call =
      (when: string) =>
      async ({ store, catalog, now }: OpenShop) => {
        if (!catalog) throw new CliError("Without the catalog the opening hours are not known.");
        return (await callLead({ store, catalog, now: now() }, await requireLead(store, reference), when)).notice;
      };
    const before = followUpTyped(lead, clock);
    await act(async (shop) => ({ said: await call(typed)(shop), step: { undo: call(before), redo: call(typed) } }));
  };

  const note = key("w", "write a note", () => write(), "Write down what was said.");
  const step = key("m", "move on", () => moveOn(), "Contacted, quoted, won; or back a step.");
  const isOpen = OPEN_LEADS.includes(status);
  // The lead of a booking follows its booking.
  const isBooked = lead.confirmationCode !== null;
  return {
    dialog: ask.dialog,
    keys: [
      ...(isOpen || !isBooked ? [step] : []),
      isOpen && key("x", "lost", () => moveTo("lost"), "Nothing came of it."),
      note,
      isOpen && key("f", "call back", () => callBack(), "Set when to call back; a reminder then."),
      isOpen && !isBooked && key("e", "edit", () => open("inquiry", reference), "Correct what was written down."),
      ...book,
    ],
  };
}

function msOf(now: OpenShop["now"]): number {
  return now().epochMilliseconds;
}

/** Takes back the last step of a lead, as it is now. */
function backFrom({ reference }: Lead) {
  return async ({ store, now, clock }: OpenShop) =>
    movedInWords(await reopenLead(store, await requireLead(store, reference), msOf(now)), clock);
}

/** Asks for the amount of a lead, in cents; null where the owner leaves it open. */
function askForAmount(ask: Ask, { reference, quotedAmount }: Lead, to: "won" | "quoted") {
  return ask.read((typed) => (typed === "" ? null : readPrice(typed)), {
    label: `${reference} is ${to === "won" ? "won for" : "quoted"} how much? Nothing if it is not known`,
    initial: to === "won" && quotedAmount ? String(toUnits(quotedAmount.cents)) : "",
    submit: "next",
  });
}

function askForNote(ask: Ask, label: string, submit: string, isNeeded = false): Promise<string | undefined> {
  return ask.read((typed) => (typed === "" && !isNeeded ? "" : readNote(typed)), { label, submit });
}

/** The key that opens the booking of a lead, or the booking form with the lead's facts. */
function useLeadBooking(lead: Lead | null): KeyBinding[] {
  const { catalog } = useShop();
  const { open } = useNav();
  const act = useAct();
  if (!lead || !catalog) return [];
  const code = lead.confirmationCode;
  if (code !== null) return [key("b", "its booking", () => open("booking", code), "Open the appointment.")];
  const begin = () =>
    act(async ({ store }) => {
      const full = await store.findLead(lead.id);
      if (!full) return null;
      const { price, address } = bookingTerms(full, catalog);
      const known = { ...bookingFields(full, catalog), lead: full.reference, address, ...(price && { price }) };
      open("book", startingWith(knownOf(known)));
      return null;
    });
  return [
    key(
      "b",
      "book",
      () => begin(),
      "Book the customer of the lead; the lead is then won, but not by a site visit without a price.",
    ),
  ];
}
