/** A car as the owner hears it. The API takes exact names alone; the desk forgives a typo, and says what it took. */
import { type KnownModel, modelIn } from "../../src/catalog/models.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { otherVehicleIn } from "../../src/catalog/words.ts";
import { folded } from "../../src/lib/text.ts";
import { didYouMean, mistakesBetween } from "../../src/schema/explain.ts";
import { asWord } from "./enums.ts";

export interface MeantCar extends KnownModel, CarParts {
  /** Says what was taken for a name that is not spelled like this; empty for one that is. */
  understood: string;
}

interface CarParts {
  /** Absent where no year was said. */
  year?: number;
  make: string;
  /** As the catalog spells it, with what else was said of it. */
  model: string;
}

/** @returns the model that was said; with a typo in it, the only one that is near */
export function carMeant(typed: string, catalog: Shop): MeantCar | undefined {
  const { vehicleTypes } = catalog.terms;
  if (vehicleTypes.includes(asWord(typed))) return undefined;
  const known = modelIn(typed, catalog);
  if (known) return { ...known, ...partsOf(typed, known), understood: "" };
  // What is nearly the name of a class is no model, and a golf cart no Golf.
  if (didYouMean(asWord(typed), vehicleTypes) ?? otherVehicleIn(typed, catalog)) return undefined;
  const meant = nearestModel(typed, catalog);
  return meant && { ...meant, ...partsOf(typed, meant), understood: `Understood as ${meant.name}.` };
}

/** The fields of a request for a car as it is said: year, make and model of one that the catalog knows, else the words. */
export function carFields(typed: string, catalog: Shop): object {
  const { year, make, model = typed } = carMeant(typed, catalog) ?? {};
  return { ...(year && { vehicle_year: year }), ...(make && { vehicle_make: make }), vehicle_model: model };
}

function partsOf(typed: string, { name }: KnownModel): CarParts {
  const [make = ""] = name.split(" ");
  const [, year, car = typed.trim()] = /^'?((?:19|20)\d\d|\d\d)\s+(.+)$/.exec(typed.trim()) ?? [];
  const hasMake = car.toLowerCase().startsWith(`${make.toLowerCase()} `);
  const model = spelled(hasMake ? car.slice(make.length).trim() : car, name.slice(make.length + 1));
  return { make, model, ...(year && { year: fullYear(year) }) };
}

/** A model as it was said, with its name as the catalog spells it: `cr-v ex` as `CR-V ex`. */
function spelled(said: string, name: string): string {
  const words = said.split(/\s+/);
  const wrong = (run: readonly string[]) => {
    const typed = plain(run.join(""));
    return typed === plain(name) ? 0 : lettersWrong(typed, plain(name));
  };
  const [nearest = []] = runsOf(words).toSorted((a, b) => wrong(a) - wrong(b));
  return Number.isFinite(wrong(nearest)) ? said.replace(nearest.join(" "), name) : said;
}

function runsOf<Word>(words: readonly Word[]): Word[][] {
  return words.flatMap((_, from) => words.slice(from).map((_, more) => words.slice(from, from + more + 1)));
}

/** `21` as 2021, and `98` as 1998. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year + (year > (Temporal.Now.plainDateISO().year % 100) + 1 ? 1900 : 2000);
}

/** The longest text that is looked at. */
const MOST_WORDS = 12;

function nearestModel(typed: string, catalog: Shop): KnownModel | undefined {
  const words = typed.split(/\s+/).map(plain).filter(Boolean).slice(0, MOST_WORDS);
  const models = catalog.models.all.map((known) => {
    const [make = "", ...model] = known.name.split(" ");
    return { known, make: plain(make), model: plain(model.join("")) };
  });
  const makes = new Set(models.map(({ make }) => make));
  const named = words.filter((word) => makes.has(word));
  const runs = runsOf(words).map((run) => run.join(""));
  const near = models.flatMap(({ known, make, model }) => {
    // A model of another make than the one that was said is not meant.
    if (!named.every((word) => word === make || model.includes(word))) return [];
    const wrong = Math.min(...runs.map((run) => lettersWrong(run, model)));
    return Number.isFinite(wrong) ? [{ known, wrong, length: model.length }] : [];
  });
  // Of a Cherokee and a Grand Cherokee the longer name says more.
  const [nearest, next] = near.toSorted((a, b) => a.wrong - b.wrong || b.length - a.length);
  return next?.wrong === nearest?.wrong && next?.length === nearest?.length ? undefined : nearest?.known;
}

/** From this length on a name may have two mistakes, and three, as Highlander in hylander has. */
const [LONG, VERY_LONG] = [7, 10];

/** How many letters are wrong. The first letter and all digits are right: an X3 is no X5. */
function lettersWrong(typed: string, model: string): number {
  const isAlike = typed[0] === model[0] && digitsIn(typed) === digitsIn(model);
  const usual = Math.min(mistakesIn(typed), mistakesIn(model));
  const allowed = model.length < LONG ? Math.min(1, usual) : model.length < VERY_LONG ? usual : usual + 1;
  if (!isAlike || allowed < 1 || Math.abs(typed.length - model.length) > allowed) return Number.POSITIVE_INFINITY;
  const wrong = mistakesBetween(typed, model);
  return wrong <= allowed ? wrong : Number.POSITIVE_INFINITY;
}

function digitsIn(text: string): string {
  return text.replace(/\D/g, "");
}

/** How many letters of a word may be wrong: none of a short one, which may mean anything, two from six letters on. */
export function mistakesIn({ length }: string): number {
  return length < 4 ? 0 : length < 6 ? 1 : 2;
}

export function plain(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]/gu, "");
}
