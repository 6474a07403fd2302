/** An unsaved change of the catalog as data: it can be listed, undone and made again over a newer file. */

import { setFlow, setScalar } from "../../../src/catalog/edit/changes.ts";
import {
  addFaq,
  editFaq,
  type Faq,
  removeFaq,
  removeSpecialDay,
  type SpecialDay,
  setSpecialDay,
} from "../../../src/catalog/edit/everyday.ts";
import { renderFlow, renderScalar } from "../../../src/catalog/edit/layout.ts";
import type { Path, ScalarValue } from "../../../src/catalog/path.ts";
import { settingAt } from "../../../src/catalog/settings.ts";
import { EditError } from "../../../src/catalog/source.ts";
import { valueAt } from "../../../src/lib/fields.ts";
import { openingTimesInWords } from "../../catalog/opening-times.ts";
import { clean } from "../../terminal/output.ts";

/** `was` is the value that the change replaces. */
export type Change = {
  what: string;
  /** Whether another editor wrote that value after the owner's change. */
  isLater?: true;
} & (
  | { kind: "value"; path: Path; was: unknown; now: ScalarValue | object }
  | { kind: "special"; date: string; was: SpecialDay | null; now: SpecialDay | null }
  | { kind: "faq"; was: Faq | null; now: Faq | null }
);

/** @throws EditError when the place is missing or cannot be edited */
export function apply(text: string, source: unknown, change: Change): string {
  switch (change.kind) {
    case "value":
      return typeof change.now === "object" && change.now !== null
        ? setFlow(text, change.path, change.now)
        : setScalar(text, change.path, change.now);
    case "special":
      return change.now ? setSpecialDay(text, change.now) : removeSpecialDay(text, change.date);
    case "faq":
      return applyFaq(text, source, change);
  }
}

function applyFaq(text: string, source: unknown, { was, now }: Change & { kind: "faq" }): string {
  if (!was) return now ? addFaq(text, now) : text;
  const index = faqsIn(source).findIndex((faq) => Bun.deepEquals(faq, was));
  if (index < 0) throw new EditError("This question is no longer in the catalog.");
  if (!now) return removeFaq(text, index);
  const { category, question, answer } = now;
  return editFaq(text, index, {
    ...(category !== was.category && { category }),
    ...(question !== was.question && { question }),
    ...(answer !== was.answer && { answer }),
  });
}

/** Whether the file still has the old value of the change. A new question has none. */
function isAsItWas(source: unknown, change: Change): boolean {
  return (change.kind === "faq" && change.was === null) || Bun.deepEquals(current(source, change), change.was);
}

export function current(source: unknown, change: Change): unknown {
  switch (change.kind) {
    case "value":
      return valueAt(source, change.path);
    case "special":
      return specialDaysIn(source).find(({ date }) => date === change.date) ?? null;
    case "faq":
      // Found even when another editor changed category or answer.
      return faqsIn(source).find(({ question }) => question === change.was?.question) ?? null;
  }
}

/** The same change over a newer file. A question that another editor removed becomes a new one. */
export function over(source: unknown, change: Change): Change {
  if (isAsItWas(source, change)) return change;
  const was = { was: current(source, change), isLater: true };
  return { ...change, ...was } as Change;
}

/** The FAQ list of a file that parsed as a good catalog, so the shape of its entries is known. */
export function faqsIn(source: unknown): Faq[] {
  const list = valueAt(source, ["faq"]);
  return Array.isArray(list) ? list : [];
}

/** The special days of a file that parsed as a good catalog. @see faqsIn */
export function specialDaysIn(source: unknown): SpecialDay[] {
  const list = valueAt(source, ["business", "special_hours"]);
  return Array.isArray(list) ? list : [];
}

/** What another editor wrote, and the change replaces. */
export function replacedInWords(change: Change): string {
  return `${change.what}: ${shownFor(change, change.was)}, which somebody else wrote meanwhile`;
}

export function describeChange(change: Change): { what: string; old: string; now: string } {
  return { what: change.what, old: shownFor(change, change.was), now: shownFor(change, change.now) };
}

/** A value in words as it would be at the place of a change. */
function shownFor(change: Change, value: unknown): string {
  return shown(change.kind === "value" ? change.path : [], value);
}

/** A value of the file as the owner writes it. @param path decides how: money and opening times have a form of their own */
export function shown(path: Path, value: unknown): string {
  if (value === undefined) return "not set";
  if (value === null) return "none";
  if (path.at(-2) === "hours") return timesInWords(value);
  if (typeof value === "object" && "question" in value) return clean(String(value.question));
  if (typeof value === "object" && "date" in value) return timesInWords("hours" in value ? value.hours : []);
  if (typeof value === "number" && settingAt(path)?.money)
    return renderScalar(value, { inFlow: false, money: "plain" });
  return clean(typeof value === "object" ? renderFlow(value, " ") : String(value));
}

function timesInWords(times: unknown): string {
  return openingTimesInWords(Array.isArray(times) ? times : []);
}
