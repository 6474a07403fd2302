/** The two grids: prices by vehicle, film and coverage; add-ons by film, and their minutes. */
import { addonPath, pricePath } from "../../../src/catalog/edit/everyday.ts";
import type { Catalog } from "../../../src/catalog/schema.ts";
import { entryOf, words } from "../../../src/catalog/words.ts";
import { spaced } from "../../../src/lib/text.ts";
import { coverageLabel } from "../../catalog/words.ts";
import { clean } from "../../terminal/output.ts";
import type { Grid } from "./grid.ts";

export function priceGrid(catalog: Catalog): Grid {
  const { vehicleTypes, columns } = words(catalog);
  const cells = columns.flatMap(({ key, coverages }) =>
    (coverages.length > 0 ? coverages : [undefined]).map((coverage) => ({ key, coverage })),
  );
  return {
    rows: vehicleTypes,
    columns: cells.map(({ key, coverage }) => ({
      group: spaced(key),
      label: coverage ? clean(coverageLabel(coverage, catalog)) : "",
    })),
    cells: vehicleTypes.map((vehicle) =>
      cells.map(({ key, coverage }) => ({
        what: [vehicle, spaced(key), ...(coverage === undefined ? [] : [clean(coverageLabel(coverage, catalog))])].join(
          ", ",
        ),
        path: pricePath(vehicle, key, coverage),
      })),
    ),
  };
}

export function addonGrid(catalog: Catalog): Grid {
  const { addons, films } = words(catalog);
  const nameOf = (addon: string) => clean(entryOf(catalog.automotive.addons, addon).name);
  return {
    rows: addons.map(nameOf),
    columns: [...films.map((film) => ({ group: "price", label: spaced(film) })), { group: "work", label: "minutes" }],
    cells: addons.map((addon) => [
      ...films.map((film) => ({ what: `${nameOf(addon)}, ${spaced(film)}`, path: addonPath(addon, film) })),
      { what: `${nameOf(addon)}, minutes`, path: ["automotive", "addons", addon, "minutes"] },
    ]),
  };
}
