/** Opens the versions of the catalog in a database. */
import type { CatalogStore } from "../catalog-store.ts";
import type { UrlPlace } from "./place.ts";

/** @throws StoreTooNew, or the error of a database that cannot be used */
export async function openCatalogStore({ url }: UrlPlace): Promise<CatalogStore> {
  const { openPostgresCatalogs } = await import("../postgres/catalogs.ts");
  return openPostgresCatalogs(url);
}
