/** Kinds of values that several sections of the catalog share, and the words of messages. */
import { z } from "zod";
import { isSecureAddress } from "../../lib/network.ts";
import { isPlainLine, isPlainText } from "../../schema/fields.ts";
import { templateIssue } from "./template.ts";

/** In the file dollars with at most 2 decimals, in the program integer cents. */
export const money = z
  .number()
  .min(0)
  .max(1_000_000)
  .refine((amount) => /^-?\d+(\.\d{1,2})?$/.test(String(amount)), "must have at most 2 decimals, like 289 or 289.50")
  .transform((amount) => Math.round(amount * 100));

/** One line. Customers, assistants and the owner's terminal show it, so control, invisible and direction characters are refused. */
export const lineOfText = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine(isPlainLine, "must be one line, without control or invisible characters");
export const longText = z
  .string()
  .trim()
  .min(1)
  .max(2000)
  .refine(isPlainText, "must not contain control or invisible characters (newlines are fine)");
export const minutes = z
  .int()
  .min(0)
  .max(24 * 60);
/** A word of the shop's own: the key of a film, a vehicle type, an add-on and so on. Callers send it as it is. */
export const word = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z0-9_]*$/, "must have small letters, digits and underscores only, and begin with a letter");
/** The largest number of something that is allowed. */
export const limit = z.int().min(1).max(100_000);
export const country = z.string().regex(/^[A-Z]{2}$/, "must be a two-letter country code, like US");
export const url = z.url({ protocol: /^https?$/, error: "must be a web address beginning with https://" });

/** A group whose keys are words of the shop's own. */
export function byWord<V extends z.ZodType>(value: V) {
  return z.record(word, value);
}

export const template = (most: number, fields: readonly string[]) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((text) => templateIssue(text, fields) === undefined, {
      error: ({ input }) => templateIssue(String(input), fields),
    })
    .meta({ fields });

/** Somebody whom the shop's news reach. */
export const contact = z
  .string()
  .refine(
    (to) => /^\+[1-9]\d{6,14}$/.test(to) || z.email().safeParse(to).success || (isSecureAddress(to) && isPlain(to)),
    "must be a mobile like +14045550142, an e-mail address, or an address that begins with https://",
  );

/** Requests to an address with a user name or password in front of the host are refused. */
function isPlain(address: string): boolean {
  const { username, password } = new URL(address);
  return username === "" && password === "";
}
