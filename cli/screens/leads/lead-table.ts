/** Leads as rows of a screen's table. */
import type { Lead } from "../../../src/store/store.ts";
import { leadRow } from "../../leads/lead-text.ts";
import type { Column } from "../kit/widgets/list.tsx";

export const LEAD_COLUMNS: readonly Column[] = [
  { head: "lead", width: 8 },
  { head: "state", width: 9 },
  { head: "age", width: 6 },
  { head: "follow up", width: 11 },
  { head: "name" },
  { head: "about", width: 17 },
];

/** The phone number is on the lead's own screen. */
export function leadCells(lead: Lead, now: number): string[] {
  return leadRow(lead, now).toSpliced(5, 1);
}
