/** `tint addon`: add-ons and their prices. */
import { Option } from "commander";
import { addonPrices } from "../../src/capabilities/estimate-matrix.ts";
import { addonPath } from "../../src/catalog/edit/everyday.ts";
import { type AddonFacts, addAddon } from "../../src/catalog/edit/terms.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { ADDON_POSITIONS } from "../../src/catalog/sections/automotive.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { entryOf, type Terms, termsOf } from "../../src/catalog/terms.ts";
import { formatMoney } from "../../src/lib/money.ts";
import { addAskedEditOptions, amountOf, setSetting } from "../catalog/edits.ts";
import {
  addFactOptions,
  addTerm,
  defaultName,
  type Fact,
  givenFacts,
  inEntry,
  type NewWordOptions,
  newWord,
  numberOf,
  setTerm,
  termCommands,
} from "../catalog/term-commands.ts";
import { catalogWithoutIssues, wordsForHelp } from "../catalog/terms.ts";
import { catalogSource } from "../shop/catalog.ts";
import { textTable } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import { clean, UsageError } from "../terminal/output.ts";
import { choiceOption, readWord, wordArgument } from "../typed/enums.ts";

interface AddOptions extends NewWordOptions {
  price: string;
  appliesTo?: string[];
  position?: AddonFacts["position"];
}

const ADDON = {
  kind: "addon" as const,
  what: "an add-on",
  wordsOf: ({ addons }: Terms) => addons,
  nameOf: ({ automotive }: Shop, addon: string) => entryOf(automotive.addons, addon).name,
  facts: [
    { flag: "name", takes: "text", about: "as customers read it (by default the word)", at: inEntry("addons", "name") },
    {
      ...{ flag: "minutes", takes: "number", about: "how much longer the job takes; 0 for none" },
      ...{ at: inEntry("addons", "minutes"), isNumber: true },
    },
    {
      ...{ flag: "suggest", takes: "text", about: "why to buy it; estimates without it then propose it" },
      at: inEntry("addons", "suggest"),
    },
    { flag: "terms", takes: "text", about: "conditions that customers read", at: inEntry("addons", "terms") },
  ] satisfies Fact[],
};

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  const shop = await wordsForHelp(args);
  const [addon = "brow"] = shop.addons;
  const film = shop.films.at(-1);
  const set = `tint addon set ${addon} ${film} 139`;
  const add = "tint addon add brow --price 60 --minutes 20";
  const remove = "tint addon remove brow";
  command.examples("tint addon", set, add, remove);
  const extra = termCommands(command, ADDON, shop);
  extra.list(
    "the extras and their prices",
    "The extras, their prices by film, and the minutes they add to a job.",
    (catalog) => ({ rows: addonsJson(catalog), text: addonList(catalog) }),
  );
  addFactOptions(addAskedEditOptions(command.command("set")), ADDON.facts)
    .summary("change an extra: its price with a film, its name, its minutes")
    .description(
      "Changes the price of an extra with one of the films, or with the options what customers read of it and how long it takes.",
    )
    .addArgument(wordArgument("<addon>", shop.addons))
    .addArgument(wordArgument("[film]", shop.films))
    .argument("[amount]", "dollars, like 79 or 79.50")
    .examples(
      set,
      `tint addon set ${addon} ${film} 65 --dry-run`,
      `tint addon set ${addon} --minutes 60 --name "Brow strip"`,
    )
    .action(async (typedAddon: string, typedFilm = "", amount = "", options: NewWordOptions) => {
      const shop = catalogWithoutIssues(catalogSource(options))?.terms;
      const addon = shop ? readWord("an add-on", typedAddon, shop.addons) : typedAddon;
      if (typedFilm === "") return setTerm(options, ADDON.facts, addon);
      if (amount === "") throw new UsageError(`The amount is missing, like: tint addon set ${addon} ${typedFilm} 79`);
      const film = shop ? readWord("a film", typedFilm, shop.films) : typedFilm;
      await setSetting(
        options,
        addonPath(addon, film).join("."),
        amountOf(amount),
        (again) => `tint addon set ${addon} ${film} ${again}`,
      );
    });

  const adding = extra
    .add(
      "sell another extra",
      "Adds an extra. Without --applies-to it goes with every service that is priced by film.",
      "brow",
    )
    .requiredOption("--price <dollars>", `one price, or a price for each film like ${pricesByFilm(shop.films)}`)
    .addOption(new Option("--applies-to <services...>", "the services it can be bought with").choices(shop.services))
    .addOption(choiceOption("--position <window>", "the window it covers, for the tint law", ADDON_POSITIONS))
    .examples(add, `tint addon add brow --price ${pricesByFilm(shop.films)} --minutes 20 --dry-run`)
    .action(addNewAddon);
  addFactOptions(adding, ADDON.facts);
  for (const option of adding.options) if (option.name() === "minutes") option.makeOptionMandatory();

  extra.rename(`tint addon rename ${addon} brow_strip`);
  extra.move(`tint addon move ${addon} --last`);
  extra.remove("no longer sell an extra", "Removes an extra. Bookings already made keep it.", add, remove);
}

/** `standard=60,ceramic=80`, as an example. */
function pricesByFilm(films: readonly string[]): string {
  return films.map((film, i) => `${film}=${60 + 20 * i}`).join(",");
}

async function addNewAddon(typed: string, given: AddOptions): Promise<void> {
  const { price, appliesTo, position = null, ...options } = given;
  const addon = newWord(typed);
  const shop = termsOf(loadCatalog(catalogSource(options)).catalog);
  const facts = {
    name: defaultName(addon),
    price: readPrices(price, shop.films),
    applies_to: appliesTo ?? shop.services.filter((service) => shop.pricedBy.get(service) === "film"),
    position,
    ...givenFacts(ADDON.facts, options, addon),
  };
  await addTerm(options, "addon", addon, (text) => addAddon(text, addon, facts));
}

/** @param typed one amount for all films, or `film=amount` for each, with commas between. @throws UsageError */
function readPrices(typed: string, films: readonly string[]): Record<string, number> {
  if (!typed.includes("=")) {
    const amount = numberOf(typed, "--price");
    return Object.fromEntries(films.map((film) => [film, amount]));
  }
  const given = new Map(
    typed.split(",").map((part) => {
      const [film = "", amount = ""] = part.split("=");
      return [readWord("a film", film.trim(), films), numberOf(amount, "--price")] as const;
    }),
  );
  const missing = films.filter((film) => !given.has(film));
  if (missing.length > 0) throw new UsageError(`--price names no amount for ${missing.join(", ")}.`);
  return Object.fromEntries(given);
}

/** The add-ons of GET /estimates, with the minutes, which the API does not show. */
function addonsJson(catalog: Shop) {
  return addonPrices(catalog).map((addon) => ({
    ...addon,
    minutes: entryOf(catalog.automotive.addons, addon.code).minutes,
  }));
}

function addonList(catalog: Shop): string {
  const { addons, films } = catalog.terms;
  const rows = addons.map((code) => {
    const { name, price, minutes, applies_to } = entryOf(catalog.automotive.addons, code);
    return [
      code,
      clean(name),
      ...films.map((film) => formatMoney(entryOf(price, film), catalog.currency, 2)),
      String(minutes),
      applies_to.join(", "),
    ];
  });
  return textTable(["add-on", "name", ...films, "minutes", "with"], rows, ["name", "with"]);
}
