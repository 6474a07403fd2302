import { expect, test } from "bun:test";
import { newConfirmationCode, newId, newRequestId } from "../../src/lib/ids.ts";

test("ids rise with time, keep their length, and differ within a millisecond", async () => {
  const ids = Array.from({ length: 2_000 }, () => newId("bk"));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^bk_[0-9A-Za-z]{16}$/);
  const last = Date.now();
  while (Date.now() === last);
  expect(newId("bk") > (ids.at(-1) ?? "")).toBeTrue();
});

test("request ids keep their length and are never the same", () => {
  const ids = Array.from({ length: 3_000 }, newRequestId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-z]{16}$/);
});

test("no new code reads like a number with an exponent", () => {
  const codes = Array.from({ length: 2000 }, newConfirmationCode);
  expect(codes.filter((code) => !/^[0-9A-DF-HJKMNP-TV-Z]{8}$/.test(code))).toEqual([]);
});
