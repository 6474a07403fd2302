/** The files of the booking pages, whose addresses change with their content, so that browsers keep them; and their formats. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { perCatalog } from "../../../catalog/per-catalog.ts";
import { PHOTO_FILE } from "../../../catalog/sections/site.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { noSuchPath } from "../../../http/not-found.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import icon from "../../markup/icon.svg" with { type: "text" };
import { sheet, smaller } from "../../markup/page.ts";
import touchIcon from "./apple-touch-icon.png" with { type: "file" };
import style from "./book.css" with { type: "text" };
import script from "./book.js" with { type: "text" };
import embed from "./embed.js" with { type: "text" };
import favicon from "./favicon.ico" with { type: "file" };
import othersStyle from "./others.css" with { type: "text" };
import { ASSET_PATHS, type AssetName } from "./paths.ts";
import sharePicture from "./share.jpg" with { type: "file" };

const CSS = "text/css; charset=utf-8";
const JAVASCRIPT = "text/javascript; charset=utf-8";

/**
 * What a page needs of the catalog and what is dear to make, once for each catalog: a style sheet takes a millisecond, and a format of
 * `Intl` takes a hundred times as long to make as to use. Made at the first page, because most servers answer programs alone.
 */
export const kit = perCatalog((catalog) => {
  const asset = (type: string, content: string | Uint8Array) => ({
    ...{ type, content },
    version: new Bun.CryptoHasher("sha256").update(content).digest("base64url").slice(0, 10),
  });
  const assets = {
    style: asset(CSS, sheet(catalog, style)),
    othersStyle: asset(CSS, smaller(othersStyle)),
    script: asset(JAVASCRIPT, new Bun.Transpiler({ loader: "js", minifyWhitespace: true }).transformSync(script)),
    icon: asset("image/svg+xml", icon),
    favicon: asset("image/x-icon", readFileSync(favicon)),
    touchIcon: asset("image/png", readFileSync(touchIcon)),
    share: asset("image/jpeg", readFileSync(sharePicture)),
    embed: asset(JAVASCRIPT, embed),
  };
  return {
    assets,
    address: (name: AssetName) => `${ASSET_PATHS[name]}?v=${assets[name].version}`,
    formats: formatsFor(catalog),
  };
});

function formatsFor({ currency, business }: Shop) {
  const locale = `en-${business.address.country}`;
  const money = (digits: number) => {
    const exactly = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol", ...exactly });
  };
  // Dates and times are the shop's own already, so no time zone may move them.
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
  const time = date({ hour: "numeric", minute: "2-digit" });
  return {
    whole: money(0),
    exact: money(2),
    day: date({ weekday: "short", month: "short", day: "numeric" }),
    longDay: date({ weekday: "long", month: "long", day: "numeric" }),
    weekday: date({ weekday: "short" }),
    dayOfMonth: date({ month: "short", day: "numeric" }),
    time,
    /** `9 AM`; a clock of 24 hours shows the minutes of every time. */
    fullHour: time.resolvedOptions().hour12 ? date({ hour: "numeric" }) : time,
  };
}

const FOR_A_YEAR = "public, max-age=31536000, immutable";
const FOR_AN_HOUR = "public, max-age=3600";

export function asset(name: AssetName, { query, ctx: { catalog } }: Visit): PageAnswer {
  const { type, content, version } = kit(catalog).assets[name];
  // An address with another version may be one of an older page.
  const otherwise = name === "embed" || name === "favicon" || name === "touchIcon" ? FOR_AN_HOUR : "no-cache";
  return {
    status: 200,
    isPublic: true,
    body: content,
    headers: {
      "Content-Type": type,
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Cache-Control": query.get("v") === version ? FOR_A_YEAR : otherwise,
    },
  };
}

/** A picture of the shop's work beside its catalog; no file that the catalog does not name. */
export async function photo({ fields: { name = "" }, folder, ctx: { catalog } }: Visit): Promise<PageAnswer> {
  const isNamed = catalog.site.photos.some(({ url }) => url === name && PHOTO_FILE.test(name));
  const file = isNamed && folder !== undefined ? Bun.file(join(folder, name)) : undefined;
  if (!file || !(await file.exists())) throw noSuchPath();
  const headers = { "Content-Type": file.type, "Cache-Control": FOR_AN_HOUR };
  return { status: 200, isPublic: true, body: await file.bytes(), headers };
}
