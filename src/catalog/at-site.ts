/** The one place where a shop's addresses are put in: every program that loads a catalog gets them (contract 10). */
import { deepFreeze } from "../lib/fields.ts";
import { ownOrigin } from "../lib/network.ts";
import { BOOK_PATH } from "./page-addresses.ts";
import type { Catalog } from "./schema.ts";
import { derive, type Shop } from "./shop.ts";

/** Where a shop is reached, by the settings of the machine. */
export interface ShopAddress {
  /** The origin that replaces the catalog's; null without TINT_SITE_URL. */
  siteUrl: string | null;
  /** Where the server listens. Port 0 is any free one, which is known once the server listens. */
  host: string;
  port: number;
  hasMail?: boolean;
  hasPayments?: boolean;
}

/** The shop at TINT_SITE_URL; else at its own addresses; and under `.example`, where nothing can exist, at the server's. */
export function atAddress(written: Catalog, address: ShopAddress | null): Shop {
  const catalog = address ? withDeposit(withMail(written, address), address) : written;
  const { siteUrl = null, host, port } = address ?? {};
  const own = siteUrl === null && host !== undefined && isMadeUp(catalog.site.url) ? ownOrigin(host, port ?? 0) : null;
  if (own !== null) return derive(moveToOrigin(catalog, own, true));
  return atSite(siteUrl)(catalog);
}

/** A confirmation that is on by itself goes out where it can: `auto` means true or false. */
function withMail(catalog: Catalog, { hasMail = false }: ShopAddress): Catalog {
  const { messages } = catalog;
  const { confirmation_email: mail } = messages;
  if (mail?.enabled !== "auto") return catalog;
  return deepFreeze({ ...catalog, messages: { ...messages, confirmation_email: { ...mail, enabled: hasMail } } });
}

/** Where nothing can be paid, no service asks for a deposit. */
function withDeposit(catalog: Catalog, { hasPayments = false }: ShopAddress): Catalog {
  const { deposit } = catalog;
  return hasPayments || !deposit ? catalog : deepFreeze({ ...catalog, deposit: { ...deposit, services: [] } });
}

/** Puts another origin into every address of `site`. @param origin null leaves the catalog as it is */
export function atSite(origin: string | null): (catalog: Catalog) => Shop {
  return (catalog) => derive(origin === null ? catalog : moveToOrigin(catalog, origin, false));
}

/** Whether nothing can exist under an address (RFC 2606). */
function isMadeUp(address: string): boolean {
  return /(^|\.)example$/.test(new URL(address).hostname);
}

/** Whether an address is nobody's own: also one of the domains that exist for examples. */
export function isExample(address: string): boolean {
  return isMadeUp(address) || /(^|\.)example\.(com|net|org)$/.test(new URL(address).hostname);
}

/** The path of each address stays. `onlyMadeUp` leaves addresses that can exist, and leaves out links that this server does not have. */
function moveToOrigin({ site, business, ...catalog }: Catalog, origin: string, onlyMadeUp: boolean): Catalog {
  const own = new URL(site.url).origin;
  const moved = (address: string) =>
    onlyMadeUp && !isMadeUp(address) ? address : origin + new URL(address).pathname.replace(/\/$/, "");
  const isPage = (address: string) => new URL(address).origin === own;
  const page = (address: string) => (isPage(address) ? moved(address) : address);
  const links = Object.entries(business.links).filter(
    ([, address]) => !onlyMadeUp || !isPage(address) || new URL(address).pathname.startsWith(BOOK_PATH),
  );
  return deepFreeze({
    ...catalog,
    business: {
      ...business,
      url: page(business.url),
      links: Object.fromEntries(links.map(([name, address]) => [name, page(address)])),
    },
    site: {
      ...site,
      url: moved(site.url),
      base_url: moved(site.base_url),
      agent_proxy_url: moved(site.agent_proxy_url),
      mcp_url: moved(site.mcp_url),
      ...(site.logo !== undefined && { logo: page(site.logo) }),
      ...(site.icon !== undefined && { icon: page(site.icon) }),
      ...(site.share_picture !== undefined && { share_picture: page(site.share_picture) }),
      ...(site.book_url !== undefined && site.book_url !== "none" && { book_url: page(site.book_url) }),
    },
  });
}
