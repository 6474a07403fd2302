/** The keys that move a lead forward with a note, the same in the list and on the lead's own screen. */
import { LEAD_STATUSES, type LeadStatus, leadMayBecome } from "../../../src/domain/lifecycle.ts";
import { paragraph } from "../../../src/schema/fields.ts";
import type { Lead } from "../../../src/store/store.ts";
import { movedInWords, moveLead, notedInWords } from "../../leads/moves.ts";
import { type KeyBinding, key } from "../kit/input/bindings.ts";
import { useAct, useShop } from "../kit/shell/shop.ts";
import { type Actions, useActions } from "../kit/widgets/actions.ts";
import { Prompt } from "../kit/widgets/dialogs.tsx";

const LETTERS = { contacted: "c", quoted: "u", won: "w", lost: "x" } as const;
const HELP: Record<keyof typeof LETTERS, string> = {
  contacted: "You reached the customer; the reminders stop.",
  quoted: "The customer has a price.",
  won: "The customer bought.",
  lost: "Nothing came of it.",
};

interface NoteQuestion {
  lead: Lead;
  /** The lead's own status when only a note is written. */
  to: LeadStatus;
}

/** @param lead null when none is selected */
export function useLeadActions(lead: Lead | null): Actions {
  const move = useMove();
  return useActions<NoteQuestion>(
    (ask) => (lead ? keysOf(lead, (to) => ask({ lead, to })) : []),
    ({ lead, to }, close) => {
      const isNote = to === lead.status;
      return (
        <Prompt
          label={isNote ? `Note on ${lead.reference}` : `${lead.reference} is ${to}; a note, if you like`}
          submit={isNote ? "write it down" : `mark as ${to}`}
          check={(text) => noteFault(text, isNote)}
          onSubmit={(text) => {
            close();
            move(lead, to, text === "" ? null : text);
          }}
          onCancel={close}
        />
      );
    },
  );
}

function keysOf({ status }: Lead, ask: (to: LeadStatus) => void): KeyBinding[] {
  const steps = LEAD_STATUSES.flatMap((to) =>
    to !== "new" && leadMayBecome(status, to) ? [key(LETTERS[to], to, () => ask(to), HELP[to])] : [],
  );
  return [...steps, key("n", "note", () => ask(status), "Write down what was said.")];
}

function useMove(): (lead: Lead, to: LeadStatus, note: string | null) => void {
  const { store, now } = useShop();
  const act = useAct();
  return (lead, to, note) =>
    act(async () => {
      const moved = await moveLead(store, lead, to, note, now().epochMilliseconds);
      return to === lead.status ? notedInWords(moved.lead) : movedInWords(moved);
    });
}

function noteFault(text: string, isNeeded: boolean): string | null {
  if (text === "") return isNeeded ? "Type the note, or press Esc." : null;
  return paragraph().safeParse(text.normalize("NFC")).success ? null : "A note has at most 2,000 characters.";
}
