/** The leads by state: who asked, how long ago, and when to follow up; and one of them in full, with its history. */
import { useState } from "react";
import { LEAD_STATUSES, type LeadStatus, leadMayBecome, OPEN_LEADS } from "../../../src/domain/lifecycle.ts";
import { toUnits } from "../../../src/lib/money.ts";
import type { Lead } from "../../../src/store/store.ts";
import { leadColumns, leadFacts } from "../../customers/lead-text.ts";
import {
  bookingFields,
  bookingTerms,
  callLead,
  followUpTyped,
  listedKinds,
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
import { clean } from "../../terminal/output.ts";
import { knownOf, startingWith } from "../../typed/requests.ts";
import { readNote } from "../../typed/values.ts";
import { usePaper } from "../diary/paper.tsx";
import { key, pair } from "../kit/bindings.tsx";
import type { Actions, Ask } from "../kit/dialogs.tsx";
import { FactsFrame, ListScreen } from "../kit/frame.tsx";
import { useList } from "../kit/list.tsx";
import type { OpenShop } from "../kit/open-shop.ts";
import { goodDeskOf, type ScreenProps, undoable, useLive, useNav, useScreen, useShop } from "../kit/screen.ts";
import { drawnLeads } from "./lead-table.tsx";

/** The lists that Tab and the arrows go through. */
const VIEWS: readonly { title: string; state?: LeadStatus | "all"; statuses: readonly LeadStatus[] }[] = [
  { title: "open", statuses: OPEN_LEADS },
  ...LEAD_STATUSES.map((state) => ({ title: state, state, statuses: [state] })),
  { title: "all", state: "all", statuses: LEAD_STATUSES },
];
const READ = 500;

export function LeadsScreen() {
  const { open } = useNav();
  const shop = useShop();
  const { catalog, clock, now } = shop;
  const [view, setView] = useState(0);
  const { title = "", state, statuses = OPEN_LEADS } = VIEWS[view] ?? {};
  const leads = useLive(({ store }) => store.leads(statuses, READ, undefined, listedKinds(state)), title);
  const columns = leadColumns(clock, now().epochMilliseconds);
  const list = useList(leads, { id: ({ id }) => id, columns, about: title });
  const lead = list.row;
  const actions = useLeadActions(lead);
  const turn = (by: number) => setView((old) => (old + by + VIEWS.length) % VIEWS.length);
  return (
    <ListScreen
      title={`Leads: ${title}`}
      status={list.filter === "" && leads?.length === READ ? `the newest ${READ}` : `${list.rows.length}`}
      about="Everybody who asked for a quote. A lead moves forward: new, contacted, quoted, then won or lost."
      list={list}
      dialog={actions.dialog}
      keys={[
        lead && key("enter", "open", () => open("lead", lead.reference), "Open the lead in full."),
        pair(["backtab", "left"], ["tab", "right"], "← →", "other states", "Show the leads of another state.", turn),
        catalog && key("n", "new inquiry", () => open("inquiry"), "Write down who called, and when to call back."),
        ...actions.keys,
      ]}
      columns={(width) => drawnLeads(shop, width)}
      empty={`No leads here (${title}). Press → for those in another state.`}
    />
  );
}

export function Screen({ about }: ScreenProps) {
  const { catalog, clock, now } = useShop();
  const lead = useLive(({ store }) => store.findLead(about), about);
  const actions = useLeadActions(lead ?? null);
  const paper = usePaper(lead?.confirmationCode === null ? lead.reference : undefined, null);
  return (
    <FactsFrame
      title={`Lead ${about}`}
      status={lead?.status ?? ""}
      about="Everything about one lead: what was asked, and what became of it."
      keys={[...actions.keys, ...paper.keys]}
      dialog={actions.dialog ?? paper.dialog}
      facts={lead && leadFacts(lead, clock, now(), catalog && quotedInWords(lead, catalog))}
      otherwise={`There is no lead ${about}.`}
    />
  );
}

function useLeadActions(lead: Lead | null): Actions {
  const { catalog, clock, now, open, act, ask } = useScreen();
  if (!lead) return { keys: [], dialog: ask.dialog };
  const { status, reference } = lead;
  const name = clean(lead.name);
  const currency = catalog?.currency ?? "USD";

  const write = async () => {
    const note = await askForNote(ask, `Note on ${reference}`, "write it down", true);
    if (note)
      await act(async ({ store, now }) =>
        notedInWords((await moveLead(store, lead, { to: status, note, at: msOf(now) })).lead),
      );
  };
  const moveTo = async (to: LeadStatus) => {
    const cents = to === "won" || to === "quoted" ? await askForAmount(ask, lead, to) : null;
    if (cents === undefined) return;
    const typed = await askForNote(ask, `${reference} is ${to}; a note, if you like`, `mark as ${to}`);
    if (typed === undefined) return;
    const note = noteWithAmount(typed || null, cents, currency);
    const amount = cents === null ? null : { cents, currency };
    const redo = async ({ store, now }: OpenShop) =>
      movedInWords(await moveLead(store, lead, { to, note, at: msOf(now), amount }), { ...clock, currency });
    await act(undoable({ redo, undo: backFrom(lead) }));
  };
  const moveOn = async () => {
    const steps = LEAD_STATUSES.flatMap((to) =>
      to !== "lost" && leadMayBecome(status, to) ? [[to.charAt(0), to, () => moveTo(to)] as const] : [],
    );
    const back = () => act(backFrom(lead));
    const answers = [...steps, ...(status === "new" ? [] : [["b", "back a step", back] as const])];
    await (await ask.choose(`${reference} (${name}) is ${status}. What is it now?`, answers))?.();
  };
  const callBack = async () => {
    const read = (typed: string) => {
      if (catalog) readCall(typed, catalog, now());
      return typed;
    };
    const label = `When to call ${name} back, like friday 10am`;
    const typed = await ask.read(read, { label, submit: "remind me then" });
    if (typed === undefined) return;
    const call = (when: string) => async (shop: OpenShop) =>
      (await callLead(goodDeskOf(shop), await requireLead(shop.store, reference), when)).notice;
    await act(undoable({ redo: call(typed), undo: call(followUpTyped(lead, clock)) }));
  };
  /** The booking form with what the lead tells. */
  const book = () =>
    act(async ({ store, catalog }) => {
      const full = catalog && (await store.findLead(lead.id));
      if (!full) return null;
      const { price, address } = bookingTerms(full, catalog);
      const known = { ...bookingFields(full, catalog), lead: full.reference, address, ...(price && { price }) };
      open("book", startingWith(knownOf(known)));
      return null;
    });

  const isOpen = OPEN_LEADS.includes(status);
  // The lead of a booking follows its booking.
  const code = lead.confirmationCode;
  const bookHelp = "Book the customer of the lead; the lead is then won, but not by a site visit without a price.";
  return {
    dialog: ask.dialog,
    keys: [
      (isOpen || code === null) && key("m", "move on", () => moveOn(), "Contacted, quoted, won; or back a step."),
      isOpen && key("x", "lost", () => moveTo("lost"), "Nothing came of it."),
      key("w", "write a note", () => write(), "Write down what was said."),
      isOpen && key("f", "call back", () => callBack(), "Set when to call back; a reminder then."),
      isOpen && code === null && key("e", "edit", () => open("inquiry", reference), "Correct what was written down."),
      catalog &&
        (code === null
          ? key("b", "book", () => book(), bookHelp)
          : key("b", "its booking", () => open("booking", code), "Open the appointment.")),
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
