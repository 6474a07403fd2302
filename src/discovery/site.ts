/** Addresses and phrases that several documents share. Every address comes from the catalog's `site`. */
import type { Shop } from "../catalog/shop.ts";

export function summaryOf(catalog: Shop): string {
  const { business } = catalog;
  return `Prices, tint-law checks, open appointment times, quote requests and bookings of ${business.name}, ${business.service_area.label}.`;
}

/** Whether a caller has to register first. */
export function keyRule({ bookings }: Shop): string {
  return bookings.require_api_key ? "Bookings need an API key; nothing else does." : "No key is needed.";
}

/** A path under the base URL. */
export function apiUrl({ site }: Shop, path: string): string {
  return site.base_url + path;
}

/** A path at the root of the site. */
export function siteUrl({ site }: Shop, path: string): string {
  return site.url.replace(/\/$/, "") + path;
}

/** The docs page, or one section of it. */
export function docsUrl(catalog: Shop, section?: string): string {
  return apiUrl(catalog, `/docs${section ? `#${section}` : ""}`);
}
