import { deepFreeze } from "../lib/fields.ts";
import { perCatalog } from "./per-catalog.ts";
import type { Catalog } from "./schema.ts";

/**
 * Puts another origin into every address of `site`, and into the shop's other pages on the same site; the path of each
 * stays. Made once per catalog.
 * @param origin like `http://localhost:3000`; null leaves the catalog as it is
 */
export function atSite(origin: string | null): (catalog: Catalog) => Catalog {
  if (origin === null) return (catalog) => catalog;
  const moved = (address: string) => origin + new URL(address).pathname.replace(/\/$/, "");
  return perCatalog(({ site, business, ...catalog }) => {
    const own = new URL(site.url).origin;
    const page = (address: string) => (new URL(address).origin === own ? moved(address) : address);
    return deepFreeze({
      ...catalog,
      business: {
        ...business,
        url: page(business.url),
        links: Object.fromEntries(Object.entries(business.links).map(([name, address]) => [name, page(address)])),
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
  });
}
