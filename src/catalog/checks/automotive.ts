/** Rules of `automotive` and of `tint_law`. */
import { FILM_TYPES } from "../../vocabulary.ts";
import type { Fault } from "../path.ts";
import type { CatalogSource } from "../schema.ts";
import { type Rule, repeated, unknownName } from "./rule.ts";

export const automotiveRules: Rule[] = [
  { needs: ["automotive.films"], check: shadesAreListedOnce },
  { needs: ["tint_law.home", "tint_law.jurisdictions"], check: homeStateHasALaw },
];

/** A caller names a shade by the label on the box, so a film must not list one label with two VLTs. */
function shadesAreListedOnce({ automotive: { films } }: CatalogSource): Fault[] {
  return FILM_TYPES.flatMap((film) =>
    repeated(films[film].shades, ({ label }) => label).map(({ item, index }) => ({
      path: ["automotive", "films", film, "shades", index, "label"],
      message: `is listed twice: ${item.label}`,
    })),
  );
}

/** An estimate that names no state is checked against the shop's own. */
function homeStateHasALaw({ tint_law: { home, jurisdictions } }: CatalogSource): Fault[] {
  if (Object.hasOwn(jurisdictions, home)) return [];
  const message = unknownName("a key of tint_law.jurisdictions", home, Object.keys(jurisdictions));
  return [{ path: ["tint_law", "home"], message }];
}
