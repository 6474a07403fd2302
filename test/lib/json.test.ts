/** The text of an answer equals that of JSON.stringify, whichever parts are kept. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { lasting, toJson } from "../../src/lib/json.ts";

test("toJson says what JSON.stringify says, also the second time", () => {
  const json = fc.jsonValue({ maxDepth: 5 });
  const key = fc.string();
  const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
  const parts = json.filter(isObject).map(lasting);
  const data = fc.dictionary(key, fc.oneof(json, parts, fc.array(parts), fc.constant(undefined)));
  fc.assert(
    fc.property(fc.dictionary(key, fc.oneof(data, json, parts, fc.array(parts))), (answer) => {
      expect(toJson(answer)).toBe(JSON.stringify(answer));
      expect(toJson(answer)).toBe(JSON.stringify(answer));
    }),
  );
});

test("the text of a lasting part is made once", () => {
  let made = 0;
  const part = lasting({
    toJSON: () => {
      made += 1;
      return "text";
    },
  });
  expect([toJson({ data: { part } }), toJson({ data: { list: [part, part] } })]).toEqual([
    '{"data":{"part":"text"}}',
    '{"data":{"list":["text","text"]}}',
  ]);
  expect(made).toBe(1);
});
