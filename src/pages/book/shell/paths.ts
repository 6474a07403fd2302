/** The addresses of the pages for customers. */
export const BOOK_PATH = "/book";
export const GLASS_PATH = "/book/glass";
export const MANAGE_PATH = "/book/manage";
/** Followed by the confirmation code. */
export const BOOKED_PATH = "/book/booked";

interface Booked {
  /** Null in a dry run, which no page makes. */
  confirmation_code: string | null;
  estimate: { locked: boolean } | null;
  estimate_id: string | null;
}

/** The page of a booking. It knows nothing but the code, so the signed estimate tells it the work and the price. */
export function bookedAddress({ confirmation_code: code, estimate, estimate_id: token }: Booked): string {
  return `${BOOKED_PATH}/${code}${estimate?.locked && token ? `?estimate=${encodeURIComponent(token)}` : ""}`;
}

export const ASSET_PATHS = {
  style: "/book/style.css",
  script: "/book/book.js",
  icon: "/book/icon.svg",
  /** Shops write this address into their own pages, so it cannot change. */
  embed: "/book/embed.js",
};
