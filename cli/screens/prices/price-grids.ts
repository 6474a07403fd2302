/** The two grids: prices by vehicle, film and coverage; add-ons by film, and their minutes. */
import {
  addonPath,
  hasCoverage,
  PRICE_COLUMNS,
  type PriceColumn,
  pricePath,
} from "../../../src/catalog/edit/everyday.ts";
import type { Catalog } from "../../../src/catalog/schema.ts";
import { ADDONS, COVERAGES, type Coverage, FILM_TYPES, VEHICLE_TYPES } from "../../../src/vocabulary.ts";
import { clean } from "../../terminal/text.ts";
import { spaced } from "../kit/text/words.ts";
import type { Grid } from "./grid.ts";

const COLUMNS: { column: PriceColumn; coverage: Coverage }[] = PRICE_COLUMNS.flatMap((column) =>
  (hasCoverage(column) ? COVERAGES : COVERAGES.slice(0, 1)).map((coverage) => ({ column, coverage })),
);

export const PRICE_GRID: Grid = {
  rows: VEHICLE_TYPES,
  columns: COLUMNS.map(({ column, coverage }) => ({
    group: spaced(column),
    label: hasCoverage(column) ? coverage : "",
  })),
  cells: VEHICLE_TYPES.map((vehicle) =>
    COLUMNS.map(({ column, coverage }) => ({
      what: [vehicle, spaced(column), ...(hasCoverage(column) ? [coverage] : [])].join(", "),
      path: pricePath(vehicle, column, coverage),
    })),
  ),
};

export function addonGrid({ automotive }: Catalog): Grid {
  return {
    rows: ADDONS.map((addon) => clean(automotive.addons[addon].name)),
    columns: [...FILM_TYPES.map((film) => ({ group: "price", label: film })), { group: "work", label: "minutes" }],
    cells: ADDONS.map((addon) => [
      ...FILM_TYPES.map((film) => ({ what: `${addon}, ${film}`, path: addonPath(addon, film) })),
      { what: `${addon}, minutes`, path: ["automotive", "addons", addon, "minutes"] },
    ]),
  };
}
