/** `tint addon`: add-ons and their prices. */
import type { Command } from "commander";
import { addonPrices } from "../../src/capabilities/estimate/matrix.ts";
import { addonPath } from "../../src/catalog/edit/everyday.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import type { Catalog } from "../../src/catalog/schema.ts";
import { entryOf, words } from "../../src/catalog/words.ts";
import { formatMoney } from "../../src/domain/money.ts";
import { catalogFile } from "../../src/env/env.ts";
import { addEditOptions, amountOf, type EditOptions, setPlace } from "../catalog/edits.ts";
import { wordsForHelp, wordsToEdit } from "../shop/words.ts";
import { examples } from "../terminal/help.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { listCommand } from "../terminal/subcommands.ts";
import { clean, table } from "../terminal/text.ts";
import { oneOfWords, wordArgument } from "../typed/words.ts";

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  const shop = await wordsForHelp(args);
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
    .addArgument(wordArgument("<addon>", shop.addons))
    .addArgument(wordArgument("<film>", shop.films))
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
      const options = self.optsWithGlobals<EditOptions>();
      const shop = wordsToEdit(catalogFile(options.catalog));
      const addon = shop ? oneOfWords("an add-on", typedAddon, shop.addons) : typedAddon;
      const film = shop ? oneOfWords("a film", typedFilm, shop.films) : typedFilm;
      await setPlace(
        options,
        addonPath(addon, film).join("."),
        amountOf(amount),
        (again) => `tint addon set ${addon} ${film} ${again}`,
      );
    });
}

/** The add-ons of GET /estimates, with the minutes, which the API does not tell. */
function addonsJson(catalog: Catalog) {
  return addonPrices(catalog).map((addon) => ({
    ...addon,
    minutes: entryOf(catalog.automotive.addons, addon.code).minutes,
  }));
}

function addonList(catalog: Catalog): string {
  const { addons, films } = words(catalog);
  const rows = addons.map((code) => {
    const { name, price, minutes, applies_to } = entryOf(catalog.automotive.addons, code);
    return [
      code,
      clean(name),
      ...films.map((film) => formatMoney(entryOf(price, film), catalog.currency)),
      String(minutes),
      applies_to.join(", "),
    ];
  });
  return table(["add-on", "name", ...films, "minutes", "with"], rows, ["name", "with"]);
}
