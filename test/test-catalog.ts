/** Catalogs that tests change: the example shop's, and any other text. */
import { readFileSync } from "node:fs";
import { checkValues } from "../src/catalog/checks/check-values.ts";
import { derive, type Shop } from "../src/catalog/shop.ts";
import { priceAt } from "../src/catalog/terms.ts";
import { deepFreeze } from "../src/lib/fields.ts";

export const CATALOG_FILE = new URL("../catalog.yaml", import.meta.url).pathname;

/** A catalog as tests change it: its text, and the shop made of it, with values set at dotted paths: `{"scheduling.bays": 1}`. */
export function testCatalog(file: string) {
  const text = readFileSync(file, "utf8");
  // Bun's own reader takes a fiftieth of the time of the program's, which keeps positions; test/catalog/load.test.ts compares the two.
  const values: unknown = Bun.YAML.parse(text);
  const made = new Map<string, Shop>();
  return {
    text,
    /** With edits, comments are lost. */
    textWith: (edits: Record<string, unknown> = {}): string =>
      Object.keys(edits).length === 0 ? text : Bun.YAML.stringify(withEdits(values, edits), null, 2),
    /** The same edits give the same frozen object, so that what is derived from a catalog is made once. The last ones are kept. */
    shopWith: (edits: Record<string, unknown> = {}): Shop => {
      // JSON leaves out what is undefined, which here takes a key away.
      const key = JSON.stringify(edits, (_, value) => (value === undefined ? "\0" : value));
      const shop = made.get(key) ?? catalogOf(withEdits(values, edits));
      made.delete(key);
      made.set(key, shop);
      for (const oldest of [...made.keys()].slice(0, -MOST_KEPT)) made.delete(oldest);
      return shop;
    },
  };
}

const MOST_KEPT = 30;

function withEdits(original: unknown, edits: Record<string, unknown>): unknown {
  const values = structuredClone(original);
  for (const [path, value] of Object.entries(edits)) {
    const keys = path.split(".");
    const last = keys.pop() ?? "";
    // Missing maps on the way are made.
    const holder = keys.reduce<Record<string, unknown>>(
      (map, key) => {
        map[key] ??= {};
        return map[key] as Record<string, unknown>;
      },
      values as Record<string, unknown>,
    );
    holder[last] = value;
  }
  return values;
}

/** @throws Error with all faults; for their lines and columns, load a text */
export function catalogOf(values: unknown): Shop {
  const checked = checkValues(values);
  if ("catalog" in checked) return derive(deepFreeze(checked.catalog));
  throw new Error(checked.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("\n"));
}

/** The prices of a vehicle type by coverage, for a film or service with such prices. */
export function pricesOf(catalog: Shop, vehicle: string, column: string): Record<string, number> {
  const price = priceAt(catalog, vehicle, column);
  if (typeof price === "number") throw new Error(`${column} has one price`);
  return price;
}

/** The example shop, from which `tint init` makes new ones. Read on first use. */
export const stockShop = () => (stock ??= testCatalog(CATALOG_FILE));
let stock: ReturnType<typeof testCatalog> | undefined;
