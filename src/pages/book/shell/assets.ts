/** The files of the booking pages. Their addresses change with their content, so browsers keep them for good. */
import { readFileSync } from "node:fs";
import { perCatalog } from "../../../catalog/per-catalog.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import icon from "../../markup/icon.svg" with { type: "text" };
import { sheet, smaller } from "../../markup/page.ts";
import style from "./book.css" with { type: "text" };
import script from "./book.js" with { type: "text" };
import embed from "./embed.js" with { type: "text" };
import othersStyle from "./others.css" with { type: "text" };
import { ASSET_PATHS, type AssetName } from "./paths.ts";
import sharePicture from "./share.jpg" with { type: "file" };

const TYPES: Record<AssetName, string> = {
  style: "text/css; charset=utf-8",
  othersStyle: "text/css; charset=utf-8",
  script: "text/javascript; charset=utf-8",
  icon: "image/svg+xml",
  share: "image/jpeg",
  embed: "text/javascript; charset=utf-8",
};

const assets = perCatalog((catalog): Record<AssetName, { content: string | Uint8Array; version: string }> => {
  const asset = (content: string | Uint8Array) => ({
    content,
    version: new Bun.CryptoHasher("sha256").update(content).digest("base64url").slice(0, 10),
  });
  return {
    style: asset(sheet(catalog, style)),
    othersStyle: asset(smaller(othersStyle)),
    script: asset(new Bun.Transpiler({ loader: "js", minifyWhitespace: true }).transformSync(script)),
    icon: asset(icon),
    share: asset(readFileSync(sharePicture)),
    embed: asset(embed),
  };
});

const FOR_A_YEAR = "public, max-age=31536000, immutable";
const FOR_AN_HOUR = "public, max-age=3600";

export function asset(name: AssetName, { query, ctx: { catalog } }: Visit): PageAnswer {
  const { content, version } = assets(catalog)[name];
  // An address with another version may be one of an older page.
  const otherwise = name === "embed" ? FOR_AN_HOUR : "no-cache";
  return {
    status: 200,
    isPublic: true,
    body: content,
    headers: {
      "Content-Type": TYPES[name],
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Cache-Control": query.get("v") === version ? FOR_A_YEAR : otherwise,
    },
  };
}

/** The addresses of the style sheet, the script and the pictures, with the version of their content. */
export const addresses = perCatalog((catalog) => {
  const address = (name: AssetName) => `${ASSET_PATHS[name]}?v=${assets(catalog)[name].version}`;
  return {
    style: address("style"),
    othersStyle: address("othersStyle"),
    script: address("script"),
    icon: address("icon"),
    share: address("share"),
  };
});
