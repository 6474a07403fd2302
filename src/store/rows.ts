/** A database as tables of rows, for copies from one engine to another. Each engine says which tables and columns it has. */

export interface Table {
  name: string;
  /** The columns that are written; a generated column follows from them. */
  columns: readonly string[];
  /** The primary key, which orders the rows. */
  key: readonly string[];
  /** Tables that rows of this one refer to. */
  refersTo: readonly string[];
}

export type Row = Readonly<Record<string, string | number | null>>;

/** All batches of rows have this length, but for the last of a table. */
export const BATCH = 2_000;

/** A database as it was at one moment. */
export interface RowSource {
  /** The version of its tables. */
  version: number;
  tables: readonly Table[];
  /** The rows in the order of the key, byte by byte, in batches. */
  rows: (table: Table) => AsyncIterable<readonly Row[]>;
}

/** A database whose changes are kept together or not at all. */
export interface RowTarget extends RowSource {
  add: (table: Table, rows: readonly Row[]) => Promise<void>;
  clear: (table: Table) => Promise<void>;
  /** Lets new ids begin after those of the copied rows. */
  advanceIds: () => Promise<void>;
}
