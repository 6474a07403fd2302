/** The keys that move a lead forward with a note, the same in the list and on the lead's own screen. */
import { LEAD_STATUSES, type LeadStatus, leadMayBecome, OPEN_LEADS } from "../../../src/domain/lifecycle.ts";
import { ApiError } from "../../../src/errors.ts";
import { toUnits } from "../../../src/lib/money.ts";
import { normalise, paragraph } from "../../../src/schema/fields.ts";
import type { Lead } from "../../../src/store/store.ts";
import { correctedLeadInWords, correctInquiry } from "../../customers/inquiry.ts";
import {
  bookingFields,
  callLead,
  movedInWords,
  moveLead,
  notedInWords,
  noteWithAmount,
  readCall,
  reopenLead,
  requireLead,
} from "../../customers/leads.ts";
import { issuesInWords, readPrice } from "../../diary/owner.ts";
import type { GivenFlags } from "../../estimates/flags.ts";
import { CliError, clean } from "../../terminal/output.ts";
import { knownOf, startingWith } from "../estimate/estimate-form.ts";
import { type KeyBinding, key } from "../kit/bindings.tsx";
import { type Actions, Choice, Prompt, TypedPrompt, useActions } from "../kit/dialogs.tsx";
import { useNav } from "../kit/navigation.ts";
import { useAct, useShop } from "../kit/shop.ts";

const LETTERS = { contacted: "c", quoted: "t", won: "w", lost: "x" } as const;
const HELP: Record<keyof typeof LETTERS, string> = {
  contacted: "You reached the customer; the reminders stop.",
  quoted: "The customer has a price.",
  won: "The customer bought.",
  lost: "Nothing came of it.",
};

interface NoteQuestion {
  lead: Lead;
  /** The cents for which it is won or quoted, once asked; null when that is not known. */
  cents?: number | null;
  /** The lead's own status when only a note is written; "call" for a time to call back. */
  to: LeadStatus | "call" | "edit";
  /** What is corrected, once asked. */
  field?: { name: string; label: string };
}

/** @param lead null when none is selected */
export function useLeadActions(lead: Lead | null): Actions {
  const { move, undo, call, correct, readWhen } = useStatusChanges();
  return useActions<NoteQuestion>(
    (ask) =>
      lead
        ? keysOf(
            lead,
            (to) => ask({ lead, to }),
            () => undo(lead),
          )
        : [],
    ({ lead, to, cents, field }, close, ask) => {
      const isNote = to === lead.status;
      if ((to === "won" || to === "quoted") && !isNote && cents === undefined)
        return (
          <TypedPrompt
            key="amount"
            label={`${lead.reference} is ${to === "won" ? "won for" : "quoted"} how much? Nothing if it is not known`}
            initial={to === "won" && lead.quotedAmount ? String(toUnits(lead.quotedAmount.cents)) : ""}
            submit="next"
            read={(typed) => (typed === "" ? null : readPrice(typed))}
            onRead={(amount) => ask({ lead, to, cents: amount })}
            close={() => {}}
            onCancel={close}
          />
        );
      if (to === "edit" && !field)
        return (
          <Choice
            question={`What is to be corrected? (${clean(lead.name)})`}
            choices={CORRECTIONS.map(([letter, name, label]) =>
              key(letter, label, () => ask({ lead, to, field: { name, label } })),
            )}
            onCancel={close}
          />
        );
      if (to === "edit" && field)
        return (
          <Prompt
            label={`New ${field.label}; nothing takes it away`}
            submit="save"
            onSubmit={(text) => correct(lead, { [field.name]: text })}
            close={close}
          />
        );
      if (to === "call" || to === "edit")
        return (
          <TypedPrompt
            label={`When to call ${clean(lead.name)} back, like friday 10am`}
            submit="remind me then"
            read={readWhen}
            onRead={(typed) => call(lead, typed)}
            close={close}
          />
        );
      return (
        <Prompt
          label={isNote ? `Note on ${lead.reference}` : `${lead.reference} is ${to}; a note, if you like`}
          submit={isNote ? "write it down" : `mark as ${to}`}
          check={(text) => noteIssue(text, isNote)}
          onSubmit={(text) => move(lead, to, text === "" ? null : String(normalise(text)), cents ?? null)}
          close={close}
        />
      );
    },
  );
}

function keysOf(
  { status, confirmationCode }: Lead,
  ask: (to: NoteQuestion["to"]) => void,
  undo: () => void,
): KeyBinding[] {
  const note = key("n", "note", () => ask(status), "Write down what was said.");
  const back = status === "new" ? [] : [key("u", "undo", undo, "Back to the state before; the reminders wait again.")];
  // The lead of a booking follows its booking.
  if (!OPEN_LEADS.includes(status)) return confirmationCode === null ? [...back, note] : [note];
  const steps = LEAD_STATUSES.flatMap((to) =>
    to !== "new" && leadMayBecome(status, to) ? [key(LETTERS[to], to, () => ask(to), HELP[to])] : [],
  );
  return [
    ...steps,
    ...back,
    note,
    key("r", "call back", () => ask("call"), "Set when to call back; a reminder then."),
    ...(confirmationCode === null ? [key("e", "edit", () => ask("edit"), "Correct what was written down.")] : []),
  ];
}

/** By the names of `INQUIRY`. */
const CORRECTIONS = [
  ["n", "name", "name"],
  ["p", "phone", "phone"],
  ["e", "email", "e-mail"],
  ["v", "vehicle", "car"],
  ["f", "film", "film"],
  ["a", "address", "address"],
  ["s", "square-footage", "square feet"],
  ["t", "note", "note"],
] as const;

interface StatusChanges {
  move: (lead: Lead, to: LeadStatus, note: string | null, cents: number | null) => void;
  undo: (lead: Lead) => void;
  call: (lead: Lead, typed: string) => void;
  correct: (lead: Lead, given: GivenFlags) => void;
  /** @returns what was typed, when it can be read @throws UsageError */
  readWhen: (typed: string) => string;
}

function useStatusChanges(): StatusChanges {
  const { store, catalog, now } = useShop();
  const act = useAct();
  return {
    readWhen: (typed) => {
      if (catalog) readCall(typed, catalog, now());
      return typed;
    },
    call: (lead, typed) =>
      act(async () => {
        if (!catalog) throw new CliError("Without the catalog the opening hours are not known.");
        return (await callLead({ store, catalog, now: now() }, lead, typed)).notice;
      }),
    correct: (lead, given) =>
      act(async () => {
        if (!catalog) throw new CliError("Without the catalog no words of the shop are known.");
        const desk = { store, catalog, now: now() };
        try {
          const before = await requireLead(store, lead.reference);
          return correctedLeadInWords(await correctInquiry(before, given, desk), before, desk);
        } catch (error) {
          throw error instanceof ApiError ? new CliError(issuesInWords(error).text) : error;
        }
      }),
    move: (lead, to, note, cents) =>
      act(async () => {
        const currency = catalog?.currency ?? "USD";
        const amount = cents === null ? null : { cents, currency };
        const said = noteWithAmount(note, cents, currency);
        const moved = await moveLead(store, lead, to, said, now().epochMilliseconds, amount);
        if (to === lead.status) return notedInWords(moved.lead);
        return `${movedInWords(moved)} u on the lead undoes it.`;
      }),
    undo: (lead) => act(async () => movedInWords(await reopenLead(store, lead, now().epochMilliseconds))),
  };
}

/** The key that opens the booking form with the lead's facts. @returns none for a lead with a booking */
export function useLeadBooking(lead: Lead | null): KeyBinding[] {
  const { store, catalog } = useShop();
  const { open } = useNav();
  const act = useAct();
  if (!lead || !catalog || lead.confirmationCode !== null) return [];
  const begin = () =>
    act(async () => {
      const full = await store.findLead(lead.id);
      if (full) open("book", startingWith([...knownOf(bookingFields(full, catalog)), ["lead", [full.reference]]]));
      return null;
    });
  return [
    key(
      "b",
      "book",
      begin,
      "Book the customer of the lead; the lead is then won, but not by a site visit without a price.",
    ),
  ];
}

function noteIssue(text: string, isNeeded: boolean): string | null {
  if (text === "") return isNeeded ? "Type the note, or press Esc." : null;
  return paragraph().safeParse(normalise(text)).success ? null : "A note has at most 2,000 characters.";
}
