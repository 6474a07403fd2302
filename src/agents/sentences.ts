/** Plain sentences to the agent: what is asked for, as a request of a capability, and its answer in words. */
import { type CapabilityId, requiresConsent } from "../capabilities/core/operations.ts";
import type { Call } from "../capabilities/core/protocol.ts";
import { offers, usable } from "../capabilities/index.ts";
import { searchFaq } from "../capabilities/search-faq.ts";
import type { Shop } from "../catalog/shop.ts";
import { vehicleInWords } from "../catalog/terms.ts";
import { apiUrl } from "../discovery/common.ts";
import { requiredFields } from "../discovery/manifest.ts";
import { dayAndDate, dayAndTime, timeOfDay, weekInWords } from "../domain/dates-in-words.ts";
import { shopDate } from "../domain/schedule.ts";
import { bookUrl } from "../job/forms.ts";
import { field, isObject } from "../lib/fields.ts";
import { formatMoney, toCents } from "../lib/money.ts";
import { capitalized, spaced } from "../lib/text.ts";
import { joinWithAnd } from "../schema/explain.ts";
import { LIMITS, markedFields } from "../schema/fields.ts";
import {
  asksPrice,
  asksWhatIsOffered,
  carsAsked,
  isQuestion,
  lawsAsked,
  READ,
  type Wish,
  wishIn,
  workWish,
} from "./wishes.ts";
import { namesSeveral } from "./work-named.ts";

/** @param use answers a request of a capability */
export async function spokenAnswer(
  said: string,
  { catalog, now }: Pick<Call, "catalog" | "now">,
  use: (name: CapabilityId, input: object) => Promise<object>,
): Promise<{ text: string; data: object }> {
  const sentence = said.trim();
  const text = sentence.slice(0, READ);
  const { business } = catalog;
  const page = bookUrl({}, catalog);
  const contact = `Open ${weekInWords(business)}. Phone ${business.phone}.${page ? ` Book: ${page}` : ""}`;
  const whichFirst = (rule: string, names: readonly string[], inputs: readonly object[]) => {
    const [, another] = names;
    const message = `${rule} ${another ? `Which one first: ${names.join(" or ")}?` : `Ask about one first: ${names[0]}.`}`;
    const next_actions = inputs.map((input) => ({ capability: "automotive_estimate", input }));
    return { text: `${message}\n\n${contact}`, data: { message, next_actions } };
  };
  const answer = async (wish: Wish) => {
    const laws = lawsAsked(wish, text, catalog);
    const states = laws.map(({ jurisdiction }) => catalog.tint_law.jurisdictions[jurisdiction]?.name ?? jurisdiction);
    if (laws.length > 0) return whichFirst("A shade is checked in one state at a time.", states, laws);
    const data = await use(wish.name, wish.input);
    const isOpen = namedList(field(data, "next_actions")).some(
      (step) => field(step, "capability") === "cancel_booking",
    );
    const undone = wish.isUndone && isOpen ? ` ${HOW_TO_CANCEL}` : "";
    return { text: `${answerInWords(wish.name, data, catalog)}${undone}\n\n${contact}`, data };
  };
  const { found, isSure } = searchFaq(sentence, catalog, now);
  const [best] = found;
  // Work that the shop says nothing about has no price here, and a question about something else is answered, surely or
  // where only the vehicle or the building is named. A booking is found and made all the same.
  const isOtherThan = (work: object[]) => {
    const isBare = work.flatMap(Object.keys).every((named) => /^vehicle_|^site_type$/.test(named));
    return best ? (isSure || isBare) && !asksPrice(best.question, catalog) : isSure;
  };
  const cars = carsAsked(text, catalog);
  const [car] = cars;
  const isSeveral = cars.length > 1 || (car && car.vehicle_model === undefined && namesSeveral(text, catalog));
  if (isSeveral && !(asksPrice(sentence, catalog) && isOtherThan(cars))) {
    const names = cars.map(({ vehicle_make, vehicle_model, vehicle_type }) =>
      vehicle_model ? `the ${vehicle_make} ${vehicle_model}` : `the ${vehicleInWords(String(vehicle_type), catalog)}`,
    );
    return whichFirst("Prices and bookings are for one car at a time.", names, cars);
  }
  const wish = wishIn(text, catalog, shopDate(catalog, now));
  const isPrice = wish?.name === "flat_glass_estimate" || (wish?.name === "automotive_estimate" && !wish.input.service);
  if (wish && offers(catalog, wish.name) && !(isPrice && isOtherThan([wish.input]))) return answer(wish);
  const work = best || isSure ? undefined : workWish(text, catalog);
  const isTold = ["shade", "windows"].some((name) => work?.input[name] !== undefined);
  if (work && offers(catalog, work.name) && (isTold || !isQuestion(sentence))) return answer(work);
  if (!best && !isQuestion(sentence)) {
    const data = { ...skills(catalog), phone: business.phone, ...(page && { book_url: page }) };
    return {
      text: `${asksWhatIsOffered(sentence) ? "" : "I did not understand that. "}${whatToAsk(catalog)}\n\n${contact}`,
      data,
    };
  }
  const asked = await use("list_faq", { q: sentence.slice(0, LIMITS.search) || "?" });
  const data = best ? { ...asked, data: [best] } : asked;
  return { text: `${best ? `${best.question} ${best.answer}` : field(data, "message")}\n\n${contact}`, data };
}

const HOW_TO_CANCEL =
  "Nothing was cancelled. To cancel it, say only that, with its code and phone, or call cancel_booking.";

function whatToAsk(catalog: Shop): string {
  const { vehicle_type, vehicle_make, vehicle_model } = catalog.terms.example;
  const type = vehicleInWords(vehicle_type, catalog);
  const car = [vehicle_make, vehicle_model].filter(Boolean).join(" ") || type;
  const examples: [CapabilityId, string][] = [
    ["automotive_estimate", `a price: How much is tint for a ${car}?`],
    ["check_availability", `open times: Which times are open for my ${type}?`],
    ["book_appointment", `a booking: I want to book my ${type}.`],
    ["find_booking", "a booking of yours: Find my booking, with its code and your phone."],
    ["list_faq", `a question: ${catalog.questions[0]?.question ?? "When are you open?"}`],
  ];
  const lines = examples.filter(([id]) => offers(catalog, id)).map(([, example]) => `- ${example}`);
  return ["You can ask for", ...lines, "Programs send a data part with a capability and its input."].join("\n");
}

/** The capabilities with the fields that they need, short enough for any conversation, without those that only lead to the phone. */
function skills(catalog: Shop): object {
  return {
    capabilities: usable(catalog).map((capability) => {
      const needs = [...markedFields(capability.input(catalog), "first"), ...requiredFields(capability, catalog)];
      return {
        id: capability.id,
        ...(needs.length > 0 && { needs }),
        ...(requiresConsent(capability) && { consent: true }),
      };
    }),
    manifest: apiUrl(catalog, "/capabilities"),
  };
}

/** Open times in one answer: enough to choose from. */
const MOST_DAYS = 3;
const MOST_TIMES = 4;

/** The answer of a capability in a sentence or two; undefined where data says it better. */
function answerInWords(name: CapabilityId, body: object, catalog: Shop): string {
  if (field(body, "success") !== true) {
    const asked = namedList(field(field(body, "usage"), "fill_in_hints"));
    const said = asked.map((hint) => `${field(hint, "field")} "${field(hint, "given")}"`);
    return `${field(body, "message")}${said.length > 0 ? ` Not understood: ${joinWithAnd(said)}.` : ""}`;
  }
  const data = field(body, "data");
  const money = (units: unknown) => formatMoney(toCents(Number(units)), catalog.currency);
  const list = (key: string) => namedList(field(data, key));
  const told = namedList(field(body, "warnings")).map((one) => String(field(one, "message")));
  switch (name) {
    case "automotive_estimate": {
      const prices = list("options").map((one) => {
        const film = field(field(one, "film"), "name");
        return `${film === undefined ? "" : `${film} `}${money(field(one, "total"))}`;
      });
      const lines = namedList(field(data, "line_items")).map((line) => String(field(line, "label")));
      const car = String(field(field(data, "vehicle"), "description"));
      const total = `${joinWithAnd(lines)}: ${money(field(data, "total"))}.`;
      const films = prices.length > 1 ? [`${car}: ${joinWithAnd(prices)}.`] : [];
      return [total, ...films, ...told, field(data, "price_note")].join(" ");
    }
    case "flat_glass_estimate": {
      const prices = list("options").map((one) => `${field(one, "label")} ${money(field(one, "total"))}`);
      return `${field(data, "total_sqft")} square feet of glass: ${joinWithAnd(prices)}. ${field(data, "price_note")}`;
    }
    case "check_availability": {
      const days = [...list("days"), ...(isObject(data) ? [data] : [])].flatMap((day) => {
        const times = namedList(field(day, "slots")).filter((slot) => field(slot, "available") === true);
        const first = times.slice(0, MOST_TIMES).map((slot) => timeOfDay(String(field(slot, "time"))));
        return first.length > 0 ? [`${dayAndDate(String(field(day, "date")))}: ${first.join(", ")}`] : [];
      });
      const open = days.slice(0, MOST_DAYS).join("; ");
      return open === "" ? "No time is open in these days." : `Open times. ${open}.`;
    }
    case "book_appointment":
    case "find_booking":
    case "reschedule_booking":
    case "cancel_booking": {
      const [date, time] = [String(field(data, "date")), String(field(data, "time"))];
      const total = field(field(data, "estimate"), "total");
      const facts = [
        dayAndTime(date, time),
        field(data, "duration"),
        field(field(data, "vehicle"), "description"),
        total === undefined ? undefined : money(total),
      ];
      const status = capitalized(spaced(String(field(data, "status"))));
      const [payment, messages] = [field(data, "payment"), field(data, "messages")];
      const paid = [field(field(data, "deposit"), "said"), field(payment, "note"), field(payment, "url")];
      const after = [...paid, field(data, "prepare"), field(messages, "said")];
      const texts = (all: unknown[]) => all.filter((one) => typeof one === "string");
      return [`${status}: ${texts(facts).join(", ")}.`, ...told, ...texts(after)].join(" ");
    }
    default:
      return [field(body, "message"), field(data, "message")].find((one) => typeof one === "string") ?? "";
  }
}

const namedList = (value: unknown): object[] => (Array.isArray(value) ? value.filter(isObject) : []);
