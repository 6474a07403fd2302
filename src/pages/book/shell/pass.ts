/**
 * A pass opens one booking for half an hour, or for as long as it is held, for whoever proved its contact. It stands in
 * the address of the page, so that the page can be reloaded and its forms need no contact; it holds nothing about the person. The
 * shop's secret signs it, like an estimate, whose tokens begin with another letter.
 */
import type { Context } from "../../../capabilities/core/capability.ts";
import { MANAGE_PATH } from "../../../catalog/page-addresses.ts";
import type { Visit } from "../../../http/pages.ts";
import { signed } from "../../../job/forms.ts";
import { seeOther } from "./layout.ts";

/** The page of the booking as it is now. @param code null in a dry run, which no page makes @param more of its address */
export async function opened(ctx: Visit["ctx"], code: string | null, more: Record<string, string> = {}, heldUntil = 0) {
  const pass = await passFor(code ?? "", ctx, heldUntil);
  return seeOther(`${MANAGE_PATH}?${new URLSearchParams({ pass, ...more })}`);
}

const MINUTES = 30;

/** @param heldUntil when the hold of the booking ends */
export async function passFor(
  code: string,
  { signing, now }: Pick<Context, "signing" | "now">,
  heldUntil = 0,
): Promise<string> {
  const until = Math.max(heldUntil, now.add({ minutes: MINUTES }).epochMilliseconds).toString(36);
  return signed(`m.${code}.${until}`, (await signing?.current()) ?? "");
}
