/** `tint film`: the films for vehicles. */

import { addFilm } from "../../src/catalog/edit/terms.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { entryOf, type Terms } from "../../src/catalog/terms.ts";
import {
  addFactOptions,
  addTerm,
  defaultName,
  type Fact,
  givenFacts,
  inEntry,
  type NewWordOptions,
  newWord,
  termCommands,
} from "../catalog/term-commands.ts";
import { wordsForHelp } from "../catalog/terms.ts";
import { textTable } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import { clean } from "../terminal/output.ts";
import { choiceOption } from "../typed/enums.ts";

const FILM = {
  kind: "film" as const,
  what: "a film",
  wordsOf: ({ films }: Terms) => films,
  nameOf: ({ automotive }: Shop, film: string) => entryOf(automotive.films, film).name,
  facts: [
    { flag: "name", takes: "text", about: "as customers read it (by default the word)", at: inEntry("films", "name") },
    {
      flag: "description",
      takes: "text",
      about: "one or two sentences for customers",
      at: inEntry("films", "description"),
    },
    {
      flag: "ir",
      takes: "percent",
      about: "infrared heat kept out",
      at: inEntry("films", "ir_rejection_pct"),
      isNumber: true,
    },
    { flag: "uv", takes: "percent", about: "UV kept out", at: inEntry("films", "uv_rejection_pct"), isNumber: true },
    { flag: "warranty", takes: "text", about: "like Limited lifetime", at: inEntry("films", "warranty") },
  ] satisfies Fact[],
};

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  const shop = await wordsForHelp(args);
  const { films, referenceFilm } = shop;
  const add = `tint film add carbon --like ${referenceFilm} --name "Carbon"`;
  const remove = "tint film remove carbon";
  command.examples("tint film", add, remove);
  const film = termCommands(command, FILM, shop);
  film.list("the films", "The films, in the order in which customers see them.", filmRows);
  const adding = film
    .add(
      "sell another film",
      "Adds a film with every price and length of another one. Change its prices afterwards with tint price set and tint addon set.",
      "carbon",
    )
    .addOption(choiceOption("--like <film>", "the film whose prices and facts are copied", films).makeOptionMandatory())
    .examples(add, `tint film add carbon --like ${referenceFilm} --ir 70 --dry-run`)
    .action(addNewFilm);
  addFactOptions(adding, FILM.facts);
  film.set(
    "change what customers read of a film",
    "Changes a film's name, description or figures. Prices: tint price set.",
    `tint film set ${films.at(-1)} --name "Ceramic Plus" --ir 95`,
  );
  film.rename(`tint film rename ${films.at(-1)} nano`);
  film.move(`tint film move ${films.at(-1)} --first`);
  film.remove(
    "no longer sell a film",
    "Removes a film with its prices. Bookings already made keep theirs.",
    add,
    remove,
  );
}

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

async function addNewFilm(typed: string, { like, ...options }: NewWordOptions & { like: string }) {
  const film = newWord(typed);
  const facts = { name: defaultName(film), ...givenFacts(FILM.facts, options, film) };
  await addTerm(options, "film", film, (text) => addFilm(text, film, like, facts));
}
