/** Finds prices that are allowed but probably a slip: a digit too many or too few, or the wrong column. */
import type { Path } from "../../src/catalog/path.ts";
import { placeAt } from "../../src/catalog/places.ts";
import type { Catalog } from "../../src/catalog/schema.ts";

/**
 * @param old the value in the file before
 * @param now the value in the file now
 * @returns a sentence for each slip
 */
export function priceSlips(path: Path, old: unknown, now: unknown, after: Catalog): string[] {
  if (typeof now !== "number" || !placeAt(path)?.money) return [];
  const isLeap = typeof old === "number" && old > 0 && Math.abs(now - old) > old / 2;
  return [
    ...(now === 0 ? ["the price is 0 now: customers are told it costs nothing."] : []),
    ...(now !== 0 && isLeap ? ["that is a change by more than half."] : []),
    ...(isPartDearer(path, after) ? ["the front two windows (front2) cost more than all glass (full) now."] : []),
  ];
}

function isPartDearer([section, group, vehicle, column]: Path, { automotive }: Catalog): boolean {
  if (section !== "automotive" || group !== "vehicle_types") return false;
  const prices = Object.entries(automotive.vehicle_types).find(([type]) => type === vehicle)?.[1] ?? {};
  const price: unknown = Object.entries(prices).find(([name]) => name === column)?.[1];
  const { full, front2 } = Object(price) as { full?: number; front2?: number };
  return full !== undefined && front2 !== undefined && front2 > full;
}
