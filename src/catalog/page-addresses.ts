/** Addresses of the customers' pages, and of the way to the shop. Source: contract 21, 22. */
import type { Catalog } from "./schema.ts";

export const BOOK_PATH = "/book";
export const GLASS_PATH = "/book/glass";
export const MANAGE_PATH = "/book/manage";
export const PRIVACY_PATH = "/book/privacy";
export const TERMS_PATH = "/book/terms";
/** A quote or receipt; its signed link follows. */
export const RECEIPT_PATH = "/book/receipt";

type Site = Pick<Catalog["site"], "url" | "book_url">;

/** Undefined where the shop switched links off. The owner's own address replaces that of the pages where people begin. */
export function pageUrl({ site }: { site: Site }, path: string): string | undefined {
  if (site.book_url === "none") return undefined;
  const own = site.url.replace(/\/$/, "");
  // The server's own page has another one beside it for glass.
  const isOwn = site.book_url?.replace(/\/?([?#].*)?$/, "") === own + BOOK_PATH;
  if (site.book_url !== undefined && (path === BOOK_PATH || (path === GLASS_PATH && !isOwn))) return site.book_url;
  return own + path;
}

/** The pages where people begin, and that of a booking, made with the shop. */
interface Pages {
  book: string | undefined;
  glass: string | undefined;
  /** The page of a booking; its confirmation code follows. */
  manage: string | undefined;
}

export function pagesOf(catalog: { site: Site }): Pages {
  return {
    book: pageUrl(catalog, BOOK_PATH),
    glass: pageUrl(catalog, GLASS_PATH),
    manage: manageUrl("", catalog),
  };
}

/** The page where a customer sees, moves or cancels a booking; the contact is typed there. */
export function manageUrl(code: string, catalog: { site: Site }): string | undefined {
  const page = pageUrl(catalog, MANAGE_PATH);
  return page && `${page}?code=${encodeURIComponent(code)}`;
}

interface Place {
  links?: Record<string, string> | undefined;
  geo: { latitude: number; longitude: number };
  address: { street: string; locality: string; region: string; postal_code: string };
}

/** So that a text with the way to the shop fits into two messages of 153 characters, whatever letters the address is in. */
const LONGEST_ADDRESS = 150;

/** The shop on a map: `business.links.map`, else its position; a new shop that has named neither is found by its address. */
export function directionsUrl({ links, geo: { latitude, longitude }, address }: Place): string {
  const place = latitude === 0 && longitude === 0 ? addressToSearch(address) : `${latitude},${longitude}`;
  return links?.map ?? `https://maps.google.com/?q=${place}`;
}

/** An address in letters beyond ASCII grows up to twelve times as long in a link; the ZIP code finds the place then. */
function addressToSearch({ street, locality, region, postal_code }: Place["address"]): string {
  const area = `${region} ${postal_code}`;
  const whole = inQuery(`${street}, ${locality}, ${area}`);
  return whole.length <= LONGEST_ADDRESS ? whole : inQuery(area);
}

const inQuery = (text: string) => encodeURIComponent(text).replaceAll("%20", "+");

/** The links that messages can name. Where the shop switched links off, they lead to its own website. */
export function messageLinks(code: string, catalog: { site: Site; business: Place & { url: string } }) {
  return {
    manage_url: manageUrl(code, catalog) ?? catalog.business.url,
    ...placeLinks(catalog),
  };
}

/** The links of messages to somebody without a booking. */
export function placeLinks(catalog: { site: Site; business: Place & { url: string } }) {
  return {
    book_url: pageUrl(catalog, BOOK_PATH) ?? catalog.business.url,
    directions_url: directionsUrl(catalog.business),
  };
}
