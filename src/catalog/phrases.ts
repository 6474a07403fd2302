/** Phrases about the shop's offer, for the middle of a description's sentence. */
import type { Catalog } from "./schema.ts";
import type { Terms } from "./terms.ts";

export interface Phrases {
  /** `tinting a vehicle, removing film, or clear windshield protection`. */
  vehicleServices: string;
  /** `both films`, `all 4 films`. */
  allFilms: string;
  /** `full, all side and rear glass, or front2, the front two windows only`. */
  coverages: string;
}

export function phrasesOf({ automotive, services }: Catalog, { services: priced, films }: Terms): Phrases {
  const work = services
    .filter(({ key }) => priced.includes(key))
    .map(({ name, phrase }) => phrase ?? name.toLowerCase());
  const coverages = Object.entries(automotive.coverages).map(([word, { name, glass }]) => `${word}, ${glass ?? name}`);
  return {
    vehicleServices: oxford(work),
    allFilms: films.length === 1 ? "the film" : films.length === 2 ? "both films" : `all ${films.length} films`,
    coverages: oxford(coverages),
  };
}

/** `a`, `a, or b`, `a, b, or c`. */
function oxford(items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(", ")}, or ${items.at(-1)}`;
}
