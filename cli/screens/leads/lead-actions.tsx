/** Moving a lead forward with a note, the same in the list and on the lead's own screen. */
import { type ReactNode, useState } from "react";
import { LEAD_STATUSES, type LeadStatus, leadMayBecome } from "../../../src/domain/lifecycle.ts";
import { paragraph } from "../../../src/schema/fields.ts";
import type { Lead } from "../../../src/store/store.ts";
import { Failure } from "../../failure.ts";
import { refusal } from "../../leads/lead-text.ts";
import { clean } from "../../terminal/text.ts";
import { type KeyBinding, key } from "../kit/input/keyboard.tsx";
import { useAct, useShop } from "../kit/shell/shop.ts";
import { Prompt } from "../kit/widgets/dialogs.tsx";

const LETTERS = { contacted: "c", quoted: "u", won: "w", lost: "x" } as const;
const HELP: Record<keyof typeof LETTERS, string> = {
  contacted: "You reached the customer; the reminders stop.",
  quoted: "The customer has a price.",
  won: "The customer bought.",
  lost: "Nothing came of it.",
};

/** @param lead the one that the keys are about; null when there is none */
export function useLeadActions(lead: Lead | null): { keys: KeyBinding[]; dialog: ReactNode } {
  const { store, now } = useShop();
  const act = useAct();
  // The lead that was asked about, whatever comes and goes in the list meanwhile.
  const [asked, setAsked] = useState<{ lead: Lead; to: LeadStatus } | null>(null);
  if (asked) {
    const { lead, to } = asked;
    const move = (text: string) => {
      setAsked(null);
      act(async () => {
        const note = text === "" ? null : text;
        const outcome = await store.moveLead(lead.id, to, note, now().epochMilliseconds);
        if (outcome.kind === "unknown") throw new Failure(`There is no lead ${lead.reference}.`);
        if (outcome.kind === "refused") throw new Failure(refusal(outcome.lead, to));
        const stopped = outcome.lapsed === 0 ? "" : ` Its reminders (${outcome.lapsed}) stopped.`;
        return `Lead ${lead.reference} (${clean(lead.name)}) is ${to}.${stopped}`;
      });
    };
    const isNote = to === lead.status;
    const label = isNote ? `Note on ${lead.reference}` : `${lead.reference} is ${to}; a note, if you like`;
    return {
      keys: [],
      dialog: (
        <Prompt
          label={label}
          submit={isNote ? "write it down" : `mark as ${to}`}
          check={(text) => noteFault(text, isNote)}
          onSubmit={move}
          onCancel={() => setAsked(null)}
        />
      ),
    };
  }
  if (!lead) return { keys: [], dialog: null };
  const steps = LEAD_STATUSES.flatMap((to) =>
    to !== "new" && leadMayBecome(lead.status, to)
      ? [key(LETTERS[to], to, () => setAsked({ lead, to }), HELP[to])]
      : [],
  );
  const note = key("n", "note", () => setAsked({ lead, to: lead.status }), "Write down what was said.");
  return { keys: [...steps, note], dialog: null };
}

function noteFault(text: string, isNeeded: boolean): string | null {
  if (text === "") return isNeeded ? "Type the note, or press Esc." : null;
  return paragraph().safeParse(text.normalize("NFC")).success ? null : "A note has at most 2,000 characters.";
}
