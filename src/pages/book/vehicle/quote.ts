/** The promised price. What is signed is what is priced: shade, state and the car's name change no price. */
import { taxed } from "../../../capabilities/core/price-shapes.ts";
import { BOOK_PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import type { Visit } from "../../../http/pages.ts";
import { type Quote, quoteOf } from "../../../job/price.ts";
import { type Html, html } from "../../../lib/html.ts";
import { toUnits } from "../../../lib/money.ts";
import { hidden } from "../shell/forms.ts";
import { QUOTE } from "../shell/texts.ts";
import { amount, dayIn } from "../shell/wording.ts";
import { type Choices, chosenJob, type Estimate, workQuery } from "./choices.ts";

/** The estimate with the price that was promised, the address that keeps it, and what is to be said of it. */
export async function promised(choices: Choices, today: Estimate, { ctx }: Visit) {
  const { catalog } = ctx;
  const { estimate_id: token } = choices;
  const quote = token === undefined ? undefined : await quoteOf(token, chosenJob(choices, catalog), ctx);
  const estimate = quote?.is === "held" ? atQuote(today, quote, catalog) : today;
  // A better price of other work is kept until the visitor comes back to that work.
  const isBetter = quote?.is === "of other work" && quote.isLess;
  const kept = (isBetter && token) || estimate.estimate_id;
  return { estimate, kept, line: lineOn(quote, choices, today, catalog) };
}

function atQuote(today: Estimate, { terms, estimate_id }: Quote & { is: "held" }, catalog: Shop): Estimate {
  const price = taxed(terms.total, catalog);
  // The promise protects the customer alone: a list that is lower by now wins.
  if (price.total > today.total) return today;
  // A page reads the day alone.
  const valid_until = `${terms.validUntil}T00:00`;
  if (price.total === today.total) return { ...today, estimate_id, valid_until };
  const { line_items: lines, options, film_type: film } = today;
  const isAlike = terms.amounts.length === lines.length;
  return {
    ...today,
    ...price,
    estimate_id,
    valid_until,
    line_items: isAlike
      ? lines.map((line, i) => ({ ...line, amount: toUnits(terms.amounts[i] ?? 0) }))
      : lines.slice(0, 1),
    options: options.map((one) => (one.film_type === film ? { ...one, total: price.total } : one)),
  };
}

/** Why a promise is not kept; the page's own estimate is replaced without a word where nothing is lost. */
function lineOn(quote: Quote | undefined, choices: Choices, { total }: Estimate, catalog: Shop): Html | undefined {
  if (!quote || quote.is === "held") return undefined;
  const now = amount(total, catalog);
  if (quote.is === "not ours") return quoteNote(QUOTE.unknown(now));
  const before = amount(toUnits(quote.terms.total), catalog);
  const day = dayIn("dayOfMonth", quote.terms.validUntil, catalog);
  if (quote.is === "over") return quote.isLess ? quoteNote(QUOTE.over(before, day, now)) : undefined;
  return choices.own && !quote.isLess ? undefined : quoteNote(QUOTE.other(before, now));
}

export function quoteNote(text: string): Html {
  return html`<p class="quote notice" role="status">${text}</p>`;
}

export function keptFields(kept: string | undefined): Html | undefined {
  return kept === undefined ? undefined : html`${hidden("estimate_id", kept)}${hidden("own", "1")}`;
}

/** A link with the price in it, which the script gives to the device's share sheet, or copies. */
export function sendLink(address: string): Html {
  return html`<p class="send"><a class="button quiet" href="${address}" data-share="${QUOTE.copied}">${QUOTE.send}</a></p>`;
}

export function quotedAddress(choices: Choices, { estimate_id }: Estimate): string {
  return `${BOOK_PATH}?${workQuery({ ...choices, estimate_id })}`;
}
