/** A command at work on a shop: the catalog is read and the database opened, what was done is said, the answer printed. */
import { loadCatalog } from "../../src/catalog/load/load.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import type { Store } from "../../src/store/store.ts";
import { type CsvOptions, printCsv } from "../terminal/lists.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { catalogSource } from "./catalog.ts";
import { type ShopLocale, shopOf } from "./clock.ts";
import { type CommonOptions, withStore } from "./database.ts";

export interface Opened<Catalog extends Shop | null> {
  store: Store;
  catalog: Catalog;
  clock: ShopLocale;
  now: Temporal.Instant;
}

/** What a command has to say. Lines go to standard error, so that standard output has the answer alone; empty ones are left out. */
export interface Done {
  notes?: readonly string[];
  said?: string | readonly string[];
  undo?: string;
  /** With --json, with --csv, and without either. */
  json?: () => unknown;
  csv?: () => string;
  text?: () => string;
  /** Said in place of a text where there is nothing. */
  none?: string | false;
  after?: readonly string[];
}

type Work<Catalog extends Shop | null> = (shop: Opened<Catalog>) => Promise<Done>;
type Options = CommonOptions & CsvOptions;
/** @param create makes the database where there is none, in the folder of a catalog */
type How = { create?: boolean };

/** Works with a faulty catalog, too. */
export async function onShop(options: Options, work: Work<Shop | null>, how: How = {}): Promise<void> {
  await atWork(options, { ...shopOf(options.catalog), now: Temporal.Now.instant() }, work, how);
}

/** @throws CatalogError without a good catalog */
export async function onGoodShop(options: Options, work: Work<Shop>, how: How & { catalog?: Shop } = {}) {
  const { catalog } = how.catalog ? { catalog: how.catalog } : loadCatalog(catalogSource(options));
  await atWork(options, { catalog, clock: catalog, now: Temporal.Now.instant() }, work, how);
}

async function atWork<Catalog extends Shop | null>(
  options: Options,
  shop: Omit<Opened<Catalog>, "store">,
  work: Work<Catalog>,
  { create = false }: How,
): Promise<void> {
  const done = await withStore(options, (store) => work({ ...shop, store }), { create });
  const { notes = [], said = [], undo, json, csv, text, none, after = [] } = done;
  const isText = !(options.json && json) && !(options.csv && csv);
  say([...notes, ...[said].flat(), undo ? `To undo it: ${undo}` : "", (isText && none) || ""]);
  if (options.json && json) await print(jsonLine(json()));
  else if (options.csv && csv) await printCsv(csv());
  else if (text && !none) await print(text());
  if (isText) say(after);
}

function say(lines: readonly string[]): void {
  const said = lines.map((line) => line.trimEnd()).filter(Boolean);
  if (said.length > 0) process.stderr.write(`${said.join("\n")}\n`);
}
