/** What the log of a reload tells of a change. The program works it out in a thread, where the tests of a server see the line. */
import { expect, test } from "bun:test";
import { changesForLog } from "../../src/catalog/path.ts";

test("each value that changed stands there, old and new", () => {
  const was = { business: { phone: "+1-404-555-0142", name: "Marlow" }, prices: { suv: 599 } };
  const now = { business: { phone: "+1-404-555-0143", name: "Marlow", motto: "Shade" }, prices: { suv: 629 } };
  expect(changesForLog(was, now)).toEqual([
    'business.phone: "+1-404-555-0142" → "+1-404-555-0143"',
    'business.motto: none → "Shade"',
    "prices.suv: 599 → 629",
  ]);
  expect(changesForLog(was, was)).toEqual([]);
});

test("an entry of a list is told as that entry, one more or less as a whole", () => {
  const faq = [{ question: "Why?", answer: "So." }, { question: "How?" }];
  expect(changesForLog({ faq }, { faq: [{ question: "Why?", answer: "Thus." }, faq[1]] })).toEqual([
    'faq.0.answer: "So." → "Thus."',
  ]);
  expect(changesForLog({ faq }, { faq: faq.slice(1) })).toEqual(['faq: {"question":"Why?","answer":"So."} → none']);
});

test("long values are cut, many are counted, and whom alerts reach is not told", () => {
  const long = changesForLog({ text: "a" }, { text: "b".repeat(500) });
  expect(long).toEqual([`text: "a" → "${"b".repeat(59)}…`]);
  const many = (value: number) => Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`price${i}`, value]));
  expect(changesForLog(many(1), many(2)).slice(-2)).toEqual(["price19: 1 → 2", "and 5 more"]);
  expect(changesForLog({ alerts: { to: ["+14045550101"] } }, { alerts: { to: ["+14045550102"] } })).toEqual([
    "alerts.to.0: changed",
  ]);
});
