/** The ballpark that was promised for windows: the estimate in the page's address, and what is said where it counts no more. */
import type { Shop } from "../../../catalog/shop.ts";
import { shopDate } from "../../../domain/schedule.ts";
import type { Visit } from "../../../http/pages.ts";
import { isSigned, type LockTerms, readToken } from "../../../job/forms.ts";
import { toUnits } from "../../../lib/money.ts";
import type { Html } from "../../markup/html.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";
import { amounts, dayIn } from "../shell/wording.ts";
import { quoteNote } from "../vehicle/quote.ts";

const { quote: said } = PAGE_TEXTS;

interface Promised {
  /** The estimate that goes with the request, and into the next address. */
  kept: string;
  line?: Html | undefined;
}

/** @param token in the address @param today the estimate of the same page @param isOwn the page put the token there itself */
export async function promisedGlass(
  token: string | undefined,
  today: string,
  isOwn: boolean,
  { ctx }: Visit,
): Promise<Promised> {
  const { catalog, signing, now } = ctx;
  const [lock, fresh] = [readToken(token ?? ""), readToken(today)];
  const secret = await signing?.recent();
  if (token === undefined || secret === undefined || fresh?.kind !== "flat_glass" || lock?.kind === "digest")
    return { kept: today };
  const isNow = spanOf(fresh, catalog);
  if (lock?.kind !== "flat_glass" || !isSigned(token, secret))
    return { kept: today, line: quoteNote(said.unknown(isNow)) };
  const was = spanOf(lock, catalog);
  if (!Bun.deepEquals(lock.glass, fresh.glass))
    return { kept: today, ...(!isOwn && { line: quoteNote(said.other(was, isNow)) }) };
  // The promise protects the customer alone: a list that is lower by now wins.
  if (lock.total >= fresh.total) return { kept: today };
  const day = dayIn("dayOfMonth", lock.validUntil, catalog);
  if (lock.validUntil < shopDate(catalog, now)) return { kept: today, line: quoteNote(said.over(was, day, isNow)) };
  return { kept: token, line: quoteNote(said.holds(was, day)) };
}

/** From the cheapest option to the dearest. */
function spanOf({ total, amounts: [least = total, most = total] }: LockTerms, catalog: Shop): string {
  return amounts(toUnits(least), toUnits(most), catalog);
}
