/** `tint price`: the price list. */
import type { Command } from "commander";
import { toEstimateMatrix } from "../../src/capabilities/estimate/matrix.ts";
import { hasCoverage, PRICE_COLUMNS, pricePath } from "../../src/catalog/edit/everyday.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import type { Catalog } from "../../src/catalog/schema.ts";
import { formatMoney } from "../../src/domain/money.ts";
import { catalogFile } from "../../src/env/env.ts";
import { COVERAGES, VEHICLE_TYPES } from "../../src/vocabulary.ts";
import { addEditOptions, amountOf, type EditOptions, setPlace } from "../catalog/edits.ts";
import { Misuse } from "../failure.ts";
import { examples } from "../terminal/help.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { listCommand } from "../terminal/subcommands.ts";
import { table } from "../terminal/text.ts";
import { oneOfWords, wordArgument } from "../typed/words.ts";

export function configure(command: Command): void {
  command.addHelpText("after", examples("tint price", "tint price set suv ceramic full 629"));
  listCommand(command)
    .summary("every price, vehicle by vehicle")
    .description("Every price, vehicle by vehicle. `full` is all side and rear glass, `front2` the front two windows.")
    .option("--json", "print JSON: the `data` of GET /estimates")
    .addHelpText("after", examples("tint price list", "tint price list --json"))
    .action(async (_options: EditOptions, self: Command) => {
      const { catalog: file, json } = self.optsWithGlobals<EditOptions>();
      const { catalog } = loadCatalog(catalogFile(file));
      await print(json ? jsonLine(toEstimateMatrix(catalog)) : priceList(catalog));
    });
  addEditOptions(command.command("set"))
    .summary("change a price")
    .description("Changes one price and shows what it does to estimates. Bookings already made keep their price.")
    .addArgument(wordArgument("<vehicle>", VEHICLE_TYPES))
    .addArgument(wordArgument("<film>", PRICE_COLUMNS))
    .addArgument(wordArgument("<coverage>", COVERAGES, "left out for clearplex"))
    .argument("[amount]", "dollars, like 599, 1,299 or 599.50")
    .addHelpText(
      "after",
      examples(
        "tint price set suv ceramic full 629",
        "tint price set sedan film_removal front2 79.50",
        "tint price set van clearplex 510",
        "tint price set suv ceramic full 629 --dry-run",
      ),
    )
    .action((vehicle: string, column: string, coverage: string, amount: string | undefined, _: object, self: Command) =>
      set(self.optsWithGlobals<EditOptions>(), vehicle, column, amount === undefined ? [coverage] : [coverage, amount]),
    );
}

/** @param rest coverage and amount, or the amount alone */
function set(options: EditOptions, vehicle: string, film: string, rest: string[]): Promise<void> {
  const type = oneOfWords("a vehicle type", vehicle, VEHICLE_TYPES);
  const column = oneOfWords("a film or service with a price", film, PRICE_COLUMNS);
  const amount = rest.at(-1) ?? "";
  if (!hasCoverage(column) && rest.length > 1) {
    throw new Misuse(`${column} has one price for all: tint price set ${type} ${column} ${amount}`);
  }
  const coverage = hasCoverage(column) ? oneOfWords("a coverage", rest[0] ?? "", COVERAGES) : COVERAGES[0];
  if (hasCoverage(column) && rest.length < 2) {
    throw new Misuse(`The amount is missing, like: tint price set ${type} ${column} ${coverage} 599`);
  }
  const place = [type, column, ...(hasCoverage(column) ? [coverage] : [])].join(" ");
  return setPlace(
    options,
    pricePath(type, column, coverage).join("."),
    amountOf(amount),
    (again) => `tint price set ${place} ${again}`,
  );
}

function priceList(catalog: Catalog): string {
  const columns = PRICE_COLUMNS.flatMap((column) =>
    hasCoverage(column) ? COVERAGES.map((coverage) => ({ column, coverage })) : [{ column, coverage: COVERAGES[0] }],
  );
  const head = columns.map(({ column, coverage }) =>
    hasCoverage(column) ? `${column.replace("_", " ")} ${coverage}` : column,
  );
  const rows = VEHICLE_TYPES.map((vehicle) => {
    const prices = catalog.automotive.vehicle_types[vehicle];
    const cells = columns.map(({ column, coverage }) => {
      const price = prices[column];
      return formatMoney(typeof price === "number" ? price : price[coverage], catalog.currency);
    });
    return [vehicle, ...cells];
  });
  return table(["vehicle", ...head], rows);
}
