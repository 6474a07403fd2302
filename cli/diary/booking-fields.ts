/** The fields of a booking that the owner types: in `tint book` and `tint bookings edit`, and in the forms of both. */
import { PRICED_FIELDS } from "../../src/capabilities/booking/work.ts";
import { checked, ownerEdit } from "../../src/capabilities/desk/owner.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { ApiError } from "../../src/errors.ts";
import type { Command } from "../terminal/command.ts";
import { UsageError } from "../terminal/output.ts";
import { typedRequest } from "../typed/requests.ts";
import { issuesInWords } from "./owner.ts";

interface BookingField {
  label: string;
  /** An example, while it is empty. */
  hint?: string;
  /** The option of `tint book` and `tint bookings edit`, and what its help says. */
  option?: string;
  about?: string;
  /** Where the help of `tint bookings edit` says something else. */
  edited?: string;
}

/** By field of the request; price and length are no fields of it. */
export const BOOKING_FIELDS = {
  customer_name: { label: "Name", hint: "who comes", option: "--name <name>", about: "the customer's name" },
  customer_phone: {
    ...{ label: "Phone", hint: "404-555-0142", option: "--phone <number>" },
    about: "the customer's phone; a walk-in needs none",
    edited: "the customer's phone; messages that wait go there",
  },
  customer_email: {
    ...{ label: "E-mail", hint: "if there is one", option: "--email <address>" },
    about: "the customer's e-mail, if there is one",
    edited: 'the customer\'s e-mail; "" takes it away',
  },
  address: {
    ...{ label: "Address", hint: "where you go", option: "--address <text>" },
    about: "where to go for a site visit or a job at a house or office; it begins the note",
  },
  special_requests: {
    ...{ label: "Note", hint: "anything to know", option: "--note <text>" },
    about: "anything to know about the job",
    edited: 'anything to know about the job; "" takes it away',
  },
  price: {
    ...{ label: "Agreed price", hint: "the price list's", option: "--price <amount>" },
    about: "the price you agreed on, like 549, instead of the price list's",
    edited: "the price you agreed on, like 549",
  },
  length: {
    ...{ label: "Length", hint: "12h, or until 5pm", option: "--minutes <length>" },
    about: "how long it takes, like 90 or 12h; it pauses when the shop closes and keeps its bay",
    edited: "another length, like 90 or 12h; without it a length of your own stays",
  },
  service_type: {
    ...{ label: "Service", option: "--service <name>" },
    about: "another service than tinting; a site visit or a job at a house or office too",
  },
  vehicle_type: { label: "Vehicle" },
  vehicle_year: { label: "Year", option: "--year <number>", about: "its model year" },
  vehicle_make: { label: "Make", option: "--make <name>", about: "its make" },
  vehicle_model: { label: "Model", option: "--model <name>", about: "its model" },
  film_type: { label: "Film", option: "--film <name>", about: "another film" },
  coverage: { label: "Coverage", option: "--coverage <name>", about: "which windows" },
  addons: {
    ...{ label: "Extras", hint: "sunroof, strip" },
    ...{ option: "--addon <names...>", about: "the extras that it has afterwards" },
  },
  shade: {
    ...{ label: "Shade", hint: "35, or 50 front 20 rest", option: "--shade <value>" },
    about: "how dark: a percentage like 20, or a word like limo",
    edited: 'how dark: a percentage like 20, a word like limo, or for one glass alone "20 rear window"',
  },
  windshield_shade: {
    ...{ label: "Windshield shade", option: "--windshield-shade <value>" },
    about: "how dark the windshield is to be",
  },
  jurisdiction: {
    ...{ label: "Tint law of", option: "--jurisdiction <state>" },
    about: "the state whose tint law is checked",
  },
  remove_old_film: {
    ...{ label: "Old film off", option: "--remove-old-film" },
    about: "take old film off first, in the same visit",
  },
} as const satisfies Record<string, BookingField>;
type FieldName = keyof typeof BOOKING_FIELDS;

export function addFieldOptions(command: Command, of: "book" | "edit", ...names: readonly FieldName[]): Command {
  for (const name of names) {
    const { option = "", about = "", edited = about }: BookingField = BOOKING_FIELDS[name];
    command.option(option, of === "edit" ? edited : about);
  }
  return command;
}

/** The fields that the correction form shows, in its order. */
export const CORRECTIONS: readonly FieldName[] = [
  ...(["customer_name", "customer_phone", "customer_email"] as const),
  ...(["vehicle_type", "vehicle_year", "vehicle_make", "vehicle_model"] as const),
  ...(["film_type", "coverage", "shade", "addons", "remove_old_film", "special_requests", "price"] as const),
];

/** Whether other work is asked for, which has the price of the list unless the owner keeps the agreed one. */
export function isPriced(field: string): boolean {
  return PRICED_FIELDS.some((one) => one === field);
}

/** Corrections of a booking as they are typed on the screens. @throws UsageError when a field does not take what was typed */
export function readCorrections({ addons, ...typed }: Readonly<Record<string, string>>, catalog: Shop): object {
  const words = addons?.split(",").flatMap((word) => word.trim() || []);
  const texts = Object.entries(typed).map(([field, text]) => [field, [text]] as const);
  const given = words ? [...texts, ["addons", words] as const] : texts;
  const fields = typedRequest(given, ownerEdit.input(catalog), catalog);
  try {
    checked(ownerEdit, fields, catalog);
    return fields;
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(issuesInWords(error).text) : error;
  }
}
