/** Leads as a table, on their own screen and on the home screen. */
import type { Lead } from "../../../src/store/store.ts";
import { leadRow } from "../../customers/lead-text.ts";
import { type Column, Table, type TableProps } from "../kit/list.tsx";
import { useShop } from "../kit/shop.ts";
import { isWide } from "../kit/text.tsx";

interface LeadTableProps extends Omit<TableProps, "columns" | "rows"> {
  leads: readonly Lead[];
  /** The price that each was quoted, by id of the lead. */
  quoted?: ReadonlyMap<string, string>;
}

export function LeadTable({ leads, quoted, ...place }: LeadTableProps) {
  const { clock, now } = useShop();
  const { width } = place;
  // The phone number stands on the lead's own screen.
  const isLong = isWide(width);
  const cells = (lead: Lead) => {
    const row = leadRow(lead, clock, now().epochMilliseconds, isLong).toSpliced(PHONE, 1);
    const price = quoted?.get(lead.id) ?? "";
    // Where both have no room the price says more than the kind of work.
    if (isLong) return [...row, price];
    return price === "" ? row : row.with(-1, price);
  };
  return (
    <Table
      columns={isLong ? [...WIDE, ...(quoted ? [QUOTED] : [])] : COLUMNS}
      rows={leads.map((lead) => ({ key: lead.id, cells: cells(lead) }))}
      {...place}
    />
  );
}

const COLUMNS: readonly Column[] = [
  { head: "lead", width: 8 },
  { head: "state", width: 9 },
  { head: "age", width: 6 },
  { head: "follow up", width: 12 },
  { head: "name" },
  { head: "about", width: 19, yields: true },
];
const WIDE = COLUMNS.map((column) => (column.head === "follow up" ? { ...column, width: 24 } : column));
const QUOTED: Column = { head: "told", width: 19 };
/** The column of `leadRow` that holds the phone number. */
const PHONE = 5;
