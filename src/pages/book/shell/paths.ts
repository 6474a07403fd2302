/** The addresses of the pages for customers. */
export const BOOK_PATH = "/book";
export const GLASS_PATH = "/book/glass";
export const MANAGE_PATH = "/book/manage";
/** Followed by the confirmation code. */
export const BOOKED_PATH = "/book/booked";

export const ASSET_PATHS = {
  style: "/book/style.css",
  script: "/book/book.js",
  icon: "/book/icon.svg",
  /** Shops write this address into their own pages, so it cannot change. */
  embed: "/book/embed.js",
};
