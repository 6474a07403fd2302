/** `tint film`: the films for vehicles. */
import { addFilm, type FilmFacts } from "../../src/catalog/edit/own-words.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { entryOf, words } from "../../src/catalog/words.ts";
import type { EditOptions } from "../catalog/edits.ts";
import {
  addNewWordOptions,
  addOwnWord,
  addRemovalOptions,
  type NewWordOptions,
  nameOf,
  newWord,
  numberOf,
  removeOwnWord,
  type WordOptions,
} from "../catalog/own-words.ts";
import { wordsForHelp } from "../catalog/words.ts";
import { catalogSource } from "../shop/catalog.ts";
import type { Command } from "../terminal/command.ts";
import { clean, jsonLine, print, table } from "../terminal/output.ts";
import { choiceOption, oneOfWords, wordArgument } from "../typed/words.ts";

interface AddOptions extends NewWordOptions {
  like: string;
  name?: string;
  description?: string;
  ir?: string;
  uv?: string;
  warranty?: string;
}

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  const { films, referenceFilm } = await wordsForHelp(args);
  const add = `tint film add carbon --like ${referenceFilm} --name "Carbon"`;
  const remove = `tint film remove ${films.at(-1)}`;
  command.examples("tint film", add, remove);
  command
    .list()
    .summary("the films")
    .description("The films, in the order in which customers see them.")
    .option("--json", "print JSON")
    .examples("tint film list", "tint film list --json")
    .action(list);

  addNewWordOptions(command.command("add"))
    .summary("sell another film")
    .description(
      "Adds a film with every price and length of another one. Change its prices afterwards with tint price set and tint addon set.",
    )
    .argument("<film>", "the new word, like carbon")
    .addOption(choiceOption("--like <film>", "the film whose prices and facts are copied", films).makeOptionMandatory())
    .option("--name <text>", "as customers read it (by default the word)")
    .option("--description <text>", "one or two sentences for customers")
    .option("--ir <percent>", "infrared heat kept out")
    .option("--uv <percent>", "UV kept out")
    .option("--warranty <text>", "like Limited lifetime")
    .examples(add, `tint film add carbon --like ${referenceFilm} --ir 70 --dry-run`)
    .action(addOne);

  addRemovalOptions(command.command("remove"))
    .summary("no longer sell a film")
    .description("Removes a film with its prices. Bookings already made keep theirs.")
    .addArgument(wordArgument("<film>", films))
    .examples(remove, `${remove} --dry-run`)
    .action(removeOne);
}

async function list({ catalog: file, json }: EditOptions): Promise<void> {
  const { catalog } = loadCatalog(catalogSource({ catalog: file }));
  const { films, referenceFilm } = words(catalog);
  const rows = films.map((film) => ({
    film,
    ...entryOf(catalog.automotive.films, film),
    reference: film === referenceFilm,
    default: film === catalog.automotive.defaults.film_type,
  }));
  const text = table(
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
  await print(json ? jsonLine(rows) : text);
}

async function addOne(typed: string, { like, name, description, ir, uv, warranty, ...options }: AddOptions) {
  const film = newWord(typed);
  const facts: FilmFacts = {
    name: name ?? nameOf(film),
    ...(description !== undefined && { description }),
    ...(ir !== undefined && { ir_rejection_pct: numberOf(ir, "--ir") }),
    ...(uv !== undefined && { uv_rejection_pct: numberOf(uv, "--uv") }),
    ...(warranty !== undefined && { warranty }),
  };
  await addOwnWord(options, "film", film, (text) => addFilm(text, film, like, facts));
}

async function removeOne(typed: string, options: WordOptions): Promise<void> {
  const { catalog } = loadCatalog(catalogSource(options));
  const film = oneOfWords("a film", typed, words(catalog).films);
  await removeOwnWord(options, "film", film, [entryOf(catalog.automotive.films, film).name]);
}
