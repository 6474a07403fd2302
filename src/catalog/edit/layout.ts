/** Where values, entries and notes stand in a YAML file; splices of it, checked by reading the result; values as YAML text. */
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  parse,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { escaped } from "../../lib/text.ts";
import { type Layout, readLayout } from "../load/values.ts";
import type { Path, ScalarValue } from "../path.ts";
import { EditError } from "../source.ts";

type Collection = YAMLMap | YAMLSeq;

interface Entry {
  start: number;
  end: number;
}

export function nodeAt({ document }: Layout, path: Path): Node | undefined {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  return isNode(node) ? node : undefined;
}

/** The list or group at a path. @throws EditError when there is none */
export function collectionAt(layout: Layout, path: Path): Collection {
  const node = nodeAt(layout, path);
  if (isMap(node) || isSeq(node)) return node;
  throw new EditError(
    `${path.join(".") || "The catalog"} is not a list or group${isAlias(node) ? " here: it repeats another place (*name)" : ""}.`,
  );
}

/** Whether a place is inside `[…]` or `{…}`. */
export function isInFlow(layout: Layout, path: Path): boolean {
  return path.some((_, length) => {
    const around = nodeAt(layout, path.slice(0, length));
    return isCollection(around) && around.flow === true;
  });
}

/** The text of a node from its first to its last character, without the note behind it. */
export function nodeSpan({ text }: Pick<Layout, "text">, node: Node): Entry {
  const [start = 0, end = 0] = node.range ?? [];
  if (isCollection(node) && !node.flow) {
    const last: unknown = node.items.at(-1);
    return { start, end: last === undefined ? end : itemEnd(text, last) };
  }
  return { start, end: isScalar(node) && node.type?.startsWith("BLOCK") ? endOfText(text, end) : end };
}

function itemEnd(text: string, item: unknown): number {
  const node = isPair(item) ? (isNode(item.value) ? item.value : item.key) : item;
  return isNode(node) ? nodeSpan({ text }, node).end : 0;
}

function endOfText(text: string, end: number): number {
  return text.slice(0, end).trimEnd().length;
}

/** The entries of a list or group. An entry begins at its dash if it has one, otherwise at its key or value. */
export function collectionEntries({ text }: Layout, collection: Collection): Entry[] {
  return collection.items.map((item, i) => {
    const node = isPair(item) ? item.key : item;
    const start = dashOf(collection, i) ?? (isNode(node) ? (node.range?.[0] ?? 0) : 0);
    return { start, end: itemEnd(text, item) };
  });
}

/** The offset of the dash in front of an entry; undefined for a list in brackets. */
function dashOf(collection: Collection, index: number): number | undefined {
  const token = collection.srcToken;
  if (token?.type !== "block-seq") return undefined;
  return token.items[index]?.start.find(({ type }) => type === "seq-item-ind")?.offset;
}

/** The offset just behind the colon or dash in front of a place. */
export function introducedAt(layout: Layout, path: Path): number | undefined {
  const around = nodeAt(layout, path.slice(0, -1));
  const last = path.at(-1);
  if (isSeq(around)) {
    const dash = dashOf(around, Number(last));
    return dash === undefined ? undefined : dash + 1;
  }
  if (!isMap(around)) return undefined;
  const pair = around.items.find(({ key }) => isScalar(key) && key.value === String(last));
  const colon = pair?.srcToken?.sep?.find(({ type }) => type === "map-value-ind");
  return colon && colon.offset + 1;
}

/** The lines of the file that hold a place, with the notes on those lines. */
export function linesOf(layout: Layout, path: Path): string {
  const { text } = layout;
  const node = nodeAt(layout, path);
  const from = introducedAt(layout, path) ?? node?.range?.[0];
  if (!node || from === undefined) return "";
  return `${text.slice(lineStart(text, from), lineEnd(text, nodeSpan(layout, node).end))}\n`;
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** The offset of the line break at the end of a line, or of the end of the file. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" && end > offset ? end - 1 : end;
}

export interface Splice {
  from: number;
  to: number;
  insert: string;
}

/** A change of one value, in two forms that must agree. */
export interface TextChange {
  path: Path;
  splices: Splice[];
  /** The value at the path after the change; undefined when the key is gone. */
  update: (old: unknown) => unknown;
}

/** @throws EditError when the new text differs in any other value, or cannot be read */
export function applyChanges({ text, source }: Layout, changes: readonly TextChange[]): string {
  // Applied from the end of the text to its start. Of two insertions at one offset, the later one is applied first, so its
  // text comes second.
  const edited = changes
    .flatMap(({ splices }) => splices)
    .toReversed()
    .toSorted((a, b) => b.from - a.from)
    .reduce((whole, { from, to, insert }) => whole.slice(0, from) + insert + whole.slice(to), text);
  const expected = changes.reduce((value, { path, update }) => updated(value, path, update), source);
  if (!Bun.deepEquals(readBack(edited), expected)) {
    const [first] = changes;
    throw new EditError(`${first?.path.join(".")} cannot be changed without changing other lines: use a text editor.`);
  }
  return edited;
}

function readBack(edited: string): unknown {
  try {
    return readLayout(edited).source;
  } catch {
    return undefined;
  }
}

function updated(value: unknown, [first, ...rest]: Path, update: TextChange["update"]): unknown {
  if (first === undefined) return update(value);
  if (Array.isArray(value)) return value.with(Number(first), updated(value[Number(first)], rest, update));
  const { [first]: old, ...others } = Object(value);
  const now = updated(old, rest, update);
  return now === undefined ? others : { ...others, [first]: now };
}

interface Style {
  /** The quotes of the old value, or of its neighbor in a list. */
  like?: Scalar.Type | null;
  /** Whether it is written inside `[…]` or `{…}`, where commas and brackets end a plain text. */
  inFlow: boolean;
  /** For amounts. "plain" writes cents only when there are any, "cents" writes them always. */
  money?: "plain" | "cents";
}

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u;

export function renderScalar(value: ScalarValue, { like, inFlow, money }: Style): string {
  if (typeof value === "number") return renderNumber(value, money);
  if (typeof value !== "string") return String(value);
  if (like === "QUOTE_SINGLE" && !INVISIBLE.test(value)) return `'${value.replaceAll("'", "''")}'`;
  if (like !== "QUOTE_DOUBLE" && readsBackPlain(value, inFlow)) return value;
  return JSON.stringify(value).replace(new RegExp(INVISIBLE, "gu"), escaped);
}

function renderNumber(value: number, money: Style["money"]): string {
  const hasCents = !Number.isInteger(value) && Math.round(value * 100) / 100 === value;
  return (money && hasCents) || (money === "cents" && Number.isInteger(value)) ? value.toFixed(2) : String(value);
}

/** Writes a list or group in one line; `pad` is the space inside braces: `[{ opens: "09:00", closes: "18:00" }]`. */
export function renderFlow(value: unknown, pad: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => renderFlow(item, pad)).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const pairs = Object.entries(value).filter(([, item]) => item !== undefined);
    return `{${pad}${pairs.map(([key, item]) => `${renderScalar(key, { inFlow: true })}: ${renderFlow(item, pad)}`).join(", ")}${pad}}`;
  }
  return renderScalar(typeof value === "number" || typeof value === "boolean" || value === null ? value : `${value}`, {
    inFlow: true,
  });
}

/** Whether a text needs no quotes in YAML 1.1 or 1.2. Readers of 1.1 take 09:00, 2026-12-24 and yes for other values. */
function readsBackPlain(value: string, inFlow: boolean): boolean {
  if (value === "" || value !== value.trim() || INVISIBLE.test(value)) return false;
  const wrapped = inFlow ? `{ key: ${value} }` : `key: ${value} # note`;
  return (["1.1", "1.2"] as const).every((version) => {
    try {
      return Bun.deepEquals(parse(wrapped, { version, logLevel: "error" }), { key: value });
    } catch {
      return false;
    }
  });
}
