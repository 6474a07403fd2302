/** Copies all rows from one engine to another, each as tables of rows, and compares them. */
import { versionError } from "./migrations.ts";
import type { Steps } from "./queries/steps.ts";
import { StoreTooOld } from "./store-errors.ts";

export interface CopiedTable {
  name: string;
  /** The columns that are written; a generated column follows from them. */
  columns: readonly string[];
  /** The primary key, which orders the rows. */
  key: readonly string[];
  refersTo: readonly string[];
}

export type TableRow = Readonly<Record<string, string | number | null>>;

/** All batches of rows have this length, but for the last of a table. */
export const BATCH = 2_000;

export interface RowSource {
  version: number;
  tables: readonly CopiedTable[];
  /** The rows in the order of the key, byte by byte, in batches. */
  rows: (table: CopiedTable) => AsyncIterable<readonly TableRow[]>;
}

/** A database whose changes are kept together or not at all. */
export interface RowTarget extends RowSource {
  add: (table: CopiedTable, rows: readonly TableRow[]) => Promise<void>;
  clear: (table: CopiedTable) => Promise<void>;
  /** Lets new ids begin after those of the copied rows. */
  advanceIds: () => Promise<void>;
  perform: (steps: Steps<void>) => Promise<void>;
}

/** A database cannot be copied, or not to that location; the message says why. Nothing was copied. */
export class CopyRefused extends Error {
  override readonly name = "CopyRefused";
  constructor(
    /** The location with the error. */
    readonly at: "from" | "to",
    message: string,
  ) {
    super(message);
  }
}

export type Copied = Record<string, number>;

/** Called after each batch: what was done, and with how many rows of the table so far. */
export type Progress = (step: "copied" | "compared", table: string, rows: number) => void;

/** Tables in which each database counts for itself. */
const NOT_COPIED = ["shop", "writers", "heartbeat"];
/** Tables that have a row in a new database. The copied rows take its place. */
const MADE_WITH_ROWS = ["secrets"];

/** Throws CopyRefused, or Error when a row arrived otherwise than it was. */
export async function copyRows(from: RowSource, to: RowTarget, onProgress: Progress = () => {}): Promise<Copied> {
  refuseVersion(from.version, to.version);
  const tables = referencedFirst(sharedTables(from.tables, to.tables));
  await refuseFilled(to, tables);
  const copied: Copied = {};
  for (const table of tables) {
    await to.clear(table);
    let count = 0;
    let added = Promise.resolve();
    for await (const rows of from.rows(table)) {
      await added;
      // The next rows are read while the database takes these.
      added = to.add(table, rows);
      added.catch(() => {});
      count += rows.length;
      onProgress("copied", table.name, count);
    }
    await added;
    copied[table.name] = count;
  }
  for (const table of tables) await compareTable(from, to, table, onProgress);
  await to.advanceIds();
  return copied;
}

function refuseVersion(from: number, to: number): void {
  if (from === 0) throw new CopyRefused("from", "it is not a database of Tintdesk");
  const issue = versionError(from);
  if (issue instanceof StoreTooOld) throw new CopyRefused("from", `it ${issue.reason}; ${issue.wayOut}`);
  if (from !== to) throw new CopyRefused("from", `it is of version ${from}, and this program works with version ${to}`);
}

/** The tables that both databases have. A table of one engine alone is not copied. @throws Error when columns differ */
function sharedTables(from: readonly CopiedTable[], to: readonly CopiedTable[]): CopiedTable[] {
  return to.filter(({ name, columns }) => {
    const other = from.find((one) => one.name === name);
    if (!other || NOT_COPIED.includes(name)) return false;
    const different = new Set(columns).symmetricDifference(new Set(other.columns));
    if (different.size > 0) throw new Error(`${name} has other columns there: ${[...different].join(", ")}`);
    return true;
  });
}

/** Each table comes after the tables that it refers to. */
function referencedFirst(tables: readonly CopiedTable[]): CopiedTable[] {
  const ordered: CopiedTable[] = [];
  const add = (table: CopiedTable) => {
    if (ordered.includes(table)) return;
    for (const name of table.refersTo) {
      const other = tables.find((one) => one.name === name);
      if (other && other !== table) add(other);
    }
    ordered.push(table);
  };
  tables.forEach(add);
  return ordered;
}

async function refuseFilled(to: RowTarget, tables: readonly CopiedTable[]): Promise<void> {
  for (const table of tables) {
    const most = MADE_WITH_ROWS.includes(table.name) ? 1 : 0;
    for await (const rows of to.rows(table)) {
      if (rows.length > most) throw new CopyRefused("to", "it is not empty");
      break;
    }
  }
}

/** @throws Error for a row that did not arrive as it was */
async function compareTable(from: RowSource, to: RowSource, table: CopiedTable, onProgress: Progress): Promise<void> {
  const arrived = to.rows(table)[Symbol.asyncIterator]();
  let count = 0;
  for await (const rows of from.rows(table)) {
    const { value: others = [] } = await arrived.next();
    const differing = rows.findIndex((row, i) => !isSameRow(table, row, others[i]));
    if (differing >= 0 || others.length > rows.length)
      throw new Error(`${table.name}: row ${count + differing + 1} differs in the copy`);
    count += rows.length;
    onProgress("compared", table.name, count);
  }
  if (!(await arrived.next()).done) throw new Error(`${table.name}: the copy has more rows`);
}

function isSameRow({ columns }: CopiedTable, row: TableRow, other: TableRow | undefined): boolean {
  return other !== undefined && columns.every((column) => row[column] === other[column]);
}
