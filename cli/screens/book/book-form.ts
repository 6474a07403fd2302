/** The state of the booking form and its keys: a time, the car with film and shade, the customer, and the rest behind "more…". */
import { ownerBooking } from "../../../src/capabilities/desk/owner.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { addDays } from "../../../src/domain/schedule.ts";
import type { Slot, Start } from "../../../src/domain/slots.ts";
import { durationInWords, spaced } from "../../../src/lib/text.ts";
import type { KnownFields } from "../../customers/customers.ts";
import { siteNote } from "../../customers/leads.ts";
import { BOOKING_FIELDS } from "../../diary/booking-fields.ts";
import { carFields, carMeant } from "../../typed/cars.ts";
import { asWord } from "../../typed/enums.ts";
import { typedRequest } from "../../typed/requests.ts";
import { jobFields, requestFields } from "../estimate/estimate-form.ts";
import { type KeyBinding, key, pair } from "../kit/bindings.tsx";
import { type Field, type FormState, focusOn, LETTERS, newState, textIn, withTexts } from "../kit/form.tsx";

/** The car as the customer says it. */
export const CAR = "vehicle_model";
/** The lines that are typed, by field of the request; price and length are no fields of it. */
const NAMES = [
  ...(["vehicle_model", "customer_name", "customer_phone", "address"] as const),
  ...(["customer_email", "special_requests", "price", "length"] as const),
];
const TEXTS = NAMES.map((name): Field => {
  const { label, hint } = name === CAR ? { label: "Car", hint: "21 highlander" } : BOOKING_FIELDS[name];
  return { name, label, hint, isProse: name === "special_requests" };
});
/** The rows that are kept in no line: day, time, and what leads to the rest. */
const DAY = { name: "day", label: "Day" };
const TIME = { name: "time", label: "Time" };
const MORE = { name: "more", label: "more…", hint: "Enter: note, price, extras" };

export interface BookForm {
  date: string;
  /** A day that was typed stays, even without a free time. */
  isDayTyped: boolean;
  /** Empty until a time is chosen; then the first free one counts. */
  time: string;
  state: FormState;
  isWhole: boolean;
  /** The lead that the booking comes from; empty without one. */
  lead: string;
  /** Whether the owner said the class of the car, or the customer before: then an unknown model keeps it. */
  isClassSaid: boolean;
}

/** What is asked on the phone; the rest is behind "more…". */
const ASKED = [CAR, "vehicle_type", "film_type", "shade", "customer_name", "customer_phone"];
const FIRST_BEHIND = "customer_email";
/** The texts of a site visit or a job at a house or office, which has neither a car nor a price list. */
const ON_SITE = [
  ...["length", "address", "customer_name", "customer_phone", "price", "customer_email", "special_requests"],
];

/** The service of the form where it has no prices for vehicles: the shop drives there. */
export function onSiteService({ state }: BookForm, catalog: Shop): Shop["services"][number] | undefined {
  const service = textIn(state, "service");
  return catalog.terms.pricedBy.has(service) ? undefined : catalog.services.find(({ key }) => key === service);
}

/** The rows in the order in which a customer is asked; the rest only once it was asked for. */
export function rowsOf(form: BookForm, catalog: Shop, isWhole = form.isWhole): Field[] {
  const site = onSiteService(form, catalog);
  if (site) {
    const minutes = catalog.scheduling.default_minutes[site.id];
    const hints: Record<string, string> = {
      price: "none: a site visit",
      ...(minutes !== undefined && { length: `usually ${durationInWords(minutes)}` }),
    };
    const texts = fieldsNamed(TEXTS, ON_SITE);
    return [DAY, TIME, ...texts.map((text) => ({ ...text, hint: hints[text.name] ?? text.hint }))];
  }
  const all = [...TEXTS.filter(({ name }) => name !== "address"), ...jobFields(catalog, "vehicle")];
  const rest = isWhole ? all.filter(({ name }) => !ASKED.includes(name)) : [MORE];
  return [DAY, TIME, ...fieldsNamed(all, ASKED), ...rest];
}

function fieldsNamed(fields: readonly Field[], names: readonly string[]): Field[] {
  return names.flatMap((name) => fields.filter((field) => field.name === name));
}

/** The form, filled from the text of `startingWith`. @param about that text, or a date, or nothing */
export function newBookForm(catalog: Shop, today: string, about: string): BookForm {
  const given: Record<string, string> = about.startsWith("{") ? JSON.parse(about) : { date: about };
  const { date = "", time = "", addons = "", lead = "", vehicle_year: year, vehicle_make: make, ...values } = given;
  const car = [year, make, values[CAR]].filter(Boolean).join(" ");
  const extras = Object.fromEntries(addons.split(" ").flatMap((one) => (one === "" ? [] : [[one, "yes"]])));
  const usual = newState([DAY, ...TEXTS, ...jobFields(catalog, "vehicle")]);
  const isClassSaid = values.vehicle_type !== undefined;
  const form: BookForm = {
    ...{ date: date === "" ? today : date, isDayTyped: false, time, isWhole: false, lead, isClassSaid },
    state: withTexts(usual, { ...values, [CAR]: isClassSaid ? car : "", ...extras }),
  };
  // Behind "more…" may be what is not as the shop usually has it.
  const shown = rowsOf(form, catalog, false).map(({ name }) => name);
  const isWhole = rowsOf(form, catalog, true).some(
    ({ name }) => !shown.includes(name) && textIn(form.state, name) !== textIn(usual, name),
  );
  // A car without its class, as some leads tell it, is read as if it were typed now.
  const typed = withTexts(form.state, { [CAR]: car });
  return withState({ ...form, isWhole }, typed, catalog);
}

/** The form after a field has changed. A car that the catalog knows picks its class; of one that it does not, the class is asked. */
export function withState(form: BookForm, state: FormState, catalog: Shop): BookForm {
  const changed = { ...form, state };
  const car = textIn(state, CAR);
  if (car === textIn(form.state, CAR))
    return textIn(state, CLASS) === textIn(form.state, CLASS) ? changed : { ...changed, isClassSaid: true };
  const known = carMeant(car, catalog)?.vehicleType ?? classIn(car, catalog);
  if (known === undefined && form.isClassSaid) return changed;
  const unknown = car === "" ? (catalog.terms.vehicleTypes[0] ?? "") : "";
  return { ...changed, state: withTexts(state, { [CLASS]: known ?? unknown }), isClassSaid: false };
}

const CLASS = "vehicle_type";

/** The class that is one of the words: `white truck`. */
function classIn(car: string, catalog: Shop): string | undefined {
  const words = car.split(/\s+/).map(asWord);
  return catalog.terms.vehicleTypes.find((type) => words.includes(type));
}

/** Whether a car is named, but neither it nor the owner says of which class it is. */
export function isClassOpen(form: BookForm, catalog: Shop): boolean {
  return textIn(form.state, CLASS) === "" && !onSiteService(form, catalog);
}

/** The form with what is known of a customer, in the fields that are empty. */
export function filledFrom(form: BookForm, known: KnownFields): BookForm {
  const given = Object.entries(known).filter(([name]) => TEXTS.some((text) => text.name === name));
  const texts = Object.fromEntries(given.filter(([name]) => textIn(form.state, name) === ""));
  const filled = { ...form, state: withTexts(form.state, texts) };
  const { vehicle_type, film_type, shade } = known;
  // The class of the car goes with the car, and so does what it had the last time.
  if (texts[CAR] === undefined || vehicle_type === undefined) return filled;
  const again = { vehicle_type, ...(film_type && { film_type }), ...(shade && { shade }) };
  return { ...filled, state: withTexts(filled.state, again), isClassSaid: true };
}

/** On the row of a name. @param isRefused what stands there is corrected in place */
export function atRow(form: BookForm, name: string, catalog: Shop, isRefused = false): BookForm {
  const isWhole = form.isWhole || !rowsOf(form, catalog).some((row) => row.name === name);
  const row = rowsOf(form, catalog, isWhole).find((one) => one.name === name);
  return row ? { ...form, isWhole, state: focusOn(form.state, row, isRefused) } : form;
}

export function isBegun({ state }: BookForm, opened: BookForm): boolean {
  return TEXTS.some(({ name }) => textIn(state, name) !== textIn(opened.state, name));
}

/** A note for a booking whose car nobody named: the class that came first in the form was priced. Empty otherwise. */
export function unnamedCar({ state, ...form }: BookForm, catalog: Shop): string {
  const type = textIn(state, CLASS);
  const isNamed = textIn(state, CAR) !== "" || type !== catalog.terms.vehicleTypes[0];
  return isNamed || onSiteService({ state, ...form }, catalog) ? "" : ` No car was named: priced as a ${spaced(type)}.`;
}

export function requestBody(form: BookForm, start: Start, catalog: Shop): object {
  const { state } = form;
  const isOnSite = onSiteService(form, catalog) !== undefined;
  const fields = jobFields(catalog, "vehicle").filter(({ name }) => !isOnSite || name === "service");
  const job = requestFields(state, fields).map(([name, values]): [string, string[]] => [
    name === "service" ? "service_type" : name,
    values,
  ]);
  const texts = TEXTS.flatMap(({ name }): [string, string[]][] => {
    const text = textIn(state, name);
    if (name === "special_requests" && isOnSite) return [[name, [siteNote(textIn(state, "address"), text)]]];
    return ["price", "length", "address", CAR].includes(name) || text === "" ? [] : [[name, [text]]];
  });
  const all: [string, string[]][] = [["date", [start.date]], ["time", [start.time]], ...job, ...texts];
  const car = textIn(state, CAR);
  return {
    ...typedRequest(all, ownerBooking.input(catalog), catalog),
    ...(!isOnSite && car !== "" && carFields(car, catalog)),
  };
}

type FreeOn = (date: string) => readonly Slot[];
export type SetForm = (change: (form: BookForm) => BookForm) => void;

/** Enter goes on to the next field; from the phone on it books, as soon as the customer has a name. Tab goes on to the next part. */
export function partKeys(
  form: BookForm,
  catalog: Shop,
  setForm: SetForm,
  { save, say }: { save: () => unknown; say: (text: string) => void },
): KeyBinding[] {
  const { state } = form;
  const rows = rowsOf(form, catalog);
  const at = rows.findIndex(({ name }) => name === state.at);
  const place = (name: string) => rows.findIndex((row) => row.name === name);
  const to = (row: number) => setForm(() => atRow(form, rows[row % rows.length]?.name ?? "", catalog));
  const enter = (does: string, run: () => void) =>
    key("enter", does, run, "Go on; from the phone on, book as soon as the name is there.");
  const isAtText = TEXTS.some(({ name }) => name === state.at) && state.at !== CAR;
  const isNamed = textIn(state, "customer_name") !== "";
  const hasPhone = textIn(state, "customer_phone") !== "";
  const noName = () => {
    say("A name is needed; any will do.");
    to(place("customer_name"));
  };
  // From one part of the form (time, car, customer, the rest) to the next; a class that is still open comes before the customer.
  const parts = [0, place(CAR), place("customer_name"), place("customer_phone") + 1];
  const isOpen = state.at === CAR && isClassOpen(form, catalog);
  const part = isOpen ? at + 1 : (parts.find((start) => start > at) ?? 0);
  const wholeHelp = "Show what else a booking can have.";
  return [
    state.at === MORE.name
      ? key("enter", "show", () => setForm(() => atRow(form, FIRST_BEHIND, catalog)), wholeHelp)
      : // The class of a car that the catalog knows needs no look.
        state.at === CAR && carMeant(textIn(state, CAR), catalog)
        ? enter("next", () => to(at + 2))
        : !isAtText || (state.at === "customer_name" && !(isNamed && hasPhone))
          ? enter("next", () => to(at + 1))
          : !isNamed
            ? enter("next", noName)
            : enter(hasPhone ? "book" : "book without a phone", save),
    key("tab", "next part", () => to(part), "Go to the car, to the customer, to the rest, to the time."),
  ];
}

/** The arrows go to another free day or time; the first character of one opens the question for it. */
export function startKeys(
  what: "day" | "time",
  form: BookForm,
  freeOn: FreeOn,
  catalog: Shop,
  setForm: SetForm,
  ask: (typed: string) => unknown,
): KeyBinding[] {
  const day = (by: number) => {
    const date = freeDay(addDays(form.date, by), by, freeOn, catalog) ?? form.date;
    return { date, time: freeOn(date)[0]?.time ?? "", isDayTyped: false };
  };
  const time = (by: number) => {
    const times = freeOn(form.date).map((slot) => slot.time);
    const at = Math.max(0, times.indexOf(form.time));
    return { time: times[(at + by + times.length) % times.length] ?? "" };
  };
  const other = what === "day" ? day : time;
  const [arrows, letters] =
    what === "day"
      ? ["The day with a free time before or after.", "Any other day: type it, like friday or 11/27."]
      : ["The free time before or after.", "Any other time: type it, like 2:30pm."];
  return [
    pair(["left"], ["right"], "←→", what, arrows, (by) => setForm(() => ({ ...form, ...other(by) }))),
    { on: LETTERS, label: "a-z 0-9", does: "other", help: letters, run: ({ text }) => ask(text) },
  ];
}

/** The first day with a free time, from a date on in steps of `by` days; undefined when there is none. */
export function freeDay(from: string, by: number, freeOn: FreeOn, { scheduling }: Shop): string | undefined {
  for (let days = 0; days <= scheduling.horizon_days; days++) {
    const date = addDays(from, by * days);
    if (freeOn(date).length > 0) return date;
  }
  return undefined;
}
