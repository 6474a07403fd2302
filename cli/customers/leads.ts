/** Leads: written down on the phone, found by what an owner types, moved forward, made a booking, and the price that was quoted. */
import type { Confirmation } from "../../src/capabilities/booking/confirmation.ts";
import { contactDoubts } from "../../src/capabilities/core/stored-requests.ts";
import { addInquiry, editInquiry, ownerBooking, ownerInquiry } from "../../src/capabilities/desk/owner.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { ballparkOf } from "../../src/domain/flat-glass.ts";
import { bookedAs, type LeadStatus, OPEN_LEADS } from "../../src/domain/lifecycle.ts";
import { momentOf, nextOpenMoment, rfc3339, type ShopClock, shopDate } from "../../src/domain/schedule.ts";
import { MINUTE_MS } from "../../src/lib/durations.ts";
import { fieldsOf } from "../../src/lib/fields.ts";
import { printedMoney, toCents, toUnits } from "../../src/lib/money.ts";
import { counted } from "../../src/lib/text.ts";
import { jsonSchema } from "../../src/schema/json-schema.ts";
import type { Lead, LeadInFull, LeadStep, Payment, Store } from "../../src/store/store.ts";
import { paymentsOnlyOf } from "../diary/actions.ts";
import { paidInWords } from "../diary/amounts.ts";
import { paidSoFarInWords } from "../diary/deposits.ts";
import { type Desk, ownerContext } from "../diary/owner.ts";
import { type GivenFlags, inputFrom, textFlag } from "../estimates/flags.ts";
import { understoodIn } from "../estimates/quote-text.ts";
import { hasCrm } from "../server/outbox.ts";
import { type ShopLocale, shopPhone } from "../shop/clock.ts";
import { CliError, clean } from "../terminal/output.ts";
import { dayInWords, momentInWords, moneyIn, rangeInWords } from "../terminal/wording.ts";
import { carFields, carMeant } from "../typed/cars.ts";
import { asWord } from "../typed/enums.ts";
import { readStart, startNow } from "../typed/times.ts";
import { isReference, noSuchCode, readReference } from "../typed/values.ts";
import { leadFacts } from "./lead-text.ts";

/** A lead by the reference or id that an owner typed. @throws CliError that suggests the nearest reference there is, or the customer of that name */
export async function requireLead(store: Store, typed: string): Promise<LeadInFull> {
  const name = readReference(typed);
  const lead = await store.findLead(name);
  if (lead) return lead;
  throw await noSuchCode(store, typed, name, {
    ...{ inUse: store.referencesInUse, canBe: isReference(name), none: noSuchLead },
    form: "the reference of a lead, which is like Q-7F3A2B",
  });
}

function noSuchLead(name: string, hint = ""): string {
  return `There is no lead ${clean(name)}.${hint} See tint leads --status all.`;
}

interface MovedLead {
  lead: LeadInFull;
  from: LeadStatus;
  /** The payments that came back from the booking that had won it. */
  back: Payment[];
  /** The number of reminders that stopped. */
  lapsed: number;
}

/** Moves a lead forward, or adds a note to the state it is in. @throws CliError with the reason when the lead stays as it is */
export async function moveLead(
  store: Store,
  lead: Pick<Lead, "id" | "reference" | "status">,
  step: Omit<LeadStep, "id">,
): Promise<MovedLead> {
  const { to } = step;
  const current = await store.findLead(lead.id);
  // Somebody else ended it meanwhile: only who has seen the end may undo it.
  if (current && isOpen(lead.status) && !isOpen(current.status) && isOpen(to)) throw new CliError(refusal(current, to));
  const outcome = await store.moveLead({ ...step, id: lead.id });
  if (outcome.kind === "moved")
    return { ...outcome, from: current?.status ?? lead.status, back: paymentsOnlyOf(outcome.lead, current) };
  throw new CliError(outcome.kind === "unknown" ? noSuchLead(lead.reference) : refusal(outcome.lead, to));
}

export function movedInWords({ lead, from, lapsed, back }: MovedLead, { currency = "USD" }: ShopLocale): string {
  const amount = { won: lead.wonAmount, quoted: lead.quotedAmount }[String(lead.status)];
  const price = amount ? `, ${printedMoney(amount.cents, amount.currency)}` : "";
  const stopped = lapsed === 0 ? "" : ` ${counted(lapsed, "reminder")} stopped.`;
  const step = from === lead.status ? ` stays ${from}` : `: ${from} → ${lead.status}${price}`;
  const money = moneyIn(lead.wonAmount?.currency ?? currency);
  const left = lead.status === "lost" ? paidSoFarInWords(lead.reference, lead.payments, currency) : "";
  const own = back.length === 0 ? "" : ` Its own again: ${paidInWords(back, null, money).join(", ")}.`;
  const paid = own + (left && ` ${left}.`);
  return `Lead ${lead.reference} (${clean(lead.name)})${step}.${stopped}${paid}`;
}

/** The lead of a booking follows it, so only another program has use for it. @param state undefined for those that are open */
export function listedKinds(state: LeadStatus | "all" | undefined, isJson = false) {
  const isWithBookings = (isJson || hasCrm()) && state !== undefined && state !== "new";
  return isWithBookings ? undefined : (["quote_request"] as const);
}

function isOpen(status: LeadStatus): boolean {
  return OPEN_LEADS.includes(status);
}

/** Moves a lead that is booked: without a price, like a site visit, it stays open until there is a sale. @returns null when it was erased meanwhile */
export async function leadBooked(store: Store, name: string, booked: Confirmation, at: number) {
  const { confirmation_code: code, estimate } = booked;
  const lead = await store.findLead(name);
  if (!lead) return null;
  if (estimate === null) {
    const to = lead.status === "new" ? "contacted" : lead.status;
    return moveLead(store, lead, { to, note: `site visit booked as ${code}`, at });
  }
  const amount = { cents: toCents(estimate.total), currency: estimate.currency };
  return moveLead(store, lead, { to: "won", note: bookedAs(code), at, amount, wonBy: code });
}

export function noteWithAmount(note: string | null, cents: number | null, currency: string | undefined): string | null {
  if (cents === null) return note;
  const price = currency ? moneyIn(currency)(cents / 100) : (cents / 100).toFixed(2);
  return [price, note].filter((part) => part !== null).join("; ");
}

/** Undoes the last step of a lead. @throws CliError with the reason when the lead stays as it is */
export async function reopenLead(
  store: Store,
  lead: Pick<LeadInFull, "id" | "reference" | "status" | "confirmationCode" | "payments">,
  at: number,
): Promise<MovedLead> {
  const { id, reference, status, confirmationCode: code } = lead;
  if (code !== null && !isOpen(status))
    throw new CliError(`Lead ${reference} follows its booking: tint bookings reopen ${code}`);
  const outcome = await store.undoLeadMove(id, status, at);
  if (outcome.kind === "moved") return { ...outcome, from: status, back: paymentsOnlyOf(outcome.lead, lead) };
  if (outcome.kind === "unknown") throw new CliError(noSuchLead(reference));
  throw new CliError(
    outcome.lead.status === status
      ? `Lead ${reference} is ${status}; there is no step to undo.`
      : `Lead ${reference} was changed by somebody else just now. Look at it again.`,
  );
}

/**
 * Sets when to call a lead back; outside opening hours it is the next opening.
 * @param typed a day, with a time or not; `none` takes the reminder away
 * @returns what was said before and is now, and the command that undoes it
 * @throws UsageError, CliError when the lead has ended
 */
export async function callLead({ store, catalog, now }: Desk, lead: Lead, typed: string) {
  const callAt = readCall(typed, catalog, now);
  const dueAt = callAt === null ? null : nextOpenMoment(catalog, Math.max(callAt, now.epochMilliseconds));
  const outcome = await store.callLeadAt(lead.id, dueAt, now.epochMilliseconds);
  if (outcome.kind === "unknown") throw new CliError(noSuchLead(lead.reference));
  if (outcome.kind === "refused") throw new CliError(refusal(outcome.lead, "new"));
  const [was, is] = [lead.nextFollowUpAt, dueAt].map((at) => (at === null ? "none" : momentInWords(catalog, at, now)));
  return {
    lead: outcome.lead,
    undo: `tint leads call ${lead.reference} ${followUpTyped(lead, catalog)}`,
    notice: `Lead ${lead.reference} (${clean(lead.name)}), to call back: ${was} → ${is}.${callNote(callAt, dueAt, catalog, now)}`,
  };
}

const NONE = "none";

/** When a lead is to be called back, as `readCall` reads it. */
export function followUpTyped({ nextFollowUpAt: at }: Lead, clock: ShopClock): string {
  return at === null ? NONE : rfc3339(clock, at).slice(0, 16).replace("T", " ");
}

/** Why a call is due at another time than was typed. A day alone means its opening, so only a time is moved. */
function callNote(callAt: number | null, dueAt: number | null, catalog: Shop, now: Temporal.Instant): string {
  if (callAt === null || dueAt === null) return "";
  const isDay = rfc3339(catalog, callAt).includes("T00:00");
  const earliest = isDay ? momentOf(catalog, shopDate(catalog, now), "00:00") : now.epochMilliseconds - MINUTE_MS;
  const typed = isDay ? dayInWords(catalog, callAt, now) : momentInWords(catalog, callAt, now);
  if (callAt < earliest)
    return ` ${typed} is past: it is due ${dueAt > now.epochMilliseconds ? "when you open" : "now"}.`;
  const isMoved = !isDay && callAt > now.epochMilliseconds && dueAt > callAt;
  return isMoved ? ` ${typed} is outside your hours: it is due when you open.` : "";
}

/** A moment to call, in epoch milliseconds; a day alone means its opening, and null none. @throws UsageError */
export function readCall(typed: string, catalog: Shop, now: Temporal.Instant): number | null {
  if (typed.trim().toLowerCase() === NONE) return null;
  const today = startNow(catalog, now);
  const { date, time } = readStart(typed, today, { date: today.date, time: "00:00" });
  return momentOf(catalog, date, time);
}

export function undoInWords({ reference }: Pick<Lead, "reference">): string {
  return `To undo it: tint leads reopen ${reference}`;
}

/** @param written what was noted, where it is more than the words that were typed */
export function notedInWords({ reference, name }: Pick<Lead, "reference" | "name">, written?: string | null): string {
  return `Noted on lead ${reference} (${clean(name)})${written ? `: ${clean(written)}` : ""}.`;
}

function refusal({ reference, status }: Lead, to: LeadStatus): string {
  if (status === to) return `Lead ${reference} is ${to} already. Add --note to write down what was said.`;
  if (!isOpen(status))
    return `Lead ${reference} is ${status} and so has ended. To open it again: tint leads reopen ${reference}`;
  return `Lead ${reference} is ${status}; a lead only moves forward (new, contacted, quoted, then won or lost), not to ${to}.`;
}

export function siteNote(address: string, note: string): string {
  return [address && `At ${address}.`, note].filter(Boolean).join(" ");
}

/** The price for which a lead was won by hand, or that it was quoted, and its address: with these its booking begins. */
export function bookingTerms({ wonAmount, wonBy, quotedAmount, details, serviceType }: LeadInFull, { terms }: Shop) {
  const { address } = fieldsOf(details);
  const agreed = (wonBy === null ? wonAmount : null) ?? quotedAmount;
  return {
    // Where the shop drives, a price makes the job of a visit.
    price: agreed && terms.pricedBy.has(serviceType) ? String(toUnits(agreed.cents)) : undefined,
    address: typeof address === "string" ? address : "",
  };
}

/** Fields of a request that say something else in a booking, or that the owner agrees on anew. */
const LEFT_OUT = ["estimate_id", "consent", "dry_run", "date", "time", "booking_request_id", "another"];

/** The fields of a booking that the lead holds, but words that the shop has given up. @throws CliError when the lead is over */
export function bookingFields(lead: LeadInFull, catalog: Shop): Record<string, unknown> {
  const { reference, serviceType, details, name, phone, extension, email, confirmationCode } = lead;
  if (confirmationCode) throw new CliError(`Lead ${reference} is booked already: ${confirmationCode}.`);
  const { shape } = ownerBooking.input(catalog);
  const asked: Record<string, unknown> = { ...Object(Object(details).estimate), ...Object(details) };
  const known = Object.entries(shape).flatMap(([field, schema]) => {
    const value = asked[field];
    const isGood = value !== undefined && !LEFT_OUT.includes(field) && schema.safeParse(value).success;
    return isGood ? [[field, value]] : [];
  });
  return {
    ...Object.fromEntries(known),
    ...(catalog.services.some(({ key }) => key === serviceType) && { service_type: serviceType }),
    customer_name: name,
    customer_phone: shopPhone({ phone, extension }, catalog),
    ...(email !== "" && { customer_email: email }),
  };
}

/** The estimate that the request named, or the ballpark of its glass area; empty when no price was quoted. */
export function quotedInWords({ details, serviceType }: Pick<Lead, "details" | "serviceType">, catalog: Shop): string {
  const { estimate, square_footage: sqft, ...request } = Object(details);
  const money = moneyIn(catalog.currency);
  if (typeof Object(estimate).total === "number") return money(Object(estimate).total);
  if (typeof sqft !== "number" || !catalog.flat_glass || !catalog.terms.siteTypes.includes(serviceType)) return "";
  const { total } = ballparkOf(catalog, sqft, request);
  return rangeInWords(toUnits(total.min), toUnits(total.max), money);
}

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
