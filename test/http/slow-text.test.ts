/** No text keeps the server busy: the shapes on which slow regular expressions backtrack, in every field of every capability. */
import { expect, test } from "bun:test";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { jsonSchema } from "../../src/schema/json-schema.ts";
import { API, CATALOG, NOW, testApp } from "../helpers.ts";
import { fieldsOf, takesText, withField } from "./text-fields.ts";

const LONG = 4_000;
const of = (piece: string, end = "!") => piece.repeat(Math.ceil(LONG / piece.length)).slice(0, LONG) + end;
/** Repetitions that end in something else: an expression that can read them in many ways tries all of them. */
const HOSTILE = [
  "a",
  " ",
  "1",
  "0",
  "-",
  "a ",
  "1 ",
  "a1",
  ".",
  "a.",
  "@",
  "a@a.",
  "9:",
  "+1",
  "(",
  "\u200d",
  "é",
  "\n ",
  "1/",
  "%",
].map((one) => of(one));
/** A slow expression takes minutes for such a text. */
const SLOW_MS = 1_000;

for (const { id, path, method, input, sample } of CAPABILITIES) {
  test(`${id} answers hostile texts at once`, async () => {
    const app = testApp();
    const fields = fieldsOf(jsonSchema(input(CATALOG), "input")).filter(takesText);
    const slow: [string, number, string][] = [];
    let asked = 0;
    for (const { path: field } of fields)
      for (const text of HOSTILE) {
        const body = withField({ ...sample(CATALOG, NOW), dry_run: true }, field, text);
        const url = `${API}${path.replace(/\{\w+\}/, encodeURIComponent(text.slice(0, 300)))}`;
        const from = `203.0.${asked >> 6}.${asked++ & 63}`;
        const start = performance.now();
        const { status } =
          method === "GET"
            ? await app.get(`${url}?${field.join(".")}=${encodeURIComponent(text.slice(0, 1_500))}`, { from })
            : await app.post(url, body, { from });
        const took = performance.now() - start;
        if (took > SLOW_MS) slow.push([field.join("."), Math.round(took), text.slice(0, 4)]);
        expect(status).toBeLessThan(500);
      }
    expect(slow).toEqual([]);
    expect(asked).toBe(fields.length * HOSTILE.length);
  });
}
