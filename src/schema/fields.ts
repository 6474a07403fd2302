/** The building blocks of request schemas, with their limits. Strings arrive cleaned (see `normalize`). */
import { z } from "zod";
import { domainOf } from "../lib/text.ts";
import { isAscii } from "./contact.ts";

export const LIMITS = {
  body: 64 * 1024,
  name: 100,
  email: 254,
  phone: 40,
  text: 2000,
  address: 300,
  other: 100,
  search: 200,
  bookingRequestId: 255,
  propertyInfo: 4096,
  /** All free texts of one request together, in bytes, because anybody may send requests that are stored. */
  freeTexts: 8 * 1024,
} as const;

/** Control, format, surrogate and line-separator characters: they forge log lines, SMS and terminal output. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const UNSAFE_BUT_NEWLINE = /[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Text of one line: no control, invisible, direction or line-break characters. */
export const isPlainLine = (text: string) => !UNSAFE.test(text);
/** Text of several lines: newlines are allowed, other control and invisible characters are not. */
export const isPlainText = (text: string) => !UNSAFE_BUT_NEWLINE.test(text);

/**
 * Cleans every string in a JSON value, and drops nulls and empty strings, because both mean absent. No text is refused for
 * a character: what would forge log lines, SMS or terminal output is taken out. What is normal already is not copied.
 * Source: contract 1.
 */
export function normalize(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return normalizeText(value);
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  const isList = Array.isArray(value);
  const normal: [string, unknown][] = [];
  let isChanged = false;
  for (const [key, item] of Object.entries(value)) {
    const isPlain = typeof item === "string" ? PLAIN.test(item) : typeof item !== "object";
    const cleaned = isPlain ? item : normalize(item, depth + 1);
    const name = isList || PLAIN.test(key) ? key : nameMeant(key, value);
    if (cleaned !== item || name !== key) isChanged = true;
    if (cleaned === null || cleaned === "") isChanged = true;
    else normal.push([name, cleaned]);
  }
  if (!isChanged) return value;
  // Unlike assignments, this makes a plain key of "__proto__".
  return isList ? normal.map(([, item]) => item) : Object.fromEntries(normal);
}

/** A name as it is meant; as it is where that was sent, too, so that neither value is lost. */
function nameMeant(name: string, beside: object): string {
  const plain = normalizeText(name);
  return Object.hasOwn(beside, plain) ? name : plain;
}

/** Levels of nesting; nothing deeper is stored. */
const MAX_DEPTH = 32;

/** A long run of combining marks takes quadratic time. Real text has at most 30 in a row (UAX #15, section 13). */
const LONG_RUN = /\p{M}{31}/u;

/** Printable ASCII without blanks at the ends, which is normal as it is. Most text is of this kind. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;

/** Letters that show nothing, like the Hangul filler and the Braille blank. A text of them alone is blank. */
const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]*$/v;

/** The joiners of emoji and of words in Persian or Hindi stay where they join something. */
const INVISIBLE_MARK =
  /[[\p{Cf}\p{Cs}]--[\u200c\u200d]]|(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Extended_Pictographic}])/gv;
const LINE_END = /\r\n|[\r\u0085\p{Zl}\p{Zp}]/gu;

function normalizeText(text: string): string {
  if (PLAIN.test(text)) return text;
  const cleaned = text
    .replace(LINE_END, "\n")
    .replace(/[\t\v\f]/g, " ")
    .replace(/[^\P{Cc}\n]/gu, "")
    .replace(INVISIBLE_MARK, "")
    .trim();
  if (INVISIBLE.test(cleaned)) return "";
  return LONG_RUN.test(cleaned) ? cleaned : cleaned.normalize("NFC");
}

/** An optional field. Many clients send null for an empty field, so documents name it; `normalize` drops it. */
export function optional<T extends z.ZodType>(schema: T): z.ZodOptional<T> {
  // Safe, because no null comes as far as this: a field that is left out then costs nothing.
  return schema.nullish() as z.ZodType as z.ZodOptional<T>;
}

export function exampleOf(example: unknown) {
  return example === undefined ? {} : { example };
}

/** Marks a field the manifest lists under `requires.soft`: optional, but an agent should ask for it. */
export const soft = { "x-soft": true } as const;

/** Only where name and words do not say it all, because the list of tools takes room in every conversation. */
export function inTool(words: string) {
  return { "x-tool": words };
}

/** The list of tools leaves this field out. It is taken all the same, and documents describe it. */
export const seldom = { "x-tool": false } as const;

/**
 * Marks of fields that only documents read. `formal`: OpenAPI lists it as required (contract 2) although the server fills it in.
 * `first`: it can be left out, but the answer is worth little without, so lists of what is needed name it first.
 */
export const MARKS = z.registry<{ formal?: boolean; first?: boolean }>();

export function markedFields({ shape }: z.ZodObject, mark: "formal" | "first"): string[] {
  return Object.keys(shape).filter((name) => MARKS.get(shape[name])?.[mark]);
}

/** What each word of a field means, for the documents. */
export function linesFor<Word extends string>(lines: Readonly<Record<Word, string>>) {
  return { "x-values": lines };
}

export function line(max: number = LIMITS.other) {
  return z.string().overwrite(withoutNewlines).max(max);
}

function withoutNewlines(text: string): string {
  return text.includes("\n") ? text.replaceAll("\n", " ") : text;
}

export function paragraph() {
  return z.string().max(LIMITS.text);
}

export const personName = () => line(LIMITS.name).min(1);
/** The pattern of the HTML standard, but the domain must have a dot, and no two dots may be side by side. */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([A-Za-z0-9]+(-+[A-Za-z0-9]+)*\.)+(?=[A-Za-z0-9-]{2})(?=[0-9-]*[A-Za-z])[A-Za-z0-9]+(-+[A-Za-z0-9]+)*$/;
export const email = () =>
  z
    .email({
      pattern: EMAIL,
      error: ({ input }) => (hasForeignName(input) ? "must have only the letters a to z before the @" : undefined),
    })
    .max(LIMITS.email);

/** Whether the part before the @ has letters that few mail servers take. */
function hasForeignName(email: unknown): boolean {
  return typeof email === "string" && email.includes("@") && !isAscii(email.slice(0, -domainOf(email).length));
}

/** A phone number in any usual notation, also with an extension, with spaces and dashes of any kind. Whether it can be dialled depends on the country (see `phone.ts`). */
export const phone = () =>
  z
    .string()
    .overwrite((text) => text.replace(/\s/g, " ").replace(/\p{Pd}/gu, "-"))
    .max(LIMITS.phone)
    .regex(
      /^\+?[0-9 ().\-/]{7,24}([ ,;(]{0,3}[,;#xXeE][a-zA-Z.:=# ]{0,11}[0-9]{1,9}\)?)?$/,
      "must be a phone number with area code, like +1-404-555-0142",
    );

export const date = () =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, "must be a date written YYYY-MM-DD")
    .refine(isCalendarDate, "is not a date of the calendar")
    .meta({ format: "date" });

export const time = () =>
  z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day written HH:MM, like 09:00");

function isCalendarDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text, { overflow: "reject" }) !== undefined;
  } catch {
    return false;
  }
}

/** One of a list of words. Where the list is empty, no word is accepted. */
export function wordField(list: readonly string[]): z.ZodType<string, string> {
  return list.length > 0 ? z.enum([...list]) : z.string().refine(() => false, "is not offered by this shop");
}
/** A model year, for display only. */
export const vehicleYear = () => z.int().min(1900).max(2100);
export const count = () => z.int().min(0).max(10_000);
export const MOST_SQFT = 1_000_000;
/** Glass area in square feet. */
export const sqft = () => z.number().min(0.01).max(MOST_SQFT);

/** Free-form notes about the building: text, or an object, of at most 4 KiB. */
export const propertyInfo = () =>
  z
    .union([z.string().max(LIMITS.propertyInfo), z.record(z.string(), z.unknown())], {
      error: "must be text or an object",
    })
    .refine(
      isModest,
      `must be at most ${LIMITS.propertyInfo} bytes (an object as JSON, nested at most ${MAX_DEPTH} deep)`,
    );

function isModest(value: unknown): boolean {
  return isFlat(value, MAX_DEPTH) && Buffer.byteLength(asText(value)) <= LIMITS.propertyInfo;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** @param levels how deep the value may be nested: SQLite refuses JSON of 1,000 levels, and to write more takes seconds */
function isFlat(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isFlat(item, levels - 1));
}

export const consent = () =>
  z.object(
    {
      confirmed_by_user: z
        .literal(true, { error: "must be true: ask the end user and send the request only when they agree" })
        .meta({ description: "The end user agreed to this request." }),
      sms: optional(z.boolean()).meta({
        description:
          "true only when the end user, asked for it by itself, agreed to text messages; without it they get e-mail.",
        ...inTool("true only if, asked for it, they agreed to texts."),
      }),
      statement: optional(paragraph()).meta({ description: "The agreement of the end user, in words.", ...seldom }),
      captured_at: optional(
        z.iso.datetime({ offset: true, error: "must be an RFC 3339 time, like 2026-11-21T09:00:00-05:00" }),
      ).meta({ description: "When they agreed.", ...seldom }),
      agent_name: optional(line()).meta({ description: "The agent that asked them.", ...seldom }),
    },
    { error: 'must be an object, like {"confirmed_by_user": true, "statement": "…"}: ask the end user first' },
  );

/** A group that has each of the given keys and no other. */
export function every<K extends string, V extends z.ZodType>(keys: readonly K[], value: V) {
  return z.strictObject(Object.fromEntries(keys.map((key) => [key, value])) as Record<K, V>);
}
