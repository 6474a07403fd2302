/** The windows of a building as a visitor enters them. They are in the query of the page; the API gets their fields. */
import type { Shop } from "../../../catalog/shop.ts";
import { CONCERNS } from "../../../constants.ts";
import { MOST_ROWS } from "../../../job/forms.ts";

export type Building = ReturnType<typeof readBuilding>;
type Row = typeof EMPTY;

export const UNITS = ["in", "ft"] as const;
/** A row of windows, as typed. */
const EMPTY = { width: "", height: "", quantity: "", isBlocked: false, hasCurtain: false };
const EXTRAS = ["needs_ladder", "blocked_windows", "curtain_windows", "existing_film_sqft"] as const;

/** The rest of a longer text is not read. */
export const LONGEST_NUMBER = 40;

export function readBuilding(query: URLSearchParams, { terms, flat_glass: flat }: Shop) {
  const { siteTypes, tiers } = terms;
  const known = (name: string, list: readonly string[]) => list.find((word) => word === query.get(name));
  const number = (name: string) => (query.get(name) ?? "").slice(0, LONGEST_NUMBER);
  const all = (name: string) => query.getAll(name).map((text) => text.slice(0, LONGEST_NUMBER));
  const [widths, heights, quantities] = [all("width"), all("height"), all("quantity")];
  const asked = Number(/^\d{1,2}$/.exec(query.get("rows") ?? "")?.[0] ?? 0);
  const count = Math.min(MOST_ROWS, Math.max(1, asked, widths.length, heights.length));
  const rows = Array.from({ length: count }, (_, i) => ({
    ...sizeIn(widths[i] ?? "", heights[i] ?? ""),
    quantity: quantities[i] ?? "",
    isBlocked: query.getAll("blocked").includes(String(i)),
    hasCurtain: query.getAll("curtain").includes(String(i)),
  }));
  const extras: Partial<Record<(typeof EXTRAS)[number], string>> = {};
  for (const name of EXTRAS) if (number(name) !== "") extras[name] = number(name);
  const pane = flat?.usual_panes[Number(query.get("preset") ?? -1)];
  return {
    site: known("site_type", siteTypes) ?? (siteTypes.length === 1 ? siteTypes[0] : undefined) ?? "",
    /** The unit of sizes that name none. */
    unit: UNITS.find((one) => one === query.get("unit")) ?? "in",
    concern: known("primary_concern", CONCERNS) ?? flat?.default_concern ?? "",
    tier: known("tier", tiers),
    /** Whether a row that lacks a size is an issue: the button was pressed, or the request is sent. */
    isComplete: query.has("show"),
    estimate: query.get("estimate_id") || undefined,
    /** The page itself put the estimate into the address. */
    isOwn: query.has("own"),
    floors: number("floors"),
    /** From an address that names no windows. */
    sqft: number("total_sqft"),
    /** Choices for all windows together, like ladder work, by the API's names. */
    extras,
    rows: pane ? withPreset(rows, pane) : rows,
  };
}

/** Width and height; one that was pasted whole, like `4x6 ft`, is both. */
function sizeIn(width: string, height: string) {
  const [across = "", down = "", ...more] = width.trim().split(/\s*[x×*]\s*|\s+by\s+/i);
  const isWhole = more.length === 0 && /\d/.test(across) && /^\d/.test(down);
  if (!isWhole || (height !== "" && height !== down)) return { width, height };
  const unit = /[^\d\s]*$/.exec(down)?.[0] ?? "";
  return { width: /\d$/.test(across) ? across + unit : across, height: down };
}

/** The first empty row, or one more, gets the size. */
function withPreset(rows: Row[], { width_in, height_in }: { width_in: number; height_in: number }): Row[] {
  const empty = rows.findIndex((row) => !isUsed(row));
  const sized = { ...EMPTY, ...rows[empty], width: `${width_in}"`, height: `${height_in}"` };
  return empty < 0 ? [...rows, sized].slice(0, MOST_ROWS) : rows.with(empty, sized);
}

export function buildingQuery({ rows, extras, ...building }: Building): string {
  const used = rows.slice(0, rows.findLastIndex(isUsed) + 1);
  const pairs: [string, string | undefined | false][] = [
    ["site_type", building.site],
    ["unit", building.unit !== "in" && building.unit],
    ["primary_concern", building.concern],
    ["tier", building.tier],
    ["floors", building.floors],
    ...Object.entries(extras),
    ["rows", rows.length > Math.max(1, used.length) && String(rows.length)],
    ["show", building.isComplete && "1"],
    ["estimate_id", building.estimate],
    ["own", building.isOwn && "1"],
    ["total_sqft", used.length === 0 && building.sqft],
  ];
  // An empty field of a row keeps the place of the row.
  const sizes = used.flatMap(({ width, height, quantity, isBlocked, hasCurtain }, i) => [
    ...Object.entries({ width, height, quantity }),
    ...(isBlocked ? [["blocked", String(i)]] : []),
    ...(hasCurtain ? [["curtain", String(i)]] : []),
  ]);
  return [...pairs.filter(([, value]) => value), ...sizes]
    .map(([name = "", value]) => `${name}=${encodeURIComponent(value || "")}`)
    .join("&");
}

export function isUsed({ width, height }: Row): boolean {
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
export function windowsOf({ rows, unit, isComplete }: Building): { at: number; window: object }[] {
  return rows.flatMap((row, at) => {
    const { width, height, quantity, isBlocked, hasCurtain } = row;
    // Somebody who typed the width is about to type the height.
    if (!isUsed(row) || (!isComplete && (width === "" || height === ""))) return [];
    const window = {
      ...(width && { width_in: inches(width, unit) }),
      ...(height && { height_in: inches(height, unit) }),
      quantity: quantity === "" ? 1 : numberOrText(quantity),
      ...(isBlocked && { blocked: true }),
      ...(hasCurtain && { curtain: true }),
    };
    return [{ at, window }];
  });
}

/** In inches, where it is a number, with a fraction or without; the API reads the rest, like `4' 6"` or `90 cm`. */
function inches(text: string, unit: Building["unit"]): number | string {
  const [, whole = "0", over, under] = /^(?:(\d+)\s+)?(\d+)\/([1-9]\d*)$/.exec(text.trim()) ?? [];
  const length = over ? Number(whole) + Number(over) / Number(under) : numberOrText(text);
  return unit === "ft" && typeof length === "number" ? Number((length * 12).toFixed(2)) : length;
}

/** A number as people type it, like `1,200` or `36,5`; other text stays as it is, and is refused. */
function numberOrText(text: string): number | string {
  const plain = text
    .trim()
    .replace(/,(?=\d{3}(\D|$))/g, "")
    .replace(",", ".");
  return /^\d{1,9}(\.\d{1,4})?$/.test(plain) ? Number(plain) : text;
}
