/** The files of the booking pages. Their addresses change with their content, so browsers keep them for good. */
import { derived } from "../../../catalog/derived.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import icon from "../../docs/html/icon.svg" with { type: "text" };
import { sheet } from "../../style/sheet.ts";
import style from "./book.css" with { type: "text" };
import script from "./book.js" with { type: "text" };
import embed from "./embed.js" with { type: "text" };
import { ASSET_PATHS } from "./paths.ts";

interface Asset {
  path: string;
  contentType: string;
  content: (catalog: Catalog) => string;
}

const STYLE: Asset = {
  path: ASSET_PATHS.style,
  contentType: "text/css; charset=utf-8",
  content: derived((catalog) => sheet(catalog, style)),
};
const SCRIPT: Asset = {
  path: ASSET_PATHS.script,
  contentType: "text/javascript; charset=utf-8",
  content: () => script,
};
const ICON: Asset = { path: ASSET_PATHS.icon, contentType: "image/svg+xml", content: () => icon };
const EMBED: Asset = { path: ASSET_PATHS.embed, contentType: SCRIPT.contentType, content: () => embed };

function versionOf(content: string): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("base64url").slice(0, 10);
}

const FOR_A_YEAR = "public, max-age=31536000, immutable";
const FOR_AN_HOUR = "public, max-age=3600";

const ASSETS = [STYLE, SCRIPT, ICON, EMBED].map((asset) => ({
  ...asset,
  version: derived((catalog) => versionOf(asset.content(catalog))),
}));

/** @throws Error when no file has this path */
export function asset(path: string, { query, ctx: { catalog } }: Visit): PageAnswer {
  const found = ASSETS.find((one) => one.path === path);
  if (!found) throw new Error(`no file has the path ${path}`);
  const { contentType, content, version } = found;
  return {
    status: 200,
    isPublic: true,
    body: content(catalog),
    headers: {
      "Content-Type": contentType,
      "Cross-Origin-Resource-Policy": "cross-origin",
      // An address with another version may be one of an older page.
      "Cache-Control":
        query.get("v") === version(catalog) ? FOR_A_YEAR : path === EMBED.path ? FOR_AN_HOUR : "no-cache",
    },
  };
}

/** The addresses of the style sheet, the script and the icon, with the version of their content. */
export const addresses = derived((catalog) => {
  const address = ({ path, content }: Asset) => `${path}?v=${versionOf(content(catalog))}`;
  return { style: address(STYLE), script: address(SCRIPT), icon: address(ICON) };
});
