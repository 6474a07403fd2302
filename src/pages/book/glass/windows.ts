/** The windows of a building as a visitor enters them. They stand in the query of the page. */

import type { Shop } from "../../../catalog/shop.ts";
import { CONCERNS } from "../../../constants.ts";
import { MOST_ROWS } from "../../../job/forms.ts";
import { numberOrText } from "../shell/forms.ts";

/** As typed. */
interface Row {
  width: string;
  height: string;
  quantity: string;
  isBlocked: boolean;
  hasCurtain: boolean;
}

export interface Building {
  site: string;
  concern: string;
  floors: string;
  /** Square feet, from an address that names no windows. */
  sqft: string;
  /** The option that the visitor chose; undefined before. */
  tier: string | undefined;
  /** Whether a row that lacks a size is an issue: the button was pressed, or the request is sent. */
  isComplete: boolean;
  /** What an estimate counted for all windows together, and whether it needs a ladder, by the API's names. */
  extras: Partial<Record<Extra, string>>;
  rows: Row[];
}

const EXTRAS = ["needs_ladder", "blocked_windows", "curtain_windows", "existing_film_sqft"] as const;
type Extra = (typeof EXTRAS)[number];

const FIRST_ROWS = 1;
/** The rest of a longer text is not read. */
const LONGEST_NUMBER = 12;

export function readBuilding(query: URLSearchParams, catalog: Shop): Building {
  const { siteTypes, tiers } = catalog.terms;
  const known = (name: string, list: readonly string[]) => list.find((word) => word === query.get(name));
  const all = (name: string) => query.getAll(name).map((text) => text.slice(0, LONGEST_NUMBER));
  const [widths, heights, quantities] = [all("width"), all("height"), all("quantity")];
  const asked = Number(/^\d{1,2}$/.exec(query.get("rows") ?? "")?.[0] ?? 0);
  const count = Math.min(MOST_ROWS, Math.max(FIRST_ROWS, asked, widths.length, heights.length));
  return {
    site: known("site_type", siteTypes) ?? siteTypes[0] ?? "",
    concern: known("primary_concern", CONCERNS) ?? catalog.flat_glass?.default_concern ?? "",
    tier: known("tier", tiers),
    isComplete: query.has("show"),
    floors: (query.get("floors") ?? "").slice(0, 4),
    sqft: (query.get("total_sqft") ?? "").slice(0, LONGEST_NUMBER),
    extras: Object.fromEntries(
      EXTRAS.flatMap((name) => {
        const text = (query.get(name) ?? "").slice(0, LONGEST_NUMBER);
        return text === "" ? [] : [[name, text]];
      }),
    ),
    rows: Array.from({ length: count }, (_, i) => ({
      width: widths[i] ?? "",
      height: heights[i] ?? "",
      quantity: quantities[i] ?? "",
      isBlocked: query.getAll("blocked").includes(String(i)),
      hasCurtain: query.getAll("curtain").includes(String(i)),
    })),
  };
}

export function buildingQuery({ site, concern, tier, floors, sqft, extras, rows, isComplete }: Building): string {
  const used = rows.slice(0, rows.findLastIndex(isUsed) + 1);
  const pairs = [
    ["site_type", site],
    ["primary_concern", concern],
    ...(tier ? [["tier", tier]] : []),
    ...(floors ? [["floors", floors]] : []),
    ...Object.entries(extras),
    ...(rows.length > Math.max(FIRST_ROWS, used.length) ? [["rows", String(rows.length)]] : []),
    ...(isComplete ? [["show", "1"]] : []),
    ...(sqft && used.length === 0 ? [["total_sqft", sqft]] : []),
    ...used.flatMap(({ width, height, quantity, isBlocked, hasCurtain }, i) => [
      ["width", width],
      ["height", height],
      ["quantity", quantity],
      ...(isBlocked ? [["blocked", String(i)]] : []),
      ...(hasCurtain ? [["curtain", String(i)]] : []),
    ]),
  ];
  return pairs.map(([name = "", value = ""]) => `${name}=${encodeURIComponent(value)}`).join("&");
}

function isUsed({ width, height }: Row): boolean {
  return width !== "" || height !== "";
}

/** The windows, or the area where none is named, the floors and the extras, as the API's fields. */
export function glassOf(building: Building) {
  const { needs_ladder: ladder, ...counts } = building.extras;
  const windows = windowsOf(building).map(({ window }) => window);
  return {
    ...(windows.length > 0 && { windows }),
    ...(windows.length === 0 && building.sqft && { total_sqft: numberOrText(building.sqft) }),
    ...(building.floors && { floors: numberOrText(building.floors) }),
    ...(ladder !== undefined && { needs_ladder: ladder === "true" }),
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, numberOrText(count)])),
  };
}

/** The rows with something in them, as the API's field, each with its place on the page. */
export function windowsOf({ rows, isComplete }: Building): { at: number; window: object }[] {
  return rows.flatMap((row, at) => {
    const { width, height, quantity, isBlocked, hasCurtain } = row;
    // Somebody who typed the width is about to type the height.
    if (!isUsed(row) || (!isComplete && (width === "" || height === ""))) return [];
    const window = {
      ...(width && { width_in: inches(width) }),
      ...(height && { height_in: inches(height) }),
      quantity: quantity === "" ? 1 : numberOrText(quantity),
      ...(isBlocked && { blocked: true }),
      ...(hasCurtain && { curtain: true }),
    };
    return [{ at, window }];
  });
}

const LENGTH =
  /^(?:(\d+)\s*(?:'|′|’|ft\.?|feet|foot))?\s*(?:(\d+(?:\.\d+)?)?(?:\s*(\d+)\/(\d+))?\s*(?:"|″|”|''|in\.?|inch(?:es)?)?)$/i;

/** A length as people type it, like `48"`, `36,5`, `36 1/2` or `4' 6"`, in inches; other text stays, and is refused. */
function inches(text: string): number | string {
  const plain = numberOrText(text);
  if (typeof plain === "number") return plain;
  const [, feet, inch, over, under] =
    LENGTH.exec(
      text
        .slice(0, LONGEST_NUMBER)
        .trim()
        .replace(/(\d),(\d)/g, "$1.$2"),
    ) ?? [];
  if (feet === undefined && inch === undefined && under === undefined) return text;
  const length = Number(feet ?? 0) * 12 + Number(inch ?? 0) + (under ? Number(over) / Number(under) : 0);
  return Number.isFinite(length) ? Math.round(length * 10_000) / 10_000 : text;
}
