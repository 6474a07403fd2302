/** What the program does with an error follows from the table of codes, which a new code cannot leave open. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { ERRORS, type ErrorSpec } from "../../src/errors.ts";
import { testApp } from "../helpers.ts";

const SRC = join(import.meta.dir, "../../src");
/** The table, the order of codes in one error, and examples for readers. */
const MAY = ["errors.ts", "capabilities/core/validate.ts", "discovery/openapi/responses.ts", "pages/docs/guides.ts"];

test("no code is asked for by its name: `tsc` and this test find what a new code would miss", async () => {
  const codes = Object.keys(ERRORS).join("|");
  const asked = new RegExp(`[!=]==? "(${codes})"|case "(${codes})"|^\\s+(${codes}): (?!\\{ code: -)`, "m");
  const found: string[] = [];
  for await (const file of new Bun.Glob("**/*.ts").scan(SRC))
    if (asked.test(await Bun.file(join(SRC, file)).text())) found.push(file);
  expect(found.filter((file) => !MAY.includes(file))).toEqual([]);

  const { BAD_REQUEST: row } = ERRORS;
  // @ts-expect-error a code says what the caller can do
  const noRemedy: ErrorSpec = { ...row, remedy: undefined };
  // @ts-expect-error a code says what it is about
  const noSubject: ErrorSpec = { ...row, about: undefined };
  // @ts-expect-error a code says who answers it
  const nowhere: ErrorSpec = { ...row, from: undefined };
  // @ts-expect-error a code says which fields it refuses
  const noFields: ErrorSpec = { ...row, refuses: undefined };
  expect([noRemedy, noSubject, nowhere, noFields]).toHaveLength(4);
});

test("a page says of a wrong method that there is nothing, not that something broke", async () => {
  const { status, text } = await testApp().send("PUT", "/book");
  expect([status, text.match(/<h1>([^<]*)/)?.[1]]).toEqual([405, "There is no such page"]);
});
