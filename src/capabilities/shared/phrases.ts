/** Phrases about the shop's offer, for the middle of a description's sentence. */
import type { Shop } from "../../catalog/shop.ts";

/** `tinting a vehicle, removing film, or clear windshield protection`. */
export function vehicleServices(catalog: Shop): string {
  const { services } = catalog.terms;
  const phrases = catalog.services
    .filter(({ key }) => services.includes(key))
    .map(({ name, phrase }) => phrase ?? name.toLowerCase());
  return oxford(phrases);
}

/** `both films`, `all 4 films`. */
export function allFilms(catalog: Shop): string {
  const { length } = catalog.terms.films;
  if (length === 1) return "the film";
  return length === 2 ? "both films" : `all ${length} films`;
}

/** `full, all side and rear glass, or front2, the front two windows only`. */
export function coveragesInWords({ automotive: { coverages } }: Shop): string {
  return oxford(Object.entries(coverages).map(([word, { name, glass }]) => `${word}, ${glass ?? name}`));
}

/** `a`, `a, or b`, `a, b, or c`. */
function oxford(items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(", ")}, or ${items.at(-1)}`;
}

/** `Body type. coupe: two doors; …`. */
export function vehicleTypesInWords({ automotive }: Shop): string {
  const types = Object.entries(automotive.vehicle_facts).flatMap(([type, { about }]) =>
    about === undefined ? [] : `${type}: ${about.charAt(0).toLowerCase()}${about.slice(1).replace(/\.$/, "")}`,
  );
  return types.length > 0 ? `Body type. ${types.join("; ")}.` : "Body type.";
}
