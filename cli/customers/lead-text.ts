/** Leads as the owner reads them, with what was asked for; and as `--json` and `--csv` print them. */
import { coverageLabel } from "../../src/catalog/terms.ts";
import { OWNER } from "../../src/constants.ts";
import { dayAndDate, dayAndTime } from "../../src/domain/dates-in-words.ts";
import { paidToward, standing } from "../../src/domain/payments.ts";
import { isCatalog, rfc3339, type ShopClock, shopDate } from "../../src/domain/schedule.ts";
import { toVehicle } from "../../src/job/job.ts";
import { addsTax, printedMoney, taxOf, toUnits } from "../../src/lib/money.ts";
import { capitalized, spaced } from "../../src/lib/text.ts";
import { valueInWords } from "../../src/store/queries/request-in-words.ts";
import type { Lead, LeadInFull } from "../../src/store/store.ts";
import { paidInWords, paymentJson } from "../diary/amounts.ts";
import { phoneInCell, type ShopLocale, shopPhone } from "../shop/clock.ts";
import { type Column, NAME } from "../terminal/columns.ts";
import { csv } from "../terminal/lists.ts";
import { age, dueIn, momentInWords, moneyIn, shortMoment } from "../terminal/wording.ts";

const CAR = 18;

/** @param now epoch milliseconds @param isWide whether the follow-up has room for both when it is and how far off */
export function leadColumns(shop: ShopLocale, now: number, isWide = true): Column<Lead>[] {
  const due = ({ nextFollowUpAt: at }: Lead) => (at === null ? "" : followUp(at, shop, now, isWide));
  const about = ({ confirmationCode, serviceType, details }: Lead) =>
    confirmationCode ? `booking ${confirmationCode}` : carInWords(details, shop) || `${spaced(serviceType)} quote`;
  return [
    { name: "lead", value: ({ reference }) => reference },
    { name: "state", value: ({ status }) => status, drop: 2 },
    { name: "age", value: ({ createdAt }) => age(now - createdAt), drop: 1 },
    { name: "follow up", value: due, drop: 3 },
    { name: "name", value: ({ name }) => name, min: NAME },
    { name: "phone", value: (lead) => shopPhone(lead, shop) },
    { name: "about", value: about, min: CAR, drop: 4 },
  ];
}

export function carInWords(details: unknown, shop?: ShopLocale): string {
  return toVehicle(Object(details), shop && isCatalog(shop) ? shop : undefined).description ?? "";
}

/** `Fri 9:00 AM, in 23 h`; in little room only one of both: how late it is, or when it will be. */
function followUp(at: number, shop: ShopLocale, now: number, isWide: boolean): string {
  const when = shortMoment(shop, at, Temporal.Instant.fromEpochMilliseconds(now));
  if (isWide) return `${when}, ${dueIn(at, now)}`;
  return at < now ? dueIn(at, now) : when;
}

/** Everything about a lead, as names and values, which are not cleaned. @param quoted the price that the customer was quoted */
export function leadFacts(
  lead: LeadInFull,
  catalog: ShopLocale,
  today: Temporal.Instant,
  quoted: string | null,
): (readonly [string, string | null])[] {
  const now = today.epochMilliseconds;
  const { createdAt, nextFollowUpAt: due } = lead;
  const moment = (at: number) => momentInWords(catalog, at, today);
  return [
    ["Lead", `${lead.reference}, ${lead.status}`],
    ["From", [lead.name, shopPhone(lead, catalog), lead.email].filter((part) => part !== "").join(", ")],
    ["Came", `${moment(createdAt)}, ${age(now - createdAt)} ago, as a ${spaced(lead.kind)}`],
    ["Through", through(lead)],
    ["Follow up", due === null ? null : `${moment(due)}, ${dueIn(due, now)}`],
    ["Booking", bookingCodeOf(lead)],
    ["Quoted at", amountInWords(lead.quotedAmount)],
    ["Won for", amountInWords(lead.wonAmount)],
    ["Paid", leadPaidInWords(lead, catalog)],
    ["Service", spaced(lead.serviceType)],
    // Left out where the request names an estimate, which says more.
    ["Was told", Object(lead.details).estimate === undefined ? quoted : null],
    ...wishesInWords(lead.details, catalog, shopDate(catalog, today)),
    ["Consent", lead.consent === null ? null : consentInWords(lead)],
    ...lead.history.map(({ status, note, at }) => [moment(at), `${status}${note ? `: ${note}` : ""}`] as const),
  ];
}

function amountInWords(amount: Lead["wonAmount"]): string | null {
  return amount && printedMoney(amount.cents, amount.currency);
}

/** What was paid for a lead that was won without a booking, whose card says it otherwise. */
function leadPaidInWords(lead: LeadInFull, shop: ShopLocale) {
  const { payments, wonAmount } = lead;
  if (bookingCodeOf(lead) !== null) return null;
  return paidInWords(payments, leadDue(lead, shop), moneyIn(wonAmount?.currency ?? shop.currency ?? "USD")).join(" · ");
}

export function bookingCodeOf({ confirmationCode, wonBy }: LeadInFull): string | null {
  return confirmationCode ?? wonBy;
}

/** In cents, with the tax that the shop adds, as its paper has it. What was paid back is not asked for again. */
export function leadDue({ payments, wonAmount }: LeadInFull, { tax }: Pick<ShopLocale, "tax">): number | null {
  if (!wonAmount) return null;
  const added = tax && addsTax({ tax }) ? taxOf(wonAmount.cents, { tax }) : 0;
  const stand = standing(payments);
  const balance = wonAmount.cents + added - paidToward(stand);
  const back = -paidToward(stand.filter(({ kind }) => kind === "refund"));
  return balance > 0 && balance <= back ? 0 : balance;
}

/** The sender: the shop itself, an assistant that the catalog knows, a browser, or a program by its User-Agent. */
function through({ agentClass, userAgent, keyId }: LeadInFull): string {
  if (agentClass === OWNER) return "the shop";
  const sender = agentClass
    ? `the assistant ${agentClass}`
    : userAgent?.startsWith("Mozilla/")
      ? "a web browser"
      : `a program${userAgent ? ` that calls itself ${userAgent}` : ""}`;
  return keyId === null ? sender : `${sender}, with the key ${keyId}`;
}

/** What a lead asked for. @param details the request as it was stored @param today YYYY-MM-DD @returns names and values, not cleaned */
function wishesInWords(details: unknown, shop: ShopLocale, today: string): [string, string | null][] {
  const { date, time, ...wishes }: Record<string, unknown> = Object(details);
  const start = typeof date === "string" && typeof time === "string" ? dayAndTime(date, time, today) : null;
  const shown = Object.entries(wishes).filter(([field]) => !LEFT_OUT.includes(field));
  const labelOf = (field: string) => LABELS[field] ?? capitalized(spaced(field));
  return [
    ["Asked for", start],
    ...shown.map(([field, value]): [string, string] => [labelOf(field), wishInWords(field, value, shop, today)]),
  ];
}

/** Fields that another line of the lead shows, and numbers that only programs read. */
const LEFT_OUT = [
  ...["first_name", "last_name", "phone", "email", "customer_name", "customer_phone", "customer_email", "service_type"],
  ...["booking_request_id", "quote_request_id", "estimate_id", "consent", "another"],
];

/** Where the API's name of a field, without its underscores, is not the shop's. */
const LABELS: Record<string, string> = {
  square_footage: "Glass",
  needs_ladder: "Ladder",
  film_goals: "Film against",
  primary_concern: "Worry",
  property_info: "Property",
  vehicle_type: "Vehicle",
  vehicle_year: "Year",
  vehicle_make: "Make",
  vehicle_model: "Model",
  film_type: "Film",
  addons: "Add-ons",
  remove_old_film: "Old film off",
  jurisdiction: "Tint law of",
  special_requests: "Note",
  estimate: "Was told",
};

function wishInWords(field: string, value: unknown, shop: ShopLocale, today: string): string {
  switch (field) {
    case "coverage":
      return coverageLabel(String(value), shop);
    case "jurisdiction":
      return shop.tint_law?.jurisdictions[String(value)]?.name ?? String(value);
    case "estimate": {
      const { total, valid_until: until } = Object(value);
      const last = dayAndDate(String(until).slice(0, 10), today);
      const amount = shop.currency ? moneyIn(shop.currency)(Number(total)) : Number(total).toFixed(2);
      return `${amount}, valid up to ${last}`;
    }
    default:
      return valueInWords(field, value);
  }
}

/** `given by “Yes, book it”`. Empty parts are left out. */
function consentInWords({ agentClass, consent }: LeadInFull): string {
  if (agentClass === OWNER) return "the customer was not asked; the shop wrote it down";
  const { confirmed_by_user: isGiven, sms, statement, agent_name: agent } = Object(consent);
  return [
    isGiven === false ? "not given" : "given",
    sms === true && "to texts, too",
    statement && `“${statement}”`,
    agent && `asked by ${agent}`,
  ]
    .filter(Boolean)
    .join(", ");
}

export function leadJson(lead: Lead, catalog: ShopClock) {
  return {
    lead_id: lead.id,
    reference: lead.reference,
    kind: lead.kind,
    status: lead.status,
    name: lead.name,
    phone: lead.phone,
    phone_extension: lead.extension || null,
    email: lead.email,
    service_type: lead.serviceType,
    confirmation_code: lead.confirmationCode,
    quoted_amount: lead.quotedAmount && toUnits(lead.quotedAmount.cents),
    won_amount: lead.wonAmount && toUnits(lead.wonAmount.cents),
    created_at: rfc3339(catalog, lead.createdAt),
    next_follow_up_at: lead.nextFollowUpAt === null ? null : rfc3339(catalog, lead.nextFollowUpAt),
  };
}

export function leadInFullJson(lead: LeadInFull, catalog: ShopClock) {
  return {
    ...leadJson(lead, catalog),
    details: lead.details,
    consent: lead.consent,
    key_id: lead.keyId,
    agent_class: lead.agentClass,
    user_agent: lead.userAgent,
    payments: lead.payments.map((payment) => paymentJson(payment, catalog)),
    history: lead.history.map(({ at, ...event }) => ({ ...event, at: rfc3339(catalog, at) })),
  };
}

const COLUMNS = [
  ...["lead", "status", "came_at", "name", "phone", "email", "service", "booking", "follow_up_at", "agent"],
  ...["won_amount", "phone_extension", "quoted_amount"],
];

export function leadsCsv(leads: readonly Lead[], catalog: ShopLocale): string {
  const rows = leads.map((lead) => {
    const facts = leadJson(lead, catalog);
    return [
      ...[facts.reference, facts.status, facts.created_at, facts.name, phoneInCell(lead, catalog), facts.email],
      ...[facts.service_type, facts.confirmation_code, facts.next_follow_up_at, lead.agentClass],
      ...[facts.won_amount, facts.phone_extension, facts.quoted_amount],
    ];
  });
  return csv(COLUMNS, rows);
}
