/** The text of an answer equals that of JSON.stringify, whether it is kept or not. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { lasting, toJson } from "../../src/lib/json.ts";

test("toJson says what JSON.stringify says, also the second time", () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }));
  fc.assert(
    fc.property(fc.oneof(object, object.map(lasting)), (answer) => {
      expect(toJson(answer)).toBe(JSON.stringify(answer));
      expect(toJson(answer)).toBe(JSON.stringify(answer));
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
  expect([toJson(value), toJson(value), made]).toEqual(['"text"', '"text"', 2]);
  lasting(value);
  expect([toJson(value), toJson(value), made]).toEqual(['"text"', '"text"', 3]);
});
