/**
 * A pass opens one booking for half an hour, or for as long as it is held, for whoever proved its contact. It stands in
 * the address of the page, so that the page can be reloaded and its forms need no contact; it holds nothing about the person. The
 * shop's secret signs it, like an estimate, whose tokens begin with another letter.
 */
import type { Context } from "../../../capabilities/core/capability.ts";
import { MANAGE_PATH } from "../../../catalog/page-addresses.ts";
import type { Visit } from "../../../http/pages.ts";
import { isSigned, payloadOf, signed } from "../../../job/forms.ts";
import { seeOther } from "./layout.ts";

/** The page of the booking as it is now. @param code null in a dry run, which no page makes @param more of its address */
export async function opened(ctx: Visit["ctx"], code: string | null, more: Record<string, string> = {}, heldUntil = 0) {
  const pass = await passFor(code ?? "", ctx, heldUntil);
  return seeOther(`${MANAGE_PATH}?${new URLSearchParams({ pass, ...more })}`);
}

const MINUTES = 30;

type Needs = Pick<Context, "signing" | "now" | "store">;

/** @param heldUntil when the hold of the booking ends */
export async function passFor(code: string, { signing, now }: Omit<Needs, "store">, heldUntil = 0): Promise<string> {
  const until = Math.max(heldUntil, now.add({ minutes: MINUTES }).epochMilliseconds).toString(36);
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
