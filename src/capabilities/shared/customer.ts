/** A customer's phone, consent and own data, checked against the catalog and the samples. */
import type { Shop } from "../../catalog/shop.ts";
import { toE164 } from "../../lib/phone.ts";
import { LIMITS } from "../../schema/fields.ts";
import type { FieldIssue } from "../core/capability.ts";
import { SAMPLE_PERSON } from "../core/sample-person.ts";

type Body = Readonly<Record<string, unknown>>;

export function phoneIssue(text: string | undefined, { business }: Shop): FieldIssue | undefined {
  return text !== undefined && toE164(text, business.address.country) === undefined
    ? { message: "must be a phone number that can be dialled, with area code" }
    : undefined;
}

/** The number in E.164. @throws Error for a number in which `phoneIssue` finds an issue */
export function phoneOf(text: string, { business }: Shop): string {
  const number = toE164(text, business.address.country);
  if (!number) throw new Error("the phone number was not checked");
  return number;
}

/** A dry run stores nothing, so it needs no consent. */
export function consentIssue(consent: object | undefined, { bookings }: Shop, body?: Body): FieldIssue | undefined {
  return bookings.require_consent && consent === undefined && body?.dry_run !== true
    ? { missing: "consent.confirmed_by_user", message: "is missing" }
    : undefined;
}

/**
 * Checks that nothing is stored for the person of the samples.
 * @param emailField the field that tells whether the request is about that person
 */
export function ownData(emailField: string) {
  /** @param sample the values of the samples in this field */
  return (value: unknown, body: Body | undefined, ...sample: string[]): FieldIssue | undefined => {
    if (body === undefined || body.dry_run === true || plain(body[emailField]) !== SAMPLE_EMAIL) return undefined;
    const given = plain(value);
    return sample.some((one) => plain(one) === given)
      ? { message: "is the sample's; put in the customer's own" }
      : undefined;
  };
}

/** Without letter case and punctuation, in which phone numbers differ; undefined for what is no text. */
function plain(value: unknown): string | undefined {
  return typeof value === "string" ? value.toLowerCase().replace(/[\s().+/-]/g, "") : undefined;
}
const SAMPLE_EMAIL = plain(SAMPLE_PERSON.email);

/** Whoever sends a request fills the shop's disk, so its texts are bounded together too, as JSON without the windows. */
export function freeTextIssue(value: unknown, body: Body | undefined): FieldIssue | undefined {
  if (value === undefined || !body) return undefined;
  const { estimate_id: _, windows: __, ...texts } = body;
  return Buffer.byteLength(JSON.stringify(texts)) > LIMITS.freeTexts
    ? { message: `is too long: all texts of a request together are at most ${LIMITS.freeTexts} bytes; shorten one` }
    : undefined;
}
