/**
 * What the tests share: an app with a fixed clock, a real SQLite store, and the catalog of the example shop, which can
 * be edited.
 */
import { testApp } from "./app.ts";
import { stockShop } from "./test-catalog.ts";

export * from "./app.ts";
export * from "./fixed-day.ts";
export * from "./test-catalog.ts";

/** The example shop, from which `tint init` makes new ones. Commands and screens have a smaller one, `small-shop.ts`. */
export const { text: CATALOG_TEXT, textWith: catalogText, shopWith: catalogWith } = stockShop();
export const CATALOG = catalogWith();
/** An app of the example shop with these edits. */
export const appWith = (edits: Record<string, unknown>) => testApp({ catalog: catalogWith(edits) });
/** The words of the stock catalog. */
export const WORDS = CATALOG.terms;

/**
 * The jobs that the steps of `follow_up` make of a booking: those to a customer go to who asked for a quote, and a reminder is
 * told to the shop, too.
 */
export const BOOKING_JOBS = CATALOG.follow_up.flatMap(({ do: step }) => {
  if (/_customer$/.test(step)) return [];
  return step === "remind_owner" ? [step, "remind_owner_notice"] : [step];
});
