/** Leads as a table, on their own screen and on the home screen. */
import type { Lead } from "../../../src/store/store.ts";
import { leadRow } from "../../leads/lead-text.ts";
import { useShop } from "../kit/shell/shop.ts";
import { type Column, Table } from "../kit/widgets/list.tsx";

interface LeadTableProps {
  leads: readonly Lead[];
  /** From 0; -1 for none. */
  selected: number;
  width: number;
  /** Rows of the terminal, including the heading. */
  height: number;
  /** Shown instead of an empty table. */
  empty: string;
}

export function LeadTable({ leads, selected, width, height, empty }: LeadTableProps) {
  const now = useShop().now().epochMilliseconds;
  // The phone number stands on the lead's own screen.
  const cells = (lead: Lead) => leadRow(lead, now).toSpliced(PHONE, 1);
  return (
    <Table
      columns={COLUMNS}
      rows={leads.map((lead) => ({ key: lead.id, cells: cells(lead) }))}
      selected={selected}
      width={width}
      height={height}
      empty={empty}
    />
  );
}

const COLUMNS: readonly Column[] = [
  { head: "lead", width: 8 },
  { head: "state", width: 9 },
  { head: "age", width: 6 },
  { head: "follow up", width: 11 },
  { head: "name" },
  { head: "about", width: 17 },
];
/** The column of `leadRow` that holds the phone number. */
const PHONE = 5;
