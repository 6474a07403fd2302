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
    ...dearerParts(path, after),
  ];
}

/** Coverages that cost more than another one with the same glass and more. */
function dearerParts([section, group, vehicle, column]: Path, { automotive }: Catalog): string[] {
  if (section !== "automotive" || group !== "vehicle_types") return [];
  const price = automotive.vehicle_types[String(vehicle)]?.[String(column)];
  if (typeof price !== "object") return [];
  const coverages = Object.entries(automotive.coverages);
  return coverages.flatMap(([part, { positions, name }]) =>
    coverages
      .filter(([, whole]) => whole.positions.length > positions.length)
      .filter(([, whole]) => positions.every((position) => whole.positions.includes(position)))
      .filter(([whole]) => (price[part] ?? 0) > (price[whole] ?? Number.MAX_VALUE))
      .map(([whole, { name: all }]) => `${name} (${part}) cost more than ${all} (${whole}) now.`),
  );
}
