/** An inquiry on the phone: the same definition for `tint leads add` and for the form on the screen. */
import { contactDoubts } from "../../src/capabilities/core/stored-requests.ts";
import { addInquiry, editInquiry, ownerInquiry } from "../../src/capabilities/desk/owner.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { jsonSchema } from "../../src/schema/json-schema.ts";
import type { LeadInFull } from "../../src/store/store.ts";
import { type Desk, ownerContext } from "../diary/owner.ts";
import { type GivenFlags, inputFrom, textFlag } from "../estimates/flags.ts";
import { understoodIn } from "../estimates/quote-text.ts";
import { CliError, clean } from "../terminal/output.ts";
import { momentInWords } from "../terminal/wording.ts";
import { carFields, carMeant } from "../typed/cars.ts";
import { asWord } from "../typed/enums.ts";
import { leadFacts } from "./lead-text.ts";
import { callNote, readCall, requireLead } from "./leads.ts";

/**
 * A field, by the option of the command; its name is that of the value.
 * @param label as the form names it
 * @param isSeldom the form of a new inquiry leaves it out: on the phone it is seldom asked
 */
const field = (name: string, placeholder: string, label: string, about: string, isSeldom = false) => ({
  ...{ name, placeholder, label, about, isSeldom },
});

export const INQUIRY = [
  field("name", "name", "Name", "who called"),
  field("phone", "number", "Phone", "to call back"),
  field("email", "address", "E-mail", "if there is one", true),
  field("service", "name", "About", "what it is about: a service of the shop, or other (by default tinting a car)"),
  field("vehicle", "car", "Car", 'the car as it is said, like "21 highlander", or its class'),
  field("film", "name", "Film", "the film wished for", true),
  field("address", "text", "Address", "of the building"),
  field("square-footage", "number", "Square feet", "of glass in a building"),
  field("note", "text", "Note", "what was said"),
  field("call", "when", "Call back", "when to call back, like friday 10am or tomorrow"),
];

/** Stores an inquiry. @param given by the names of `INQUIRY` @throws UsageError for a time that cannot be read, ApiError */
export async function writeInquiry(given: GivenFlags, desk: Desk): Promise<LeadInFull> {
  const { catalog, now, store } = desk;
  const when = textFlag(given.call);
  const callAt = when === undefined ? null : readCall(when, catalog, now);
  const { reference } = await addInquiry(inquiryFields(given, catalog), callAt, ownerContext(desk));
  return requireLead(store, reference);
}

/** Corrects an inquiry. @param given by the names of `INQUIRY` @throws CliError for the lead of a booking, ApiError */
export async function correctInquiry(lead: LeadInFull, given: GivenFlags, desk: Desk): Promise<LeadInFull> {
  const { reference, confirmationCode: code } = lead;
  if (code !== null) throw new CliError(`Lead ${reference} follows its booking: tint bookings edit ${code}`);
  const edited = await editInquiry(lead, inquiryFields(given, desk.catalog), ownerContext(desk));
  if (!edited) throw new CliError(`Lead ${reference} was erased meanwhile.`);
  return edited;
}

/** `Lead Q-7F3A2B (Robin): Film standard → ceramic.` */
export function correctedLeadInWords(lead: LeadInFull, before: LeadInFull, { catalog, now }: Desk): string {
  const factsOf = (one: LeadInFull) => leadFacts({ ...one, history: [] }, catalog, now, null);
  // A correction is no step, and two steps of one minute have one name.
  const [old, facts] = [new Map(factsOf(before)), factsOf(lead)];
  const gone = [...old.keys()].filter((name) => facts.every(([one]) => one !== name));
  const said = [...facts, ...gone.map((name) => [name, null] as const)]
    .filter(([name, value]) => (old.get(name) ?? null) !== value)
    .map(([name, value]) => `${name} ${clean(old.get(name) ?? "none")} → ${clean(value ?? "none")}`);
  return `Lead ${lead.reference} (${clean(lead.name)}): ${said.length === 0 ? "nothing is different" : said.join("; ")}.`;
}

/** The request of what was typed, by the names of `INQUIRY`. */
export function inquiryFields({ name, note, vehicle, call: _, ...flags }: GivenFlags, catalog: Shop): object {
  const [called, said] = [textFlag(name), textFlag(note)];
  return {
    ...inputFrom(flags, ownerInquiry.input(catalog), catalog),
    ...(called !== undefined && { first_name: called }),
    ...(said !== undefined && { message: said }),
    ...carOf(textFlag(vehicle), catalog),
  };
}

export function understoodInInquiry(given: GivenFlags, catalog: Shop): string[] {
  const car = carMeant(textFlag(given.vehicle) ?? "", catalog)?.understood;
  return [...(car ? [car] : []), ...understoodIn(ownerInquiry, inquiryFields(given, catalog), catalog)];
}

/** Says which lead an inquiry became, when it is to be called back, and what was understood. @param given by the names of `INQUIRY` */
export function inquiryInWords(lead: LeadInFull, given: GivenFlags, { catalog, now }: Desk): string {
  const { reference, name, phone, email, nextFollowUpAt: at } = lead;
  const doubts = contactDoubts({ phone, email }, catalog).map(({ message }) => ` ${clean(message)}`);
  const when = textFlag(given.call);
  const note = when ? callNote(readCall(when, catalog, now), at, catalog, now) : "";
  const back = at === null ? "" : ` To call back: ${momentInWords(catalog, at, now)}.${note}`;
  const understood = understoodInInquiry(given, catalog).map((sentence) => ` ${sentence}`);
  return `Lead ${reference} (${clean(name)}) is new.${back}${understood.join("")}${doubts.join("")}`;
}

export function inquiryServices(catalog: Shop): readonly string[] {
  const { properties = {} } = jsonSchema(ownerInquiry.input(catalog), "input");
  return (properties.service_type?.enum ?? []).map(String);
}

function carOf(said: string | undefined, catalog: Shop): object {
  if (said === undefined) return {};
  if (said === "") return { vehicle_model: "" };
  if (catalog.terms.vehicleTypes.includes(asWord(said))) return { vehicle_type: asWord(said) };
  const model = carMeant(said, catalog);
  return { ...(model && { vehicle_type: model.vehicleType }), ...carFields(said, catalog) };
}
