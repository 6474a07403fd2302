/** The state of the booking form: a time, the car with film and shade, the customer, and the rest behind "more…". */
import { ownerBooking } from "../../../src/capabilities/desk/owner.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import type { Slot, Start } from "../../../src/domain/slots.ts";
import { durationInWords, spaced } from "../../../src/lib/text.ts";
import { siteNote } from "../../customers/leads.ts";
import type { KnownFields } from "../../customers/repeat.ts";
import { BOOKING_FIELDS } from "../../diary/actions.ts";
import { carFields, carMeant } from "../../typed/cars.ts";
import { asWord } from "../../typed/enums.ts";
import { typedRequest } from "../../typed/requests.ts";
import {
  type EstimateField,
  type EstimateForm,
  estimateFields,
  fieldValue,
  newForm,
  requestFields,
  unfocused,
} from "../estimate/estimate-form.ts";
import { lineOf, selected, type TypedLine, trimmedText } from "../kit/typed-line.ts";

/** The lines that are typed, by field of the request; price and length are no fields of it. */
const TEXTS = [
  ...(["vehicle_model", "customer_name", "customer_phone", "address", "customer_email", "special_requests"] as const),
  ...(["price", "length"] as const),
].map((name) => ({ name, ...BOOKING_FIELDS[name] }));
export type TextName = (typeof TEXTS)[number]["name"];
/** The car as the customer says it. */
export const CAR = "vehicle_model" satisfies TextName;

/** A row of the form. */
export type FormRow =
  | { kind: "day" | "time" | "more"; label: string }
  | { kind: "job"; label: string; field: EstimateField }
  | { kind: "text"; label: string; name: TextName; hint: string };

export interface BookForm {
  date: string;
  /** A day that was typed stays, even without a free time. */
  isDayTyped: boolean;
  /** Empty until a time is chosen; then the first free one counts. */
  time: string;
  job: EstimateForm;
  texts: Readonly<Record<TextName, TypedLine>>;
  row: number;
  /** Whether the rows behind "more…" are shown. */
  isWhole: boolean;
  /** The lead that the booking comes from; empty without one. */
  lead: string;
  /** Whether the owner said the class of the car, or the customer before: then an unknown model keeps it. */
  isClassSaid: boolean;
}

/** The fields of the job that stand before the customer: what is asked on the phone. */
const ASKED: readonly EstimateField["name"][] = ["vehicle_type", "film_type", "shade"];
/** The texts that are behind "more…". */
const BEHIND: readonly TextName[] = ["customer_email", "special_requests", "price", "length"];

/** The texts of a site visit or a job at a house or office, which has neither a car nor a price list. */
const ON_SITE: readonly TextName[] = [
  ...(["length", "address", "customer_name", "customer_phone", "price", "customer_email", "special_requests"] as const),
];

/** The service of the form where it has no prices for vehicles: the shop drives there. */
export function onSiteService({ job }: BookForm, catalog: Shop): Shop["services"][number] | undefined {
  const { service = "" } = job.values;
  return catalog.terms.pricedBy.has(service) ? undefined : catalog.services.find(({ key }) => key === service);
}

/** The rows in the order in which a customer is asked; the rest only once it was asked for. */
export function rowsOf(form: BookForm, catalog: Shop, isWhole = form.isWhole): FormRow[] {
  const site = onSiteService(form, catalog);
  if (site) {
    const minutes = catalog.scheduling.default_minutes[site.id];
    const hints: Partial<Record<TextName, string>> = {
      price: "none: a site visit",
      ...(minutes !== undefined && { length: `usually ${durationInWords(minutes)}` }),
    };
    return [
      { kind: "day", label: "Day" },
      { kind: "time", label: "Time" },
      ...ON_SITE.flatMap((name) => TEXTS.filter((text) => text.name === name)).map((text) =>
        textRow({ ...text, hint: hints[text.name] ?? text.hint }),
      ),
    ];
  }
  const fields = estimateFields(catalog, "vehicle");
  const asked = ASKED.flatMap((name) => fields.filter((field) => field.name === name));
  const texts = TEXTS.filter(({ name }) => name !== "address").map(textRow);
  const isBehind = (row: FormRow) => row.kind === "text" && BEHIND.includes(row.name);
  const front = texts.filter((row) => !isBehind(row));
  return [
    { kind: "day", label: "Day" },
    { kind: "time", label: "Time" },
    ...front.slice(0, 1),
    ...asked.map(jobRow),
    ...front.slice(1),
    ...(isWhole
      ? [...texts.filter(isBehind), ...fields.filter((field) => !asked.includes(field)).map(jobRow)]
      : [{ kind: "more" as const, label: "more…" }]),
  ];
}

function jobRow(field: EstimateField): FormRow {
  return { kind: "job", label: field.label, field };
}

/** Whether something behind "more…" is not as the shop usually has it. */
function isRestFilled(form: BookForm, catalog: Shop): boolean {
  const usual = newForm(catalog);
  const shown = rowsOf(form, catalog, false).map(({ label }) => label);
  return rowsOf(form, catalog, true).some((row) => {
    if (shown.includes(row.label)) return false;
    if (row.kind === "text") return textIn(form, row.name) !== "";
    return row.kind === "job" && fieldValue(form.job, row.field) !== fieldValue(usual, row.field);
  });
}

function textRow(text: { name: TextName; label: string; hint: string }): FormRow {
  return { kind: "text", ...text };
}

/** The form with the focus on another row: what is there is selected, but for the note, which is prose. */
export function atRow(form: BookForm, row: number, rows: readonly FormRow[]): BookForm {
  const there = rows[row];
  const moved = { ...form, row, job: unfocused(form.job) };
  if (there?.kind !== "text" || there.name === "special_requests") return moved;
  return { ...moved, texts: { ...form.texts, [there.name]: selected(form.texts[there.name]) } };
}

/** The form after a text has changed. A car that the catalog knows picks its class; of one that it does not, the class is asked. */
export function withText(form: BookForm, name: TextName, line: TypedLine, catalog: Shop): BookForm {
  const texts = { ...form.texts, [name]: line };
  const car = trimmedText(line);
  if (name !== CAR || car === textIn(form, CAR)) return { ...form, texts };
  const known = carMeant(car, catalog)?.vehicleType ?? classIn(car, catalog);
  if (known === undefined && form.isClassSaid) return { ...form, texts };
  const unknown = car === "" ? newForm(catalog).values.vehicle_type : "";
  return { ...withClass(form, known ?? unknown), texts, isClassSaid: false };
}

function withClass(form: BookForm, type = ""): BookForm {
  return { ...form, job: { ...form.job, values: { ...form.job.values, vehicle_type: type } } };
}

/** The class that is one of the words: `white truck`. */
function classIn(car: string, catalog: Shop): string | undefined {
  const words = car.split(/\s+/).map(asWord);
  return catalog.terms.vehicleTypes.find((type) => words.includes(type));
}

/** Whether a car is named, but neither it nor the owner says of which class it is. */
export function isClassOpen(form: BookForm, catalog: Shop): boolean {
  return form.job.values.vehicle_type === "" && !onSiteService(form, catalog);
}

/** The form, filled from the text of `startingWith`. @param about that text, or a date, or nothing */
export function newBookForm(catalog: Shop, today: string, about: string): BookForm {
  const given: Record<string, string> = about.startsWith("{") ? JSON.parse(about) : { date: about };
  const { date = "", time = "", addons = "", lead = "", vehicle_year: year, vehicle_make: make, ...values } = given;
  const car = [year, make, values[CAR]].filter(Boolean).join(" ");
  const job = newForm(catalog);
  const extras = Object.fromEntries(addons.split(" ").flatMap((one) => (one === "" ? [] : [[one, "yes"]])));
  const texts = Object.fromEntries(TEXTS.map(({ name }) => [name, lineOf(name === CAR ? car : (values[name] ?? ""))]));
  const form: BookForm = {
    date: date === "" ? today : date,
    isDayTyped: false,
    time,
    job: { ...job, values: { ...job.values, ...values, ...extras } },
    // Safe, because the keys are the names of all texts.
    texts: texts as Record<TextName, TypedLine>,
    row: 0,
    isWhole: false,
    lead,
    isClassSaid: values.vehicle_type !== undefined,
  };
  const whole = { ...form, isWhole: isRestFilled(form, catalog) };
  // A car without its class, as some leads tell it, is read as if it were typed now.
  return form.isClassSaid
    ? whole
    : withText({ ...whole, texts: { ...form.texts, [CAR]: lineOf("") } }, CAR, lineOf(car), catalog);
}

/** The form with what is known of a customer, in the fields that are empty. */
export function filledFrom(form: BookForm, known: KnownFields): BookForm {
  const fills = (name: TextName) => textIn(form, name) === "" && known[name as keyof KnownFields] !== undefined;
  const texts = TEXTS.filter(({ name }) => fills(name)).map(({ name }) => [
    name,
    selected(lineOf(known[name as keyof KnownFields] ?? "")),
  ]);
  const filled = { ...form, texts: { ...form.texts, ...Object.fromEntries(texts) } };
  const type = known.vehicle_type;
  // The class of the car goes with the car, and so does what it had the last time.
  if (!fills(CAR) || type === undefined) return filled;
  const again = withClass(filled, type);
  const { film_type, shade } = known;
  const values = { ...again.job.values, ...(film_type && { film_type }), ...(shade && { shade }) };
  return { ...again, job: { ...again.job, values }, isClassSaid: true };
}

/** From one part of the form (time, car, customer, the rest) to the next. */
export function nextPart(form: BookForm, rows: readonly FormRow[], catalog: Shop): BookForm {
  const there = rows[form.row];
  // A class that is still open comes before the customer.
  if (there?.kind === "text" && there.name === CAR && isClassOpen(form, catalog))
    return atRow(form, form.row + 1, rows);
  const at = (name: TextName) => rows.findIndex((row) => row.kind === "text" && row.name === name);
  const phone = at("customer_phone");
  const starts = [0, at(CAR), at("customer_name"), phone + 1];
  return atRow(form, starts.find((start) => start > form.row) ?? 0, rows);
}

/** On the row of a field that was refused. */
export function atField(form: BookForm, catalog: Shop, field: string): BookForm {
  const rows = rowsOf(form, catalog, true);
  const row = rows.findIndex(
    (one) => (one.kind === "text" ? one.name : one.kind === "job" && one.field.name) === field,
  );
  const there = rows[row];
  if (!there) return form;
  const isWhole = form.isWhole || row >= rowsOf(form, catalog, false).length - 1;
  const moved = { ...form, row, isWhole, job: unfocused(form.job) };
  if (there.kind !== "text") return moved;
  // A refused value is edited in place, because it needs a correction.
  return { ...moved, texts: { ...form.texts, [there.name]: { ...form.texts[there.name], isSelected: false } } };
}

/** Whether something was typed since the form was opened. */
export function isBegun(form: BookForm, opened: BookForm): boolean {
  return TEXTS.some(({ name }) => textIn(form, name) !== textIn(opened, name));
}

/** A note for a booking whose car nobody named: the class that came first in the form was priced. Empty otherwise. */
export function unnamedCar(form: BookForm, catalog: Shop): string {
  const { vehicle_type: type = "" } = form.job.values;
  const isNamed = textIn(form, CAR) !== "" || type !== newForm(catalog).values.vehicle_type;
  return isNamed || onSiteService(form, catalog) ? "" : ` No car was named: priced as a ${spaced(type)}.`;
}

export function textIn({ texts }: BookForm, name: TextName): string {
  return trimmedText(texts[name]);
}

/** The start that the form names: the chosen time, or the first free one of the day. */
export function chosenStart({ date, time }: BookForm, free: readonly Slot[]): Start | null {
  if (time !== "") return { date, time };
  const [first] = free;
  return first ? { date, time: first.time } : null;
}

/** The request that the form makes, as the API reads it. */
export function requestBody(form: BookForm, start: Start, catalog: Shop): object {
  const isOnSite = onSiteService(form, catalog) !== undefined;
  const fields = estimateFields(catalog, "vehicle").filter(({ name }) => !isOnSite || name === "service");
  const job = requestFields(form.job, fields).map(([name, values]): [string, string[]] => [
    name === "service" ? "service_type" : name,
    values,
  ]);
  const texts = TEXTS.flatMap(({ name }): [string, string[]][] => {
    const text = textIn(form, name);
    if (name === "special_requests" && isOnSite) return [[name, [siteNote(textIn(form, "address"), text)]]];
    const isLeftOut = name === "price" || name === "length" || name === "address" || name === CAR;
    return isLeftOut || text === "" ? [] : [[name, [text]]];
  });
  const all: [string, string[]][] = [["date", [start.date]], ["time", [start.time]], ...job, ...texts];
  const car = textIn(form, CAR);
  return {
    ...typedRequest(all, ownerBooking.input(catalog), catalog),
    ...(!isOnSite && car !== "" && carFields(car, catalog)),
  };
}
