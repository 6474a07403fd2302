/** `tint price`: the price list. */
import { toEstimateMatrix } from "../../src/capabilities/estimate-matrix.ts";
import { isListPrice, pricePath } from "../../src/catalog/edit/everyday.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { readLayout } from "../../src/catalog/load/values.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { coverageLabel, entryOf, priceAt } from "../../src/catalog/terms.ts";
import { formatMoney } from "../../src/lib/money.ts";
import { spaced } from "../../src/lib/text.ts";
import { didYouMean, joinWithAnd } from "../../src/schema/explain.ts";
import { addAskedEditOptions, amountOf, type EditOptions, makeEdit, setSetting } from "../catalog/edits.ts";
import { everyPlace, listPlaces, raisedPrices, readRaise, withRaised } from "../catalog/reprice.ts";
import { catalogForHelp, catalogWithoutIssues, columnName } from "../catalog/terms.ts";
import { catalogSource } from "../shop/catalog.ts";
import { foldedTable, textTable } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import { jsonLine, print, UsageError } from "../terminal/output.ts";
import { moneyIn } from "../terminal/wording.ts";
import { asWord, readWord, wordArgument, wordOption } from "../typed/enums.ts";
import { readAll } from "../typed/values.ts";

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  const catalog = await catalogForHelp(args);
  const shop = catalog.terms;
  const keys = shop.columns.map(({ key }) => key);
  const single = shop.columns.filter(({ coverages }) => coverages.length === 0).map(({ key }) => key);
  const usual = ["tint price set", shop.example.vehicle_type, shop.example.film_type, shop.coverages[0], 629].join(" ");
  const service = shop.columns.find(({ isFilm, coverages }) => !isFilm && coverages.length > 0);
  command.examples("tint price", usual);
  const isVehicle = (word: string) => {
    const vehicle = vehicleNamed(word, catalog);
    return shop.vehicleTypes.includes(vehicle) || didYouMean(vehicle, shop.vehicleTypes) !== undefined;
  };
  command
    .list("every price, vehicle by vehicle, or those of one", { isName: isVehicle })
    .description(
      `Every price, vehicle by vehicle or of the one that is named, for each coverage: ${catalog.phrases.coverages}.`,
    )
    .option("--json", "print JSON: the `data` of GET /estimates")
    .examples("tint price list", `tint price list ${shop.example.vehicle_type}`, "tint price list --json")
    .action(async ({ catalog: file, json }: EditOptions, { args: [typed] }: Command) => {
      const { catalog } = loadCatalog(catalogSource({ catalog: file }));
      const named = typed === undefined ? undefined : vehicleNamed(typed, catalog);
      const vehicle = named === undefined ? named : readWord("a vehicle type", named, catalog.terms.vehicleTypes);
      if (!json) return await print(priceList(catalog, vehicle));
      const isWanted = (row: object) => !vehicle || !("vehicle_type" in row) || row.vehicle_type === vehicle;
      const parts = Object.entries(toEstimateMatrix(catalog)).map(([key, rows]) => {
        return [key, Array.isArray(rows) ? rows.filter(isWanted) : rows];
      });
      await print(jsonLine(Object.fromEntries(parts)));
    });
  addAskedEditOptions(command.subcommand("set", "change a price"))
    .description("Changes one price and shows what it does to estimates. Bookings already made keep their price.")
    .addArgument(wordArgument("<vehicle>", shop.vehicleTypes))
    .addArgument(wordArgument("<film>", keys))
    .addArgument(
      wordArgument("<coverage>", shop.coverages, single.length > 0 ? `left out for ${joinWithAnd(single)}` : ""),
    )
    .argument("[amount]", "dollars, like 599, 1,299 or 599.50")
    .examples(
      usual,
      ...(service ? [`tint price set ${shop.vehicleTypes[0]} ${service.key} ${service.coverages.at(-1)} 79.50`] : []),
      ...single.slice(0, 1).map((key) => `tint price set ${shop.vehicleTypes.at(-1)} ${key} 510`),
      `${usual} --dry-run`,
    )
    .action((vehicle: string, column: string, coverage: string, amount: string | undefined, options: EditOptions) =>
      set(options, vehicle, column, amount === undefined ? [coverage] : [coverage, amount]),
    );
  addAskedEditOptions(command.subcommand("raise", "raise the prices of a film or service, or of a vehicle"))
    .description(
      "Raises, or with a minus lowers, every price of a film or service, of a vehicle, of both together, or with all every price there is (list, extras, glass by the square foot, surcharges), and shows old and new. Bookings already made keep their price. tint catalog undo takes it back.",
    )
    .addArgument(wordArgument("<film>", [...keys, EVERY_PRICE], "left out with --vehicle for all of its prices"))
    .argument("[percent]", "like 5% or, after two dashes, -2.5%")
    .addOption(wordOption("--vehicle <type>", "only the prices of this vehicle", shop.vehicleTypes))
    .option("--round <amount>", "new prices are multiples of this amount", "1")
    .examples(
      `tint price raise ${shop.example.film_type} 5%`,
      `tint price raise --vehicle ${shop.example.vehicle_type} 7% --round 5`,
      `tint price raise ${shop.example.film_type} 5% --round 5 --dry-run`,
      `tint price raise ${shop.example.film_type} -- -2.5%`,
      `tint price raise ${EVERY_PRICE} 3%`,
    )
    .action(raise);
}

/** A vehicle type as typed, or a word that customers use for one. */
function vehicleNamed(word: string, { synonyms }: Shop): string {
  const typed = asWord(word);
  return synonyms.vehicle_types[typed] ?? typed;
}

/** In place of a film: every price of the list. */
const EVERY_PRICE = "all";

/** @param first the film; the percentage where all prices of a vehicle are raised */
async function raise(
  first: string,
  second: string | undefined,
  options: EditOptions & { round: string; vehicle?: string },
): Promise<void> {
  const { catalog } = loadCatalog(catalogSource(options));
  const { vehicleTypes, columns } = catalog.terms;
  const [named, percent] = second === undefined ? [undefined, first] : [first, second];
  const keys = columns.map(({ key }) => key);
  const isVehicle = named !== undefined && vehicleTypes.includes(vehicleNamed(named, catalog));
  const [film, onlyVehicle] =
    isVehicle && options.vehicle === undefined && !keys.includes(asWord(named))
      ? [undefined, named]
      : [named, options.vehicle];
  const why = "Say whose prices: a film or service, like ceramic, --vehicle suv, or all: tint price raise all 7%";
  if (film === undefined && onlyVehicle === undefined) throw new UsageError(why);
  const isEvery = film !== undefined && asWord(film) === EVERY_PRICE && !keys.includes(EVERY_PRICE);
  const [column, vehicle, by] = readAll(
    () => (film === undefined || isEvery ? undefined : readWord("a film or service with a price", film, keys)),
    () => onlyVehicle && readWord("a vehicle type", vehicleNamed(onlyVehicle, catalog), vehicleTypes),
    () => readRaise(percent, options.round),
  );
  const wantedColumns = columns.filter(({ key }) => column === undefined || key === column);
  const list = listPlaces(vehicle ? [vehicle] : vehicleTypes, wantedColumns);
  const raised = (text: string) => {
    const { source } = readLayout(text);
    return raisedPrices(source, isEvery && vehicle === undefined ? everyPlace(source) : list, by);
  };
  const edit = await makeEdit(options, (text) => withRaised(text, raised(text)), {
    isPriceTable: true,
    question: () => "Save these prices?",
    words: ({ was, after }) => {
      const money = moneyIn(after.currency);
      const rows = raised(was).map(({ path, old, new: now }) => [
        spaced(path.slice(isListPrice(path) ? 2 : 1).join(" ")),
        ...[money(old), "→", money(now)],
      ]);
      return rows.length === 0 ? "No price changes." : textTable(["price", "old", "", "new"], rows);
    },
    json: ({ was }) => ({
      raised: raised(was).map(({ path, old, new: now }) => ({ path: path.join("."), old, new: now })),
    }),
  });
  if (edit.changed && edit.undoable && !options.dryRun) process.stderr.write("To undo it: tint catalog undo\n");
}

/** @param rest coverage and amount, or the amount alone */
async function set(options: EditOptions, vehicle: string, film: string, rest: string[]): Promise<void> {
  const shop = catalogWithoutIssues(catalogSource(options))?.terms;
  const save = async (type: string, column: string, coverage: string | undefined) => {
    await setSetting(options, pricePath(type, column, coverage).join("."), amountOf(rest.at(-1) ?? ""), (again) =>
      ["tint price set", type, column, ...(coverage === undefined ? [] : [coverage]), again].join(" "),
    );
  };
  if (!shop) return save(vehicle, film, rest.length > 1 ? rest[0] : undefined);
  const { vehicleTypes, columns } = shop;
  const keys = columns.map(({ key }) => key);
  const [type, column] = readAll(
    () => readWord("a vehicle type", vehicle, vehicleTypes),
    () => readWord("a film or service with a price", film, keys),
    () => rest.length > 1 && amountOf(rest.at(-1) ?? ""),
  );
  const coverages = columns.find(({ key }) => key === column)?.coverages ?? [];
  const hasOnePrice = coverages.length === 0;
  const amount = rest.at(-1) ?? "";
  if (hasOnePrice && rest.length > 1)
    throw new UsageError(`${column} has one price for all: tint price set ${type} ${column} ${amount}`);
  const coverage = hasOnePrice ? undefined : readWord("a coverage", rest[0] ?? "", coverages);
  if (!hasOnePrice && rest.length < 2)
    throw new UsageError(`The amount is missing, like: tint price set ${type} ${column} ${coverage} 599`);
  return save(type, column, coverage);
}

function priceList(catalog: Shop, only: string | undefined): string {
  const { columns, vehicleTypes } = catalog.terms;
  const cells = columns.flatMap((column) =>
    (column.coverages.length > 0 ? column.coverages : [null]).map((coverage) => {
      const label = coverage === null ? "" : ` ${coverageLabel(coverage, catalog)}`;
      const priceOf = (vehicle: string) => {
        const price = priceAt(catalog, vehicle, column.key);
        return formatMoney(typeof price === "number" ? price : entryOf(price, coverage ?? ""), catalog.currency, 2);
      };
      return { head: columnName(column, catalog) + label, priceOf };
    }),
  );
  if (only !== undefined) {
    const rows = cells.map(({ head, priceOf }) => [head, priceOf(only)]);
    return textTable([only, "price"], rows);
  }
  const rows = vehicleTypes.map((vehicle) => [vehicle, ...cells.map(({ priceOf }) => priceOf(vehicle))]);
  return foldedTable(["vehicle", ...cells.map(({ head }) => head)], rows);
}
