/** The state of the booking form: a time, the job as in the estimate, and the customer. */
import { ownerBooking } from "../../../src/capabilities/desk/owner-booking.ts";
import type { Catalog } from "../../../src/catalog/schema.ts";
import type { Slot, Start } from "../../../src/domain/slots.ts";
import { modelIn } from "../../../src/domain/vehicle-class.ts";
import { coerceFields } from "../../../src/schema/coerce.ts";
import { jsonSchema } from "../../../src/schema/json-schema.ts";
import { type EstimateForm, type Field, fieldsOf, newForm, requestOf } from "../estimate/estimate-form.ts";
import { lineOf, type TypedLine, textOf } from "../kit/typed-line.ts";

/** The lines that are typed, by field of the request; the price is no field of it. */
const TEXTS = [
  { name: "vehicle_model", label: "Car", hint: "21 highlander" },
  { name: "customer_name", label: "Name", hint: "who comes" },
  { name: "customer_phone", label: "Phone", hint: "404-555-0142" },
  { name: "customer_email", label: "E-mail", hint: "if there is one" },
  { name: "special_requests", label: "Note", hint: "anything to know" },
  { name: "price", label: "Agreed price", hint: "the price list's" },
] as const;
export type TextName = (typeof TEXTS)[number]["name"];
/** The car as the customer says it. */
export const CAR = "vehicle_model" satisfies TextName;

/** A row of the form. */
export type Row =
  | { kind: "day" | "time"; label: string }
  | { kind: "job"; label: string; field: Field }
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
  /** The lead that the booking comes from; empty without one. */
  lead: string;
}

export function rowsOf(catalog: Catalog): Row[] {
  return [
    { kind: "day", label: "Day" },
    { kind: "time", label: "Time" },
    ...TEXTS.slice(0, 1).map(textRow),
    ...fieldsOf(catalog, "vehicle").map((field): Row => ({ kind: "job", label: field.label, field })),
    ...TEXTS.slice(1).map(textRow),
  ];
}

function textRow(text: (typeof TEXTS)[number]): Row {
  return { kind: "text", ...text };
}

/** The form after a text has changed. A car that the catalog knows picks its class. */
export function withText(form: BookForm, name: TextName, line: TypedLine, catalog: Catalog): BookForm {
  const texts = { ...form.texts, [name]: line };
  const known = name === CAR ? modelIn(textOf(line), catalog) : undefined;
  if (!known) return { ...form, texts };
  return { ...form, texts, job: { ...form.job, values: { ...form.job.values, vehicle_type: known.vehicleType } } };
}

/** The form, filled from the text of `startingWith`. @param about that text, or a date, or nothing */
export function newBookForm(catalog: Catalog, today: string, about: string): BookForm {
  const given: Record<string, string> = about.startsWith("{") ? JSON.parse(about) : { date: about };
  const { date = "", time = "", addons = "", lead = "", ...values } = given;
  const job = newForm(catalog);
  const extras = Object.fromEntries(addons.split(" ").flatMap((one) => (one === "" ? [] : [[one, "yes"]])));
  const texts = Object.fromEntries(TEXTS.map(({ name }) => [name, lineOf(values[name] ?? "")]));
  return {
    date: date === "" ? today : date,
    isDayTyped: false,
    time,
    job: { ...job, values: { ...job.values, ...values, ...extras } },
    // Safe, because the keys are the names of all texts.
    texts: texts as Record<TextName, TypedLine>,
    row: 0,
    lead,
  };
}

/** From one part of the form (time, job, customer) to the next. */
export function nextPart(form: BookForm, rows: readonly Row[]): BookForm {
  const car = rows.findIndex((row) => row.kind === "text" && row.name === CAR);
  const starts = [0, car, rows.findIndex(({ kind }, i) => i > car && kind === "text")];
  return { ...form, row: starts.find((start) => start > form.row) ?? 0 };
}

/** On the row of a field that was refused. */
export function atField(form: BookForm, rows: readonly Row[], field: string): BookForm {
  const row = rows.findIndex((one) => one.kind === "text" && one.name === field);
  return row < 0 ? form : { ...form, row };
}

export function textIn({ texts }: BookForm, name: TextName): string {
  return textOf(texts[name]);
}

/** The start that the form names: the chosen time, or the first free one of the day. */
export function startOf({ date, time }: BookForm, free: readonly Slot[]): Start | null {
  if (time !== "") return { date, time };
  const [first] = free;
  return first ? { date, time: first.time } : null;
}

/** The request that the form makes, as the API reads it. */
export function bookingOf(form: BookForm, start: Start, catalog: Catalog): object {
  const job = requestOf(form.job, fieldsOf(catalog, "vehicle")).map(([name, values]): [string, string[]] => [
    name === "service" ? "service_type" : name,
    values,
  ]);
  const texts = TEXTS.flatMap(({ name }): [string, string[]][] => {
    const text = textIn(form, name);
    return name === "price" || text === "" ? [] : [[name, [text]]];
  });
  return coerceFields(
    [["date", [start.date]], ["time", [start.time]], ...job, ...texts],
    jsonSchema(ownerBooking.input(catalog), "input"),
  );
}
