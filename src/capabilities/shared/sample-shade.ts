/** The shade in samples: one that the film comes in and that is legal, so that nobody copies a wrong one. */
import { perCatalog } from "../../catalog/per-catalog.ts";
import { entryOf, words } from "../../catalog/terms.ts";
import { verdictOn } from "../../domain/automotive.ts";

/** The darkest shade of the sample's film that is legal on its vehicle in the home state; undefined when none is. */
export const sampleShade = perCatalog((catalog): number | undefined => {
  const { vehicle_type, film_type } = words(catalog).example;
  return entryOf(catalog.automotive.films, film_type)
    .shades.map(({ vlt }) => vlt)
    .toSorted((a, b) => a - b)
    .find((vlt) => {
      const shades = { front_side: vlt, rear_side: vlt, rear_window: vlt };
      return verdictOn(catalog, { vehicle_type, film_type, shades }).status === "legal";
    });
});
