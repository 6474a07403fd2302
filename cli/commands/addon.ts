/** `tint addon`: add-ons and their prices. */
import type { Command } from "commander";
import { toEstimateMatrix } from "../../src/capabilities/estimate/matrix.ts";
import { addonPath } from "../../src/catalog/edit/everyday.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import type { Catalog } from "../../src/catalog/schema.ts";
import { formatMoney } from "../../src/domain/money.ts";
import { catalogFile } from "../../src/env/env.ts";
import { ADDONS, FILM_TYPES } from "../../src/vocabulary.ts";
import { addEditOptions, amountOf, type EditOptions, setPlace } from "../catalog/edits.ts";
import { examples } from "../terminal/help.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { listCommand } from "../terminal/subcommands.ts";
import { clean, table } from "../terminal/text.ts";
import { oneOfWords, wordArgument } from "../typed/words.ts";

export function configure(command: Command): void {
  command.addHelpText("after", examples("tint addon", "tint addon set sunroof ceramic 139"));
  listCommand(command)
    .summary("the extras and their prices")
    .description("The extras, their prices by film, and the minutes they add to a job.")
    .option("--json", "print JSON")
    .addHelpText("after", examples("tint addon list", "tint addon list --json"))
    .action(async (_options: EditOptions, self: Command) => {
      const { catalog: file, json } = self.optsWithGlobals<EditOptions>();
      const { catalog } = loadCatalog(catalogFile(file));
      await print(json ? jsonLine(addonsJson(catalog)) : addonList(catalog));
    });
  addEditOptions(command.command("set"))
    .summary("change the price of an extra")
    .description(
      "Changes the price of an extra with one of the films. For the name, minutes and terms use `tint catalog set`.",
    )
    .addArgument(wordArgument("<addon>", ADDONS))
    .addArgument(wordArgument("<film>", FILM_TYPES))
    .argument("<amount>", "dollars, like 79 or 79.50")
    .addHelpText(
      "after",
      examples(
        "tint addon set sunroof ceramic 139",
        "tint addon set windshield_strip standard 65 --dry-run",
        "tint catalog set automotive.addons.sunroof.minutes 60",
      ),
    )
    .action(async (typedAddon: string, typedFilm: string, amount: string, _options: EditOptions, self: Command) => {
      const addon = oneOfWords("an add-on", typedAddon, ADDONS);
      const film = oneOfWords("a film", typedFilm, FILM_TYPES);
      await setPlace(
        self.optsWithGlobals<EditOptions>(),
        addonPath(addon, film).join("."),
        amountOf(amount),
        (again) => `tint addon set ${addon} ${film} ${again}`,
      );
    });
}

/** The add-ons of GET /estimates, with the minutes, which the API does not tell. */
function addonsJson(catalog: Catalog) {
  return toEstimateMatrix(catalog).addons.map((addon) => ({
    ...addon,
    minutes: catalog.automotive.addons[addon.code].minutes,
  }));
}

function addonList({ automotive, currency }: Catalog): string {
  const rows = ADDONS.map((code) => {
    const { name, price, minutes, applies_to } = automotive.addons[code];
    return [
      code,
      clean(name),
      ...FILM_TYPES.map((film) => formatMoney(price[film], currency)),
      String(minutes),
      applies_to.join(", "),
    ];
  });
  return table(["add-on", "name", ...FILM_TYPES, "minutes", "with"], rows, ["name", "with"]);
}
