/**
 * `estimate_id`: the terms of an estimate and what was asked, signed. Nothing about it is stored, and only this shop can
 * have made it. Source: contract 12.
 */
import { z } from "zod";
import type { Cents } from "../../domain/money.ts";
import { DAY_MS } from "../../lib/durations.ts";

export interface LockTerms {
  kind: "automotive" | "flat_glass";
  /** The last day of the shop's calendar on which the price holds. */
  validUntil: string;
  total: Cents;
  /**
   * The amount of each line, in the order of the quote; for flat glass the lowest and the highest total. Empty where
   * they are not known.
   */
  amounts: readonly Cents[];
  /** Length of the work; 0 where that is not known. */
  minutes: number;
}

export type PriceLock = LockTerms &
  (
    | { fields: readonly string[]; digest: null }
    /** The work was too long to be held: a request must name it, and its digest is compared. */
    | { fields: null; digest: string }
  );

export const MAX_TOKEN = 160;
/** 84 bits of HMAC-SHA-256 in base64url (RFC 2104 asks for at least 80). An answer holds an estimate up to six times. */
const MAC_LENGTH = 14;
const PLAIN = /^[A-Za-z0-9_-]*$/;

const KINDS = { automotive: "a", flat_glass: "f" } as const;

export const estimateId = () =>
  z.string().optional().meta({
    description:
      "Send it when you book or ask for a quote: the price holds up to valid_until. Absent on the command line.",
  });

/** @param fields the work, in letters, digits, `_` and `-` as far as possible */
export function toToken(
  { kind, validUntil, total, amounts, minutes }: LockTerms,
  fields: readonly string[],
  secret: string,
): string {
  const numbers = [dayOf(validUntil), total, minutes].map((number) => number.toString(36));
  const lines = withoutLast(kind, amounts)
    .map((amount) => amount.toString(36))
    .join("-");
  const whole = [KINDS[kind], ...numbers, lines, ...fields].join(".");
  const isShort = whole.length + 1 + MAC_LENGTH <= MAX_TOKEN && fields.every((field) => PLAIN.test(field));
  const payload = isShort ? whole : [KINDS[kind].toUpperCase(), ...numbers, digestOf(fields)].join(".");
  return signed(payload, secret);
}

/** Whether a token of `toToken` holds the work itself: its first letter says so. */
export function holdsWork([letter]: string): boolean {
  return letter === KINDS.automotive || letter === KINDS.flat_glass;
}

/** The content of a token, with the signature unchecked; undefined for a text that is no token. */
export function readToken(token: string): PriceLock | undefined {
  const [letter = "", day, total, minutes, ...rest] = token.split(".");
  const kind = letter.toLowerCase() === KINDS.automotive ? "automotive" : "flat_glass";
  const numbers = [day, total, minutes].map(numberOf);
  const [days = Number.NaN, cents = Number.NaN, length = Number.NaN] = numbers;
  const isWhole = holdsWork(token);
  const isToken = /^[af]$/i.test(letter) && token.length <= MAX_TOKEN && rest.length >= (isWhole ? 3 : 2);
  if (!isToken || numbers.some(Number.isNaN) || days > MOST_DAYS) return undefined;
  const terms = { kind, validUntil: dateOf(days), total: cents, minutes: length } as const;
  if (!isWhole) return { ...terms, amounts: [], fields: null, digest: rest.slice(0, -1).join(".") };
  const [lines = "", ...fields] = rest.slice(0, -1);
  const amounts = withLast(kind, lines === "" ? [] : lines.split("-").map(numberOf), cents);
  return amounts.some(Number.isNaN) ? undefined : { ...terms, amounts, fields, digest: null };
}

/** The amounts of a vehicle's lines add up to the total, so a token leaves out the last one. */
function withoutLast(kind: LockTerms["kind"], amounts: readonly Cents[]): readonly Cents[] {
  return kind === "automotive" ? amounts.slice(0, -1) : amounts;
}

function withLast(kind: LockTerms["kind"], amounts: readonly Cents[], total: Cents): readonly Cents[] {
  return kind === "automotive" ? [...amounts, amounts.reduce((rest, amount) => rest - amount, total)] : amounts;
}

/** The payload with its signature, which `isSigned` checks. */
export function signed(payload: string, secret: string): string {
  return `${payload}.${macOf(payload, secret)}`;
}

export function isSigned(token: string, secret: string): boolean {
  const end = token.lastIndexOf(".");
  const given = Buffer.from(token.slice(end + 1));
  const due = Buffer.from(macOf(token.slice(0, end), secret));
  return given.length === due.length && crypto.timingSafeEqual(given, due);
}

function macOf(payload: string, secret: string): string {
  return new Bun.CryptoHasher("sha256", secret).update(payload).digest("base64url").slice(0, MAC_LENGTH);
}

/** Stands for work that is too long for a token. */
export function digestOf(fields: readonly string[]): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(fields)).digest("base64url").slice(0, MAC_LENGTH);
}

const MOST_DAYS = 1_000_000;

function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function numberOf(text = ""): number {
  return /^[0-9a-z]{1,9}$/.test(text) ? Number.parseInt(text, 36) : Number.NaN;
}
