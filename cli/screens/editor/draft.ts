/**
 * The catalog with changes that wait to be saved. Pure: text in, a new draft out. The base is the file as last read.
 * Each step keeps the text it led to, so undo only drops what led there.
 */
import { CatalogError } from "../../../src/catalog/load/document.ts";
import { parseCatalog } from "../../../src/catalog/load/parse.ts";
import { readLayout } from "../../../src/catalog/load/values.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { EditError } from "../../../src/catalog/source.ts";
import { withRaised } from "../../catalog/reprice.ts";
import { apply, type Change, current, over } from "./change.ts";

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
  const before = latest(draft);
  if (Bun.deepEquals(current(before.source, change), change.now)) return draft;
  try {
    const result = versionOf(apply(before.text, before.source, change));
    return { ...draft, steps: [...draft.steps, { change, result }] };
  } catch (error) {
    return withName(refusalInWords(error), [change]);
  }
}

type Amount = Change & { kind: "value"; was: number; now: number };

/** Amounts that are changed in one step. The file is read once, however many there are. @returns as `makeChange` does */
export function changeAmounts(draft: Draft, amounts: readonly Amount[]): Draft | string {
  try {
    const raised = amounts.map(({ path, was, now }) => ({ path, old: was, new: now }));
    const result = versionOf(withRaised(latest(draft).text, raised));
    return { ...draft, steps: [...draft.steps, ...amounts.map((change) => ({ change, result }))] };
  } catch (error) {
    return withName(refusalInWords(error), amounts);
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

/**
 * The same changes over a newer text of the file: the later save wins.
 * @throws CatalogError, EditError when that text is not a good catalog, or a change does not fit it
 */
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
