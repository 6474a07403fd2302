/** Puts the shop's web address into the catalog, where every program and every machine of the shop reads it. */
import { atSite, isExample } from "../../src/catalog/at-site.ts";
import { scalarSet } from "../../src/catalog/edit/changes.ts";
import { applyChanges, readLayout } from "../../src/catalog/edit/layout.ts";
import { editCatalog } from "../../src/catalog/edit/save.ts";
import { CatalogError } from "../../src/catalog/load/document.ts";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import type { Path } from "../../src/catalog/path.ts";
import { type CatalogSource, EditError } from "../../src/catalog/source.ts";
import { valueAt } from "../../src/lib/fields.ts";
import { isThisMachine } from "../../src/lib/network.ts";
import { clean } from "../terminal/output.ts";

/** Addresses of the server. */
const OF_SERVER = ["url", "base_url", "agent_proxy_url", "mcp_url"].map((key) => ["site", key]);
/** Addresses that may lead to a website of the shop elsewhere. */
const OF_SHOP = [["business", "url"], ...["book_url", "logo", "icon", "share_picture"].map((key) => ["site", key])];

/**
 * Saves an address in the catalog: in place of examples, and of the address that the server had. One of this machine is for
 * a trial, and is left to `.env`.
 */
export async function nameSite(source: CatalogSource, address: string): Promise<void> {
  const { origin } = new URL(address);
  if (isThisMachine(new URL(origin))) return;
  let changed: Path[] = [];
  const change = (text: string) => {
    const layout = readLayout(text);
    const before = parseCatalog(Buffer.from(text), source.name);
    const after = atSite(origin)(before);
    const was = (path: Path) => String(valueAt(before, path) ?? "");
    const ofServer = new URL(before.site.url).origin;
    const stands = (path: Path) => URL.canParse(was(path)) && new URL(was(path)).origin === ofServer;
    const isOpen = (path: Path) => URL.canParse(was(path)) && isExample(was(path));
    changed = [
      ...OF_SERVER.filter((path) => isOpen(path) || stands(path)),
      ...OF_SHOP.filter((path) => isOpen(path) && stands(path)),
    ].filter((path) => was(path) !== valueAt(after, path));
    return applyChanges(
      layout,
      changed.map((path) => scalarSet(layout, path, String(valueAt(after, path)))),
    );
  };
  try {
    await editCatalog(source, change, { note: "tint setup" });
  } catch (error) {
    if (!(error instanceof CatalogError || error instanceof EditError)) throw error;
    process.stderr.write(
      `Note: the address is in .env, and not in ${clean(source.name)}, which cannot be saved: tint catalog check says why.\n`,
    );
    return;
  }
  if (changed.length > 0)
    process.stderr.write(
      `${clean(source.name)} is saved: ${changed.map((path) => path.join(".")).join(", ")} lead to ${origin}.\n`,
    );
}
