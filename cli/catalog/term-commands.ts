/** The shape that `tint film`, `tint vehicle` and `tint addon` share: they list, add and remove the shop's own words of a kind. */
import type { z } from "zod";
import { storedConfirmation } from "../../src/capabilities/booking/confirmation.ts";
import { setFlow, setScalar } from "../../src/catalog/edit/changes.ts";
import type { Edit } from "../../src/catalog/edit/save.ts";
import {
  addSynonyms,
  moveWord,
  orderedWords,
  removeWord,
  renameWord,
  textsThatMention,
  type WordKind,
} from "../../src/catalog/edit/terms.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { differencesOf, readLayout } from "../../src/catalog/load/values.ts";
import type { Path, ScalarValue } from "../../src/catalog/path.ts";
import { word as wordSchema } from "../../src/catalog/sections/values.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import type { Terms } from "../../src/catalog/terms.ts";
import { dataLocation } from "../../src/env/env.ts";
import { valueAt } from "../../src/lib/fields.ts";
import { capitalized, counted, spaced } from "../../src/lib/text.ts";
import type { Booking } from "../../src/store/store.ts";
import { catalogSource } from "../shop/catalog.ts";
import { hasDatabase, withStore } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, clean, jsonLine, print, UsageError } from "../terminal/output.ts";
import { startInWords } from "../terminal/wording.ts";
import { choiceOption, readWord, wordArgument, wordOption } from "../typed/enums.ts";
import { plainNumber, readAll, readField } from "../typed/values.ts";
import { addAskedEditOptions, differenceInWords, type EditOptions, makeEdit } from "./edits.ts";

export type WordOptions = EditOptions & { anyway?: boolean; synonym?: string[] };

export interface Term {
  kind: WordKind;
  /** In a refusal: `a film`. */
  what: string;
  wordsOf: (shop: Terms) => readonly string[];
  /** The word as customers read it; absent where they read the word itself. */
  nameOf?: (catalog: Shop, word: string) => string;
  bookedIn: (booked: z.output<typeof storedConfirmation>) => readonly (string | null | undefined)[];
  facts: readonly Fact[];
}

/** A text that customers read about a film, a vehicle type or an extra; an option of `add` and of `set`. */
interface Fact {
  /** The option, and the argument that it takes. */
  flag: string;
  takes: string;
  about: string;
  at: (word: string) => Path;
  isNumber: boolean;
}

/** @param place in the section `automotive`, with `*` for the word */
export function fact(flag: string, takes: string, about: string, place: string, isNumber = false): Fact {
  const path = ["automotive", ...place.split(".")];
  return { flag, takes, about, isNumber, at: (word) => path.map((key) => (key === "*" ? word : key)) };
}

export function addFactOptions(command: Command, facts: readonly Fact[]): Command {
  command.optionsGroup("What it is:");
  for (const { flag, takes, about } of facts) command.option(`--${flag} <${takes}>`, about);
  return command;
}

export function givenFacts(facts: readonly Fact[], options: object, word: string): Record<string, ScalarValue> {
  return Object.fromEntries(factValues(facts, options, word).map(({ path, value }) => [String(path.at(-1)), value]));
}

function factValues(facts: readonly Fact[], options: object, word: string) {
  const given: Readonly<Record<string, string | undefined>> = { ...options };
  const typed = facts.filter(({ flag }) => given[flag] !== undefined);
  const read = ({ flag, isNumber }: Fact) =>
    isNumber ? numberOf(given[flag] ?? "", `--${flag}`) : (given[flag] ?? "");
  return readAll(...typed.map((fact) => () => ({ path: fact.at(word), value: read(fact) })));
}

type MoveOptions = WordOptions & { before?: string; after?: string; first?: boolean; last?: boolean };

/** Makes the subcommands of a kind of word. @param shop the words that the help lists */
export function termCommands(command: Command, { kind, what, wordsOf, nameOf, bookedIn, facts }: Term, shop: Terms) {
  const words = wordsOf(shop);
  const changing = (name: string, summary: string, description: string) =>
    addAskedEditOptions(command.subcommand(name, summary)).description(description);
  const changingOne = (name: string, summary: string, description: string) =>
    changing(name, summary, description).addArgument(wordArgument(`<${kind}>`, words));
  /** Reads typed words as those of the catalog, which is loaded once. */
  const reading = (options: WordOptions) => {
    const known = wordsOf(loadCatalog(catalogSource(options)).catalog.terms);
    return (typed: string) => readWord(what, typed, known);
  };
  const bookingsWith = async ({ data }: WordOptions, word: string): Promise<Booking[]> => {
    if (!hasDatabase(dataLocation(data))) return [];
    const now = Temporal.Now.instant().epochMilliseconds;
    const upcoming = await withStore({ data }, (store) => store.upcoming(now, ["confirmed", "held"]));
    const booked = upcoming.map(({ answer }) => storedConfirmation.safeParse(answer).data);
    return upcoming.filter((_, i) => booked[i] && bookedIn(booked[i]).includes(word));
  };
  const made = {
    list(summary: string, description: string, read: (catalog: Shop) => { rows: readonly object[]; text: string }) {
      command
        .list(summary)
        .description(description)
        .examples(`tint ${kind} list`, `tint ${kind} list --json`)
        .jsonAction(async ({ catalog, json }: EditOptions) => {
          const { rows, text } = read(loadCatalog(catalogSource({ catalog })).catalog);
          await print(json ? jsonLine(rows) : text);
        });
    },
    add: (summary: string, description: string, newWord: string): Command =>
      changing("add", summary, description)
        .option("--synonym <words...>", "other words that mean it, when customers or assistants use them")
        .argument(`<${kind}>`, `the new word, like ${newWord}`),
    /** Adds a word with the prices of another one. @param change adds it to the text */
    addLike(
      [summary, description, newWord]: [summary: string, description: string, newWord: string],
      copied: string,
      change: (text: string, word: string, like: string, options: WordOptions) => string,
    ) {
      return made
        .add(summary, description, newWord)
        .addOption(choiceOption(`--like <${kind}>`, copied, words).makeOptionMandatory())
        .action(async (typed: string, { like, ...options }: WordOptions & { like: string }) => {
          const word = newWordOf(typed);
          await addTerm(options, kind, word, (text) => change(text, word, like, options));
        });
    },
    set(summary: string, description: string, example: string) {
      addFactOptions(changingOne("set", summary, description), facts)
        .examples(example)
        .action((typed: string, options: WordOptions) => setTerm(options, facts, reading(options)(typed)));
    },
    rename(example: string) {
      const about = `Puts another word in place of ${what}, everywhere in the catalog. The old word is understood from then on as another one for it; bookings already made keep it.`;
      changingOne("rename", `give ${what} another word`, about)
        .argument("<word>", "the new word")
        .examples(example, `${example} --dry-run`)
        .action(async (typed: string, typedTo: string, options: WordOptions) => {
          const [word, to] = [reading(options)(typed), newWordOf(typedTo)];
          const { length } = await bookingsWith(options, word);
          const booked = counted(length, "booking to come keeps", "bookings to come keep");
          const { text } = await makeWordEdit(options, (was) => renameWord(was, kind, word, to));
          if (!booked.startsWith("0")) process.stderr.write(`Note: ${booked} the word ${word}.\n`);
          noteMentions(text, [word]);
        });
    },
    move(example: string) {
      changingOne("move", `show ${what} earlier or later`, "Changes the order in which customers see them.")
        .addOption(wordOption(`--before <${kind}>`, "in front of this one", words))
        .addOption(wordOption(`--after <${kind}>`, "behind this one", words))
        .option("--first", "in front of all")
        .option("--last", "behind all")
        .examples(example, `${example} --dry-run`)
        .action(async (typed: string, options: MoveOptions) => {
          const read = reading(options);
          await moveTerm(options, kind, read(typed), read);
        });
    },
    /** @param examples which add a word before they remove it, because the shop's own may be in texts and bookings */
    remove(summary: string, description: string, ...examples: string[]) {
      changingOne("remove", summary, description)
        .option("--anyway", "also with bookings to come; they keep their price and time")
        .examples(...examples)
        .action(async (typed: string, options: WordOptions) => {
          const { catalog } = loadCatalog(catalogSource(options));
          const word = readWord(what, typed, wordsOf(catalog.terms));
          const booked = await bookingsWith(options, word);
          if (booked.length > 0 && !options.anyway) throw stillBooked(word, booked);
          const { text } = await makeWordEdit(options, (was) => removeWord(was, kind, word));
          noteMentions(text, nameOf ? [word, nameOf(catalog, word)] : [word]);
        });
    },
  };
  return made;
}

export function addTerm(options: WordOptions, kind: WordKind, word: string, change: (text: string) => string) {
  const synonyms = (options.synonym ?? []).map(newWordOf);
  return makeWordEdit(options, (text) => addSynonyms(change(text), kind, word, synonyms));
}

export function newWordOf(typed: string): string {
  const { value, issue } = readField(wordSchema, typed.trim().toLowerCase().replaceAll(/[ -]+/g, "_"));
  if (value === undefined) throw new UsageError(`${clean(typed)} ${issue}.`);
  return value;
}

/** The name of a word on screens and estimates: `brow_strip` becomes `Brow strip`. */
export function defaultName(word: string): string {
  return capitalized(spaced(word));
}

export function numberOf(typed: string, flag: string): number {
  const plain = plainNumber(typed);
  if (!/^\d{1,7}(\.\d{1,2})?$/.test(plain))
    throw new UsageError(`${clean(typed)} is not a number. Write ${flag} like 60.`);
  return Number(plain);
}

function makeWordEdit(options: WordOptions, change: (text: string) => string): Promise<Edit> {
  return makeEdit(options, change, {
    words: differenceInWords,
    json: (edit) => ({ differences: differencesOf(edit) }),
    question: () => `Save this in ${clean(catalogSource(options).name)}?`,
  });
}

export async function setTerm(options: WordOptions, facts: readonly Fact[], word: string): Promise<void> {
  const given = factValues(facts, options, word);
  if (given.length === 0) throw new UsageError("Say what to change; --help lists the options.");
  await makeWordEdit(options, (text) =>
    given.reduce((edited, { path, value }) => {
      const group = path.slice(0, -1);
      return valueAt(readLayout(edited).source, group) === undefined
        ? setFlow(edited, group, { [String(path.at(-1))]: value })
        : setScalar(edited, path, value);
    }, text),
  );
}

/** @param read the word that was typed for a neighbor */
async function moveTerm(options: MoveOptions, kind: WordKind, word: string, read: (typed: string) => string) {
  const { before, after, first, last } = options;
  const given = [before, after, first, last].filter((one) => one !== undefined);
  if (given.length !== 1) throw new UsageError("Say where to: --first, --last, --before or --after another one.");
  const neighbor = before ?? after;
  const at = (all: readonly string[]) => {
    const others = all.filter((one) => one !== word);
    if (neighbor === undefined) return first ? 0 : others.length;
    const place = others.indexOf(read(neighbor));
    if (place < 0) throw new UsageError(`${word} cannot be beside itself.`);
    return after === undefined ? place : place + 1;
  };
  await makeEdit(options, (text) => moveWord(text, kind, word, at(orderedWords(text, kind))), {
    words: ({ was, text }) => `${orderedWords(was, kind).join(", ")}\n→ ${orderedWords(text, kind).join(", ")}`,
    unchanged: "has that order already",
    json: ({ text }) => ({ order: orderedWords(text, kind) }),
  });
}

function stillBooked(word: string, booked: readonly Booking[]): CliError {
  const lines = booked.map((one) => `  ${one.confirmationCode}, ${startInWords(one, Temporal.Now.instant())}\n`);
  const [has, them, keep] =
    booked.length === 1
      ? ["a booking", "it", "the booking keeps its"]
      : [`${booked.length} bookings`, "them", "the bookings keep their"];
  return new CliError(
    `${word} is in ${has} to come:\n${lines.join("")}Move or cancel ${them} first. With --anyway ${word} is removed, and ${keep} price and time.`,
  );
}

/** Names the texts that still speak of a word. @param names of it, the word first */
function noteMentions(text: string, names: string[]): void {
  const mentions = textsThatMention(readLayout(text), names);
  if (mentions.length > 0)
    process.stderr.write(
      `Note: texts may still speak of ${names[0]}, at\n${mentions.map((at) => `  ${at}\n`).join("")}`,
    );
}
