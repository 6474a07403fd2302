/**
 * The catalog with changes that wait to be saved. Pure: text in, a new draft out. The base is the file as last read.
 * A change is data: it can be listed, undone, and made again over a newer file. Each step keeps the text it led to.
 */
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
import { CatalogError } from "../../../src/catalog/load/document.ts";
import { parseCatalog } from "../../../src/catalog/load/parse.ts";
import { readLayout } from "../../../src/catalog/load/values.ts";
import type { Path, ScalarValue } from "../../../src/catalog/path.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { EditError } from "../../../src/catalog/source.ts";
import { valueAt } from "../../../src/lib/fields.ts";
import { shownValueAt } from "../../catalog/edits.ts";
import { openingTimesInWords } from "../../catalog/opening-times.ts";
import { withRaised } from "../../catalog/reprice.ts";
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

export function valueChange(draft: Draft, path: Path, now: ScalarValue | object, what = path.join(".")): Change {
  return { kind: "value", what, path, was: valueAt(latest(draft).source, path), now };
}

/** @throws EditError when the place is missing or cannot be edited */
function apply(text: string, source: unknown, change: Change): string {
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

function current(source: unknown, change: Change): unknown {
  switch (change.kind) {
    case "value":
      return valueAt(source, change.path);
    case "special":
      return specialDayIn(source, change.date);
    case "faq":
      // Found even when another editor changed category or answer.
      return faqsIn(source).find(({ question }) => question === change.was?.question) ?? null;
  }
}

/** The same change over a newer file. A question that another editor removed becomes a new one. */
function over(source: unknown, change: Change): Change {
  const isNewQuestion = change.kind === "faq" && change.was === null;
  const was = current(source, change);
  return isNewQuestion || Bun.deepEquals(was, change.was) ? change : ({ ...change, was, isLater: true } as Change);
}

/** The FAQ list of a file that parsed as a good catalog, so the shape of its entries is known. */
export function faqsIn(source: unknown): Faq[] {
  const list = valueAt(source, ["faq"]);
  return Array.isArray(list) ? list : [];
}

/** The special day on a date. @see faqsIn */
export function specialDayIn(source: unknown, date: string): SpecialDay | null {
  const list = valueAt(source, ["business", "special_hours"]);
  return (Array.isArray(list) && list.find((day) => day.date === date)) || null;
}

export function replacedInWords(change: Change): string {
  return `${change.what}: ${shownFor(change, change.was)}, which somebody else wrote meanwhile`;
}

export function describeChange(change: Change) {
  return { what: change.what, old: shownFor(change, change.was), now: shownFor(change, change.now) };
}

function shownFor(change: Change, value: unknown): string {
  return shown(change.kind === "value" ? change.path : [], value);
}

/** A value of the file as the owner writes it. @param path decides how: money and opening times have a form of their own */
export function shown(path: Path, value: unknown): string {
  if (value === null) return "none";
  if (path.at(-2) === "hours" && value !== undefined) return timesInWords(value);
  if (typeof value === "object" && "question" in value) return clean(String(value.question));
  if (typeof value === "object" && "date" in value) return timesInWords("hours" in value ? value.hours : []);
  return clean(shownValueAt(path, value));
}

function timesInWords(times: unknown): string {
  return openingTimesInWords(Array.isArray(times) ? times : []);
}

interface DraftVersion {
  text: string;
  catalog: Shop;
  /** The values as they are in the file, money in dollars. */
  source: unknown;
}

export interface Draft {
  base: DraftVersion;
  steps: readonly { change: Change; result: DraftVersion }[];
}

/** @throws CatalogError, EditError when the text is not a good catalog */
export function openDraft(text: string): Draft {
  return { base: versionOf(text), steps: [] };
}

function versionOf(text: string): DraftVersion {
  return { text, catalog: parseCatalog(Buffer.from(text), "catalog.yaml"), source: readLayout(text).source };
}

/** The file with every change made, as the screen shows it. */
export function latest({ base, steps }: Draft): DraftVersion {
  return steps.at(-1)?.result ?? base;
}

/** @returns the draft with the change, or why the change is refused */
export function makeChange(draft: Draft, change: Change): Draft | string {
  if (Bun.deepEquals(current(latest(draft).source, change), change.now)) return draft;
  return stepped(draft, [change], ({ text, source }) => apply(text, source, change));
}

type Amount = Change & { kind: "value"; was: number; now: number };

/** Amounts that are changed in one step. The file is read once, however many there are. @returns as `makeChange` does */
export function changeAmounts(draft: Draft, amounts: readonly Amount[]): Draft | string {
  const raised = amounts.map(({ path, was, now }) => ({ path, old: was, new: now }));
  return stepped(draft, amounts, ({ text }) => withRaised(text, raised));
}

function stepped(draft: Draft, changes: readonly Change[], write: (before: DraftVersion) => string): Draft | string {
  try {
    const result = versionOf(write(latest(draft)));
    return { ...draft, steps: [...draft.steps, ...changes.map((change) => ({ change, result }))] };
  } catch (error) {
    return withName(refusalInWords(error), changes);
  }
}

/** Names the cell as the owner sees it, not by its path in the file. */
function withName(reason: string, changes: readonly Change[]): string {
  for (const change of changes) {
    const path = change.kind === "value" ? change.path.join(".") : "";
    if (path && reason.startsWith(`${path} `)) return change.what + reason.slice(path.length);
  }
  return reason;
}

/** Without the last step, which may be of several changes. */
export function undo(draft: Draft): Draft {
  const last = draft.steps.at(-1)?.result;
  return { ...draft, steps: draft.steps.filter(({ result }) => result !== last) };
}

/** The same changes over a newer text, which win. @throws CatalogError, EditError when the text is bad or a change does not fit */
export function rebase(draft: Draft, text: string): Draft {
  if (text === draft.base.text) return draft;
  let laid = openDraft(text);
  for (const { change } of draft.steps) {
    const made = makeChange(laid, over(latest(laid).source, change));
    if (typeof made === "string") throw new EditError(made);
    laid = made;
  }
  return laid;
}

export function isUnsaved(draft: Draft): boolean {
  return draft.steps.length > 0;
}

/** The changes that a save will write, one for each place: a cell changed twice counts once, first value → last value. */
export function changesToSave({ steps }: Draft): Change[] {
  const places = new Map<string, Change>();
  for (const { change } of steps) {
    const key = locationOf(change);
    const first = places.get(key);
    // The place that was changed last is last.
    places.delete(key);
    places.set(key, first ? merged(first, change) : change);
  }
  return [...places.values()].filter(({ was, now }) => !Bun.deepEquals(was, now));
}

function locationOf(change: Change): string {
  if (change.kind === "value") return change.path.join(".");
  return change.kind === "special" ? `day ${change.date}` : `faq ${JSON.stringify(change.was)}`;
}

function merged(first: Change, last: Change): Change {
  const later = first.isLater && { isLater: true as const };
  if (first.kind === "value" && last.kind === "value") return { ...last, was: first.was, ...later };
  return first.kind === "special" && last.kind === "special" ? { ...last, was: first.was, ...later } : last;
}

/** The refusal in one line, without file, line and column. @throws any other error */
function refusalInWords(error: unknown): string {
  if (error instanceof CatalogError) {
    // "catalog.yaml:86:60: automotive.….full must be 0 or more", above the line and its caret.
    const [first = ""] = (error.issues[0] ?? "").split("\n");
    return first.replace(/^[^ ]*:\d+:\d+:? */, "");
  }
  if (error instanceof EditError) return error.message;
  throw error;
}
