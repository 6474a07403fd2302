/** `tint film`: the films for vehicles. */
import { addFilm, type FilmFacts } from "../../src/catalog/edit/terms.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import type { Path } from "../../src/catalog/path.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { entryOf, type Terms, termsOf } from "../../src/catalog/terms.ts";
import {
  addTerm,
  defaultName,
  type NewWordOptions,
  newWord,
  numberOf,
  setTerm,
  termCommands,
} from "../catalog/term-commands.ts";
import { wordsForHelp } from "../catalog/terms.ts";
import { catalogSource } from "../shop/catalog.ts";
import { textTable } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import { clean } from "../terminal/output.ts";
import { choiceOption, readWord } from "../typed/enums.ts";

interface SetOptions extends NewWordOptions {
  name?: string;
  description?: string;
  ir?: string;
  uv?: string;
  warranty?: string;
}

interface AddOptions extends SetOptions {
  like: string;
}

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  const shop = await wordsForHelp(args);
  const { films, referenceFilm } = shop;
  const add = `tint film add carbon --like ${referenceFilm} --name "Carbon"`;
  const remove = `tint film remove ${films.at(-1)}`;
  command.examples("tint film", add, remove);
  const film = termCommands(command, FILM, shop);
  film.list("the films", "The films, in the order in which customers see them.", filmRows);
  film
    .add(
      "sell another film",
      "Adds a film with every price and length of another one. Change its prices afterwards with tint price set and tint addon set.",
      "carbon",
    )
    .addOption(choiceOption("--like <film>", "the film whose prices and facts are copied", films).makeOptionMandatory())
    .optionsGroup("What it is:")
    .option("--name <text>", "as customers read it (by default the word)")
    .option("--description <text>", "one or two sentences for customers")
    .option("--ir <percent>", "infrared heat kept out")
    .option("--uv <percent>", "UV kept out")
    .option("--warranty <text>", "like Limited lifetime")
    .examples(add, `tint film add carbon --like ${referenceFilm} --ir 70 --dry-run`)
    .action(addNewFilm);

  film
    .set(
      "change what customers read of a film",
      "Changes a film's name, description or figures. Prices: tint price set.",
    )
    .optionsGroup("What it is:")
    .option("--name <text>", "as customers read it")
    .option("--description <text>", "one or two sentences for customers")
    .option("--ir <percent>", "infrared heat kept out")
    .option("--uv <percent>", "UV kept out")
    .option("--warranty <text>", "like Limited lifetime")
    .examples(`tint film set ${films.at(-1)} --name "Ceramic Plus" --ir 95`)
    .action(setFilm);
  film.rename(`tint film rename ${films.at(-1)} nano`);
  film.move(`tint film move ${films.at(-1)} --first`);
  film.remove("no longer sell a film", "Removes a film with its prices. Bookings already made keep theirs.", remove);
}

const FILM = {
  kind: "film" as const,
  what: "a film",
  wordsOf: ({ films }: Terms) => films,
  nameOf: ({ automotive }: Shop, film: string) => entryOf(automotive.films, film).name,
};

function filmRows(catalog: Shop) {
  const { films, referenceFilm } = catalog.terms;
  const rows = films.map((film) => ({
    film,
    ...entryOf(catalog.automotive.films, film),
    reference: film === referenceFilm,
    default: film === catalog.automotive.defaults.film_type,
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
      [...(row.default ? ["default"] : []), ...(row.reference ? ["others are compared with it"] : [])].join(", "),
    ]),
    ["note", "warranty", "name"],
  );
  return { rows, text };
}

async function setFilm(typed: string, { name, description, ir, uv, warranty, ...options }: SetOptions) {
  const film = readWord("a film", typed, termsOf(loadCatalog(catalogSource(options)).catalog).films);
  const at = (key: string): Path => ["automotive", "films", film, key];
  await setTerm(options, [
    [at("name"), name],
    [at("description"), description],
    [at("ir_rejection_pct"), ir === undefined ? undefined : numberOf(ir, "--ir")],
    [at("uv_rejection_pct"), uv === undefined ? undefined : numberOf(uv, "--uv")],
    [at("warranty"), warranty],
  ]);
}

async function addNewFilm(typed: string, { like, name, description, ir, uv, warranty, ...options }: AddOptions) {
  const film = newWord(typed);
  const facts: FilmFacts = {
    name: name ?? defaultName(film),
    ...(description !== undefined && { description }),
    ...(ir !== undefined && { ir_rejection_pct: numberOf(ir, "--ir") }),
    ...(uv !== undefined && { uv_rejection_pct: numberOf(uv, "--uv") }),
    ...(warranty !== undefined && { warranty }),
  };
  await addTerm(options, "film", film, (text) => addFilm(text, film, like, facts));
}
