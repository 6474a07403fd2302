/** What `tint doctor`, `tint backup` and `tint restore` say of a damaged database. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { inspectDatabase } from "../../src/store/sqlite/inspect.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { shopFolder } from "../process/server.ts";
import { newBooking } from "./conformance-values.ts";

/** Writes an empty page in place of an index, so that every row misses its entry. */
function emptyIndex(file: string, index: string): void {
  const db = new Database(file, { readonly: true });
  const { root } = db
    .query<{ root: number }, [string]>("SELECT rootpage AS root FROM sqlite_schema WHERE name = ?")
    .get(index) ?? { root: 0 };
  db.close();
  const bytes = readFileSync(file);
  // The header of a leaf without cells: https://www.sqlite.org/fileformat.html#b_tree_pages
  bytes.set([0x0a, 0, 0, 0, 0, 0x10, 0, 0], (root - 1) * 4096);
  writeFileSync(file, bytes);
}

function change(file: string, ...statements: string[]): void {
  const db = new Database(file);
  db.run("PRAGMA foreign_keys = OFF");
  for (const statement of statements) db.run(statement);
  db.close();
}

const ONE_WITHOUT_KEY = "UPDATE bookings SET key_id = 'none' WHERE confirmation_code = '7F3A1B10'";
const NO_LEADS = "DELETE FROM leads";

test.each<[string, (file: string) => void, string[]]>([
  ["none", () => {}, []],
  ["one row", (file) => change(file, ONE_WITHOUT_KEY), ["a row of bookings refers to a missing row of api_keys"]],
  ["the same in every row", (file) => change(file, NO_LEADS), ["12 rows of bookings refer to missing rows of leads"]],
  [
    "more kinds than are named",
    (file) => {
      change(file, "UPDATE bookings SET key_id = 'none'", NO_LEADS);
      emptyIndex(file, "bookings_by_date");
    },
    [
      "wrong # of entries in index bookings_by_date",
      "row 1 missing from index bookings_by_date (and 11 like it)",
      "12 rows of bookings refer to missing rows of api_keys",
      "and 1 more of other kinds",
    ],
  ],
])("damage: %s", async (_, spoil, issues) => {
  using folder = shopFolder();
  const store = openSqliteStore(folder.data);
  for (let nth = 10; nth < 22; nth++) {
    const { kind } = await store.book(newBooking({ confirmationCode: `7F3A1B${nth}` }), 99, []);
    expect(kind).toBe("booked");
  }
  await store.close();
  spoil(folder.database);
  expect(inspectDatabase(folder.database).issues).toEqual(issues);
});
