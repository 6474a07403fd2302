/** Moving a lead forward: one wording for the command and the screen. */
import { type LeadStatus, leadMayBecome, OPEN_LEADS } from "../../src/domain/lifecycle.ts";
import { counted } from "../../src/lib/text.ts";
import type { Lead, LeadInFull, Store } from "../../src/store/store.ts";
import { Failure } from "../failure.ts";
import { clean } from "../terminal/text.ts";
import { noSuchLead } from "./find.ts";

interface MovedLead {
  lead: LeadInFull;
  /** The number of reminders that stopped. */
  lapsed: number;
}

/**
 * Moves a lead forward, or adds a note to the state it is in.
 * @param at epoch milliseconds
 * @throws Failure with the reason when the lead stays as it is
 */
export async function moveLead(
  store: Store,
  lead: Pick<Lead, "id" | "reference" | "status">,
  to: LeadStatus,
  note: string | null,
  at: number,
): Promise<MovedLead> {
  const current = await store.findLead(lead.id);
  // Somebody else ended it meanwhile: only who has seen the end may undo it.
  if (current && isOpen(lead.status) && !isOpen(current.status) && isOpen(to)) throw new Failure(refusal(current, to));
  const outcome = await store.moveLead(lead.id, to, note, at);
  if (outcome.kind === "moved") return outcome;
  throw new Failure(outcome.kind === "unknown" ? noSuchLead(lead.reference) : refusal(outcome.lead, to));
}

/** Says that a lead was moved, and how many of its reminders stopped. */
export function movedInWords({ lead, lapsed }: MovedLead): string {
  const stopped = lapsed === 0 ? "" : ` ${counted(lapsed, "reminder")} stopped.`;
  return `Lead ${lead.reference} (${clean(lead.name)}) is ${lead.status}.${stopped}`;
}

function isOpen(status: LeadStatus): boolean {
  return OPEN_LEADS.includes(status);
}

/** Marks a lead as won by a booking, unless it has ended already. */
export async function winLead(store: Store, name: string, code: string, at: number): Promise<MovedLead | null> {
  const lead = await store.findLead(name);
  if (!lead || !leadMayBecome(lead.status, "won")) return null;
  return moveLead(store, lead, "won", `booked as ${code}`, at);
}

/** The state that a lead was in before it ended, where an undo goes back to. */
export function stateBeforeEnd({ history }: Pick<LeadInFull, "history">): LeadStatus {
  return history.findLast(({ status }) => isOpen(status))?.status ?? "new";
}

/** Says that a note was written down. */
export function notedInWords({ reference, name }: Pick<Lead, "reference" | "name">): string {
  return `Noted on lead ${reference} (${clean(name)}).`;
}

function refusal({ reference, status }: Lead, to: LeadStatus): string {
  if (status === to) return `Lead ${reference} is ${to} already. Add --note to write down what was said.`;
  if (!isOpen(status))
    return `Lead ${reference} is ${status} and so has ended. To open it again: tint leads quoted ${reference}`;
  return `Lead ${reference} is ${status}; a lead only moves forward (new, contacted, quoted, then won or lost), not to ${to}.`;
}
