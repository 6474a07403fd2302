/** Raising the prices of a film or service, of a vehicle, or of one in the other. */
import { scalarSet } from "../../src/catalog/edit/changes.ts";
import { pricePath } from "../../src/catalog/edit/everyday.ts";
import { applyChanges, readLayout } from "../../src/catalog/edit/layout.ts";
import type { Path } from "../../src/catalog/path.ts";
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

/** The prices that change, in the order of the vehicles. @param columns without coverages those of one price */
export function raisedPrices(
  text: string,
  vehicles: readonly string[],
  columns: readonly { key: string; coverages: readonly string[] }[],
  by: Raise,
): Raised[] {
  const { source } = readLayout(text);
  const places = vehicles.flatMap((vehicle) =>
    columns.flatMap(({ key, coverages }) =>
      coverages.length === 0
        ? [pricePath(vehicle, key, undefined)]
        : coverages.map((coverage) => pricePath(vehicle, key, coverage)),
    ),
  );
  return places.flatMap((path) => {
    const old = valueAt(source, path);
    if (typeof old !== "number") return [];
    const now = raisedPrice(old, by);
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
