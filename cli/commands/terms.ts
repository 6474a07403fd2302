/** `tint film`, `tint vehicle` and `tint addon`: the words of the price list, with what customers read of each. */
import { Option } from "commander";
import { addonPrices } from "../../src/capabilities/estimate-matrix.ts";
import { addonPath } from "../../src/catalog/edit/everyday.ts";
import { type AddonFacts, addAddon, addFilm, addVehicleType } from "../../src/catalog/edit/terms.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { ADDON_POSITIONS } from "../../src/catalog/sections/automotive.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { coverageLabel, entryOf, type Terms, termsOf } from "../../src/catalog/terms.ts";
import { formatMoney } from "../../src/lib/money.ts";
import { addAskedEditOptions, amountOf, setSetting } from "../catalog/edits.ts";
import {
  addFactOptions,
  addTerm,
  defaultName,
  fact,
  givenFacts,
  newWordOf,
  numberOf,
  setTerm,
  type Term,
  termCommands,
  type WordOptions,
} from "../catalog/term-commands.ts";
import { catalogWithoutIssues, wordsForHelp } from "../catalog/terms.ts";
import { catalogSource } from "../shop/catalog.ts";
import { textTable } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import { clean, UsageError } from "../terminal/output.ts";
import { choiceOption, readWord, wordArgument } from "../typed/enums.ts";

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  const shop = await wordsForHelp(args);
  if (command.name() === "film") configureFilm(command, shop);
  else if (command.name() === "vehicle") configureVehicle(command, shop);
  else configureAddon(command, shop);
}

const FILM: Term = {
  kind: "film",
  what: "a film",
  wordsOf: ({ films }) => films,
  nameOf: ({ automotive }, film) => entryOf(automotive.films, film).name,
  bookedIn: ({ film_type }) => [film_type],
  facts: [
    fact("name", "text", "as customers read it (by default the word)", "films.*.name"),
    fact("description", "text", "one or two sentences for customers", "films.*.description"),
    fact("ir", "percent", "infrared heat kept out", "films.*.ir_rejection_pct", true),
    fact("uv", "percent", "UV kept out", "films.*.uv_rejection_pct", true),
    fact("warranty", "text", "like Limited lifetime", "films.*.warranty"),
  ],
};

function configureFilm(command: Command, shop: Terms): void {
  const { films, referenceFilm } = shop;
  const add = `tint film add carbon --like ${referenceFilm} --name "Carbon"`;
  const remove = "tint film remove carbon";
  command.examples("tint film", add, remove);
  const film = termCommands(command, FILM, shop);
  film.list("the films", "The films, in the order in which customers see them.", filmRows);
  const adding = film.addLike(
    [
      "sell another film",
      "Adds a film with every price and length of another one. Change its prices afterwards with tint price set and tint addon set.",
      "carbon",
    ],
    "the film whose prices and facts are copied",
    (text, word, like, options) =>
      addFilm(text, word, like, { name: defaultName(word), ...givenFacts(FILM.facts, options, word) }),
  );
  adding.examples(add, `tint film add carbon --like ${referenceFilm} --ir 70 --dry-run`);
  addFactOptions(adding, FILM.facts);
  film.set(
    "change what customers read of a film",
    "Changes a film's name, description or figures. Prices: tint price set.",
    `tint film set ${films.at(-1)} --name "Ceramic Plus" --ir 95`,
  );
  film.rename(`tint film rename ${films.at(-1)} nano`);
  film.move(`tint film move ${films.at(-1)} --first`);
  const about = "Removes a film with its prices. Bookings already made keep theirs.";
  film.remove("no longer sell a film", about, add, remove);
}

function filmRows({ automotive, terms: { films, referenceFilm } }: Shop) {
  const rows = films.map((film) => ({
    film,
    ...entryOf(automotive.films, film),
    reference: film === referenceFilm,
    default: film === automotive.defaults.film_type,
  }));
  const text = textTable(
    ["film", "name", "heat (IR)", "UV", "shades", "warranty", "note"],
    rows.map((row) => [
      row.film,
      clean(row.name),
      `${row.ir_rejection_pct}%`,
      `${row.uv_rejection_pct}%`,
      row.shades.map(({ label }) => label).join(" "),
      clean(row.warranty),
      [row.default && "default", row.reference && "others are compared with it"].filter(Boolean).join(", "),
    ]),
    ["note", "warranty", "name"],
  );
  return { rows, text };
}

const VEHICLE: Term = {
  kind: "vehicle",
  what: "a vehicle type",
  wordsOf: ({ vehicleTypes }) => vehicleTypes,
  bookedIn: ({ vehicle }) => [vehicle?.type],
  facts: [
    fact("name", "text", "as customers read it", "vehicle_names.*"),
    fact("about", "text", "one line that tells it from the others", "vehicle_facts.*.about"),
  ],
};

function configureVehicle(command: Command, shop: Terms): void {
  const last = shop.vehicleTypes.at(-1);
  const add = `tint vehicle add minivan --like ${last}`;
  const remove = "tint vehicle remove minivan";
  command.examples("tint vehicle", add, remove);
  const vehicle = termCommands(command, VEHICLE, shop);
  vehicle.list(
    "the vehicle types",
    "The vehicle types, with the class that the tint law puts them in and the minutes of a tint job.",
    vehicleRows,
  );
  const adding = vehicle.addLike(
    [
      "price another vehicle type",
      "Adds a vehicle type with every price and length of another one, in the same class of the tint law. Change its prices afterwards with tint price set.",
      "minivan",
    ],
    "the vehicle type whose prices are copied",
    addVehicleType,
  );
  adding.examples(add, `${add} --dry-run`);
  vehicle.set(
    "change what customers read of a vehicle type",
    "Changes the name or the line about it. Prices: tint price set.",
    `tint vehicle set ${last} --name "Van or minibus"`,
  );
  vehicle.rename(`tint vehicle rename ${last} minivan`);
  vehicle.move(`tint vehicle move ${last} --first`);
  const about = "Removes a vehicle type with its prices. Bookings already made keep theirs.";
  vehicle.remove("no longer price a vehicle type", about, add, remove);
}

function vehicleRows(catalog: Shop) {
  const { vehicleTypes, coverages } = catalog.terms;
  const minutesOf = (vehicle: string, coverage: string) => {
    const minutes = entryOf(catalog.scheduling.job_minutes, coverage);
    return typeof minutes === "number" ? minutes : entryOf(minutes, vehicle);
  };
  const rows = vehicleTypes.map((vehicle) => ({
    vehicle_type: vehicle,
    class: entryOf(catalog.tint_law.vehicle_class, vehicle),
    confirm_class: catalog.tint_law.confirm_class.includes(vehicle),
    minutes: Object.fromEntries(coverages.map((coverage) => [coverage, minutesOf(vehicle, coverage)])),
  }));
  const text = textTable(
    ["vehicle", "class", ...coverages.map((coverage) => `minutes, ${coverageLabel(coverage, catalog)}`)],
    rows.map((row) => [
      row.vehicle_type,
      row.confirm_class ? `${row.class}, to be checked` : row.class,
      ...Object.values(row.minutes).map(String),
    ]),
  );
  return { rows, text };
}

const ADDON: Term = {
  kind: "addon",
  what: "an add-on",
  wordsOf: ({ addons }) => addons,
  nameOf: ({ automotive }, addon) => entryOf(automotive.addons, addon).name,
  bookedIn: ({ addons }) => addons ?? [],
  facts: [
    fact("name", "text", "as customers read it (by default the word)", "addons.*.name"),
    fact("minutes", "number", "how much longer the job takes; 0 for none", "addons.*.minutes", true),
    fact("suggest", "text", "why to buy it; estimates without it then propose it", "addons.*.suggest"),
    fact("terms", "text", "conditions that customers read", "addons.*.terms"),
  ],
};

function configureAddon(command: Command, shop: Terms): void {
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
    addonRows,
  );
  const setting = command.subcommand("set", "change an extra: its price with a film, its name, its minutes");
  addFactOptions(addAskedEditOptions(setting), ADDON.facts)
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
    .action(async (typedAddon: string, typedFilm = "", amount = "", options: WordOptions) => {
      const shop = catalogWithoutIssues(catalogSource(options))?.terms;
      const addon = shop ? readWord("an add-on", typedAddon, shop.addons) : typedAddon;
      if (typedFilm === "") return setTerm(options, ADDON.facts, addon);
      if (amount === "") throw new UsageError(`The amount is missing, like: tint addon set ${addon} ${typedFilm} 79`);
      const film = shop ? readWord("a film", typedFilm, shop.films) : typedFilm;
      const again = (was: string) => `tint addon set ${addon} ${film} ${was}`;
      await setSetting(options, addonPath(addon, film).join("."), amountOf(amount), again);
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

type AddOptions = WordOptions & { price: string; appliesTo?: string[]; position?: AddonFacts["position"] };

async function addNewAddon(typed: string, given: AddOptions): Promise<void> {
  const { price, appliesTo, position = null, ...options } = given;
  const addon = newWordOf(typed);
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

/** For `--json` the add-ons of GET /estimates, with the minutes, which the API does not show. */
function addonRows(catalog: Shop) {
  const entries = catalog.automotive.addons;
  const { addons, films } = catalog.terms;
  const cells = addons.map((code) => {
    const { name, price, minutes, applies_to } = entryOf(entries, code);
    const prices = films.map((film) => formatMoney(entryOf(price, film), catalog.currency, 2));
    return [code, clean(name), ...prices, String(minutes), applies_to.join(", ")];
  });
  return {
    rows: addonPrices(catalog).map((addon) => ({ ...addon, minutes: entryOf(entries, addon.code).minutes })),
    text: textTable(["add-on", "name", ...films, "minutes", "with"], cells, ["name", "with"]),
  };
}
