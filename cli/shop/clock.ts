/** The shop's clock, for commands that work with a faulty catalog too. */
import { CatalogError, NoCatalog, readDocument, readText } from "../../src/catalog/load/document.ts";
import { lastGoodOf, loadAndKeep, loadCatalog } from "../../src/catalog/load/load.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import type { CatalogSource } from "../../src/catalog/source.ts";
import { type ShopClock, shopDate } from "../../src/domain/schedule.ts";
import { contactInWords, type Phone } from "../../src/lib/phone.ts";
import { clean } from "../terminal/output.ts";
import { catalogSource } from "./catalog.ts";

/** The part of the catalog that texts for people need. A faulty catalog has the time zone only. */
export interface ShopLocale extends ShopClock {
  currency?: string;
  tax?: Shop["tax"];
  automotive?: Pick<Shop["automotive"], "coverages" | "defaults">;
  business: ShopClock["business"] & { address?: { country: string } };
  services?: readonly Pick<Shop["services"][number], "key" | "place" | "estimate">[];
  tint_law?: { jurisdictions: Readonly<Record<string, { name: string }>> };
}

/** The catalog. One with a mistake is noted on standard error, and the last good one takes its place; null without any. */
export function catalogIfGood(option: string | undefined): Shop | null {
  try {
    return goodCatalog(() => loadCatalog(catalogSource({ catalog: option })), catalogSource({ catalog: option }));
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const why =
      error instanceof NoCatalog
        ? "does not exist, so times are those of this computer; tint init makes one"
        : "cannot be used; tint catalog check says why";
    process.stderr.write(`Note: ${clean(error.file)} ${why}.\n`);
    return null;
  }
}

/** The catalog of a command that books, kept for the time when its file has a mistake. @throws CatalogError without a good one */
export function catalogForBooking(locations: Parameters<typeof catalogSource>[0]): Shop {
  const source = catalogSource(locations);
  return goodCatalog(() => loadAndKeep(source), source);
}

/** With a note on standard error the last good catalog, while the file has a mistake. @throws CatalogError without any */
function goodCatalog(load: () => { catalog: Shop }, source: CatalogSource): Shop {
  try {
    return load().catalog;
  } catch (error) {
    const lastGood = error instanceof CatalogError && !(error instanceof NoCatalog) ? lastGoodOf(source) : null;
    if (!lastGood || !(error instanceof CatalogError)) throw error;
    process.stderr.write(
      `Note: ${clean(error.file)} has a mistake; the last good catalog is used. tint catalog check names the mistake.\n`,
    );
    return lastGood.catalog;
  }
}

/** The country that a phone number without a country code belongs to. A number typed to a faulty catalog is taken for one of the US. */
export function countryOf(catalog: ShopLocale | null): string {
  return catalog?.business.address?.country ?? "US";
}

/** A customer's number and extension as people write them at the shop. Not cleaned. */
export function shopPhone(customer: Phone, shop: ShopLocale): string {
  return contactInWords(customer, countryOf(shop));
}

/** A number of a spreadsheet, where one that begins with + would be a formula: `(404) 555-0142`, `(+44) 20 7946 0958`. */
export function phoneInCell({ phone }: Pick<Phone, "phone">, shop: ShopLocale): string {
  return shopPhone({ phone, extension: "" }, shop).replace(/^\+\d+/, "($&)");
}

/** The catalog, as `catalogIfGood` gives it, and the clock that goes on without it. */
export function shopOf(option: string | undefined): { catalog: Shop | null; clock: ShopLocale } {
  const catalog = catalogIfGood(option);
  return { catalog, clock: catalog ?? clockOfBroken(catalogSource({ catalog: option })) };
}

export function shopClock(option: string | undefined): ShopLocale {
  return shopOf(option).clock;
}

export function shopToday(option: string | undefined): string {
  return shopDate(shopClock(option), Temporal.Now.instant());
}

/** The time zone of a faulty catalog if it can be read, else this computer's. */
export function clockOfBroken(source: CatalogSource): ShopLocale {
  return { business: { timezone: zoneIn(source) ?? Temporal.Now.timeZoneId() } };
}

function zoneIn(source: CatalogSource): string | undefined {
  try {
    const zone: unknown = readDocument(readText(source)).document.getIn(["business", "timezone"]);
    return typeof zone === "string" ? Temporal.Now.zonedDateTimeISO(zone).timeZoneId : undefined;
  } catch {
    return undefined;
  }
}
