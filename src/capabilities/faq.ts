/** The questions and answers as customers read them: with the values of the catalog that the answers name. */

import { REFERENCE, type SpokenGroup } from "../catalog/path.ts";
import { type Shop, type ShownQuestion, textsOf } from "../catalog/shop.ts";
import { placeOf, vehicleInWords } from "../catalog/terms.ts";
import { specialDaysInWords, timeOfDay, weekInWords } from "../domain/dates-in-words.ts";
import { closingTime, rfc3339 } from "../domain/schedule.ts";
import { valueAt } from "../lib/fields.ts";
import { formatMoney } from "../lib/money.ts";
import { durationInWords } from "../lib/text.ts";
import { joinWithAnd } from "../schema/explain.ts";
import { allPriceNotes } from "./core/price-shapes.ts";

/** The questions that customers are shown, references filled in; all of them without a category. */
export function faqOf(catalog: Shop, category?: string) {
  return ofCategory(catalog, category).map((entry) => ({
    question: entry.question,
    answer: fillReferences(entry.answer, catalog),
    category: entry.category,
  }));
}

function ofCategory({ questions }: Shop, category: string | undefined): readonly ShownQuestion[] {
  return category === undefined ? questions : questions.filter((entry) => entry.category === category);
}

/** The most questions on the booking page. */
const MOST_ON_PAGE = 3;

/** The questions that stand on the booking page of a service; those about it alone come first. */
export function pageQuestions(service: string, catalog: Shop) {
  const category = catalog.services.find(({ key }) => key === service)?.faq_category;
  const marked = catalog.questions.filter((entry) => entry.on_page);
  const ofService = marked.filter(({ services }) => services?.includes(service));
  const others = marked.filter(
    (entry) => !entry.services && (entry.category === category || entry.category === "general"),
  );
  return [...ofService, ...others]
    .slice(0, MOST_ON_PAGE)
    .map(({ question, answer }) => ({ question, answer: fillReferences(answer, catalog) }));
}

/** `We are open now, until 6:00 PM.` before an answer about opening hours; nothing before others. */
export function openNow(question: string, catalog: Shop, now: Temporal.Instant): string {
  const isAboutHours = catalog.questions.some(
    (one) => one.question === question && one.answer.includes("{business.hours}"),
  );
  if (!isAboutHours) return "";
  const closes = closingTime(catalog, now.epochMilliseconds);
  return closes === null
    ? "We are closed now. "
    : `We are open now, until ${timeOfDay(rfc3339(catalog, closes).slice(11, 16))}. `;
}

/** How answers write what customers read in words. */
const SPOKEN: Readonly<Record<SpokenGroup, (shop: Shop) => string>> = {
  "business.hours": ({ business }) => weekInWords(business),
  "business.special_hours": ({ business }) => specialDaysInWords(business),
  "business.service_area": ({
    business: {
      service_area: { label, counties },
    },
  }) => (counties.length > 0 ? `${label} (${joinWithAnd(counties)} counties)` : label),
  "business.credentials": ({ business: { credentials } }) =>
    credentials
      .map(({ name, issuer, verified }) => {
        const notes = [issuer, verified ? "can be verified" : "not verified by others"].filter(Boolean);
        return `${name} (${notes.join(", ")})`;
      })
      .join("; ") || "none are published",
  "services.places": placesInWords,
  "automotive.lowest_prices": lowestPrices,
  "automotive.coverages": ({ automotive }) =>
    Object.values(automotive.coverages)
      .map(({ name }) => name)
      .join("; "),
  "automotive.addons": (shop) =>
    Object.values(shop.automotive.addons)
      .map(({ name, price }) => `${name} (${byFilm(shop, (film) => formatMoney(price[film] ?? 0, shop.currency))})`)
      .join("; ") || "none",
  "automotive.vehicle_types": ({ terms }) => joinWithAnd([...terms.vehicleNames.values()]),
  "automotive.warranties": (shop) =>
    byFilm(shop, (film) => shop.automotive.films[film]?.warranty ?? "none is published"),
};

const byFilm = ({ automotive }: Shop, value: (film: string) => string) =>
  Object.entries(automotive.films)
    .map(([film, { name }]) => `${name}: ${value(film)}`)
    .join(", ");

/** `at our shop in Marietta: film removal; at your place: …` */
function placesInWords({ services, business: { address } }: Shop): string {
  const at = { shop: `at our shop in ${address.locality}`, customer: "at your place" };
  const places = Object.entries(at).flatMap(([place, words]) => {
    const names = services.filter((one) => placeOf(one) === place).map(({ name }) => name);
    return names.length > 0 ? [`${words}: ${names.join(", ")}`] : [];
  });
  return places.join("; ");
}

/** The least that a tint job costs: `coupe $119; sedan and wagon $129 (Standard film, front two windows)`. */
function lowestPrices({ automotive, terms, currency }: Shop): string {
  const lowest = terms.vehicleTypes.flatMap((type) => {
    const prices = terms.films.flatMap((film) =>
      Object.entries(automotive.vehicle_types[type]?.[film] ?? {}).map(([coverage, cents]) => ({
        film,
        coverage,
        cents,
      })),
    );
    const [least] = prices.toSorted((a, b) => a.cents - b.cents);
    if (!least) return [];
    const work = `${automotive.films[least.film]?.name}, ${automotive.coverages[least.coverage]?.name}`;
    return [{ type: vehicleInWords(type, { automotive }), price: formatMoney(least.cents, currency), work }];
  });
  const byWork = Map.groupBy(lowest, ({ work }) => work);
  return [...byWork]
    .map(([work, all]) => {
      const byPrice = [...Map.groupBy(all, ({ price }) => price)];
      return `${byPrice.map(([price, cars]) => `${joinWithAnd(cars.map(({ type }) => type))} ${price}`).join(", ")} (${work})`;
    })
    .join("; ");
}

/** Replaces each path in braces by the catalog's value there: money, hours, area and minutes in words, others as they are. */
export function fillReferences(text: string, catalog: Shop): string {
  const { deposit, site } = catalog;
  const told = { ...catalog, site: { ...site, texts: textsOf(deposit?.services[0] ?? "", catalog) } };
  return text.replace(WITH_UNIT, (braces, dotted: string, unit = "") => {
    if (dotted === "price_note") return allPriceNotes(catalog) + unit;
    if (isSpoken(dotted)) return SPOKEN[dotted](catalog) + unit;
    const path = dotted.split(".");
    const value = valueAt(told, path);
    if (typeof value === "string") return value + unit;
    if (typeof value !== "number") return braces;
    if (path.some((part) => IS_MINUTES.test(part))) return durationInWords(value);
    return (isMoney(path) ? formatMoney(value, catalog.currency) : value) + unit;
  });
}

/** An owner may have written the unit behind it. */
const WITH_UNIT = new RegExp(`${REFERENCE.source}( minutes)?`, "g");
const IS_MINUTES = /(?:^|_)minutes$/;

function isSpoken(dotted: string): dotted is SpokenGroup {
  return Object.hasOwn(SPOKEN, dotted);
}

/** Loaded for the first answer with a number, because a server that starts does not need the schema of the catalog. */
let settings: typeof import("../catalog/settings.ts") | undefined;

function isMoney(path: string[]): boolean {
  settings ??= require("../catalog/settings.ts") as typeof import("../catalog/settings.ts");
  return settings.settingAt(path)?.money ?? false;
}
