/**
 * A pass opens one booking for half an hour, for whoever proved its contact. It stands in the address of the page, so that
 * the page can be reloaded and its forms need no contact; it holds nothing about the person. The shop's secret signs it,
 * like an estimate, whose tokens begin with another letter.
 */
import type { Context } from "../../../capabilities/core/capability.ts";
import { isSigned, payloadOf, signed } from "../../../job/forms.ts";

const MINUTES = 30;

type Needs = Pick<Context, "signing" | "now" | "store">;

export async function passFor(code: string, { signing, now }: Pick<Needs, "signing" | "now">): Promise<string> {
  const until = now.add({ minutes: MINUTES }).epochMilliseconds.toString(36);
  return signed(`m.${code}.${until}`, (await signing?.current()) ?? "");
}

/** The code in a pass, which is not checked. */
export function codeIn(pass: string): string | undefined {
  return /^m\.([0-9A-Z]{8})\./.exec(payloadOf(pass))?.[1];
}

/** Code and phone of the booking that a pass opens; undefined for one that ran out, was cut off or made up. */
export async function proofBy(pass: string, { signing, now, store }: Needs) {
  const [, code = "", until = ""] = /^m\.([0-9A-Z]{8})\.([0-9a-z]{1,9})$/.exec(payloadOf(pass)) ?? [];
  const secret = await signing?.current();
  if (secret === undefined || !isSigned(pass, secret) || Number.parseInt(until, 36) < now.epochMilliseconds)
    return undefined;
  const contact = await store.contactOf(code);
  return contact ? { confirmation_code: code, phone: contact.phone } : undefined;
}
