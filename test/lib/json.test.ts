/** The text of an answer equals that of JSON.stringify, whether it is kept or not. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { FRESH_ID, lasting, toJson } from "../../src/lib/json.ts";

const textOf = (value: object) => toJson(value).toString();

test("toJson says what JSON.stringify says, also the second time", () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }));
  fc.assert(
    fc.property(fc.oneof(object, object.map(lasting)), (answer) => {
      expect(textOf(answer)).toBe(JSON.stringify(answer));
      expect(textOf(answer)).toBe(JSON.stringify(answer));
    }),
  );
});

test("the text of a lasting value is made once", () => {
  let made = 0;
  const value = {
    toJSON: () => {
      made += 1;
      return "text";
    },
  };
  expect([textOf(value), textOf(value), made]).toEqual(['"text"', '"text"', 2]);
  lasting(value);
  expect([textOf(value), textOf(value), made]).toEqual(['"text"', '"text"', 3]);
});

test("ids are new each time, and an answer made before keeps its own", async () => {
  const value = lasting({ first: FRESH_ID, name: "Süd – 35 %", second: FRESH_ID });
  const made = [1, 2, 3].map(() => new Response(toJson(value)));
  const texts = await Promise.all(made.map((response) => response.text()));
  const ids = texts.flatMap((text) => text.match(/try_[0-9A-Za-z]{16}/g) ?? []);
  expect(new Set(ids).size).toBe(6);
  expect(JSON.parse(texts[2] ?? "")).toEqual({ first: ids[4], name: "Süd – 35 %", second: ids[5] });
});
