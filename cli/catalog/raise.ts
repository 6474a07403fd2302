/** Raising the prices of a film or service, of a vehicle, of one in the other, or every price there is. */
import { scalarSet } from "../../src/catalog/edit/changes.ts";
import { pricePath } from "../../src/catalog/edit/everyday.ts";
import { applyChanges, readLayout } from "../../src/catalog/edit/layout.ts";
import type { Path } from "../../src/catalog/path.ts";
import { settingAt } from "../../src/catalog/settings.ts";
import { valueAt } from "../../src/lib/fields.ts";
import { toCents } from "../../src/lib/money.ts";
import { notRead } from "../typed/values.ts";

export interface Raise {
  /** In thousandths of a percent, so that sums stay exact. */
  share: number;
  /** The new price is a multiple of this many cents. */
  step: number;
}

interface Raised {
  path: Path;
  old: number;
  new: number;
}

/** A share as typed, like `5%`, `-2.5%` or `5`, and an amount to round to. @throws UsageError */
export function readRaise(typed: string, round: string): Raise {
  const [, percent] = /^([+-]?\d{1,3}(?:\.\d{1,3})?)\s*%?$/.exec(typed.trim()) ?? [];
  if (percent === undefined || Number(percent) <= -100) throw notRead(typed, "a percentage", "5% or -2.5%");
  if (!/^\d{1,4}(\.\d{1,2})?$/.test(round) || Number(round) === 0)
    throw notRead(round, "an amount to round to", "5 or 0.50");
  return { share: Math.round(Number(percent) * 1000), step: toCents(Number(round)) };
}

/** A price in currency units after a raise, rounded to the step. */
export function raisedPrice(old: number, { share, step }: Raise): number {
  const cents = (toCents(old) * (100_000 + share)) / 100_000;
  return (Math.round(cents / step) * step) / 100;
}

/** The prices of the list. @param columns without coverages those of one price */
export function listPlaces(
  vehicles: readonly string[],
  columns: readonly { key: string; coverages: readonly string[] }[],
): Path[] {
  return vehicles.flatMap((vehicle) =>
    columns.flatMap(({ key, coverages }) =>
      coverages.length === 0
        ? [pricePath(vehicle, key, undefined)]
        : coverages.map((coverage) => pricePath(vehicle, key, coverage)),
    ),
  );
}

/** Every amount of the work on vehicles and on buildings: list, extras, glass by the square foot, surcharges. */
export function everyPlace(text: string): Path[] {
  const { source } = readLayout(text);
  const within = (path: Path): Path[] => {
    const value = valueAt(source, path);
    if (typeof value === "number") return settingAt(path)?.money ? [path] : [];
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    return isGroup ? Object.keys(value).flatMap((key) => within([...path, key])) : [];
  };
  return [...within(["automotive"]), ...within(["flat_glass"])];
}

/** The prices that change. Those by the square foot are rounded to the cent. */
export function raisedPrices(text: string, places: readonly Path[], by: Raise): Raised[] {
  const { source } = readLayout(text);
  return places.flatMap((path) => {
    const old = valueAt(source, path);
    if (typeof old !== "number") return [];
    const isByArea = path.some((part) => String(part).endsWith("per_sqft"));
    const now = raisedPrice(old, isByArea ? { ...by, step: 1 } : by);
    return now === old ? [] : [{ path, old, new: now }];
  });
}

export function withRaised(text: string, raised: readonly Raised[]): string {
  const layout = readLayout(text);
  return applyChanges(
    layout,
    raised.map(({ path, new: now }) => scalarSet(layout, path, now)),
  );
}
