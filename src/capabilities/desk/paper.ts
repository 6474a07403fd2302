/** Paper for the customer: quote and receipt, their page, and its link; without the shop's own notes. Source: contract 17. */
import { addressOf } from "../../catalog/messaging.ts";
import { pageUrl, RECEIPT_PATH } from "../../catalog/page-addresses.ts";
import type { Shop } from "../../catalog/shop.ts";
import { OWNER } from "../../constants.ts";
import { ALWAYS_YEAR, dayAndDate, dayAndTime } from "../../domain/dates-in-words.ts";
import { ballparkOf } from "../../domain/flat-glass.ts";
import type { BookingStatus } from "../../domain/lifecycle.ts";
import { standing } from "../../domain/payments.ts";
import { planOf, shopDate } from "../../domain/schedule.ts";
import { SIDE_POSITIONS } from "../../domain/work.ts";
import { isSigned, payloadOf, signed } from "../../job/forms.ts";
import type { JobRequest } from "../../job/job.ts";
import { priceJob } from "../../job/price.ts";
import { fieldsOf } from "../../lib/fields.ts";
import { html, raw } from "../../lib/html.ts";
import { printedMoney, toCents } from "../../lib/money.ts";
import { phoneInWords, whyNoTexts } from "../../lib/phone.ts";
import { capitalized, inOneLine, spaced } from "../../lib/text.ts";
import { mayBeTexted, paperMail, paperSms } from "../../messages/customer-messages.ts";
import { serviceName } from "../../messages/words.ts";
import { valueInWords } from "../../store/queries/request-in-words.ts";
import type { Booking, LeadInFull, NewJob, Payment } from "../../store/store.ts";
import { type Confirmation, storedConfirmation, workInBooking } from "../booking/confirmation.ts";
import type { Context } from "../core/capability.ts";
import { glassPriceNote, taxed, toTax } from "../core/price-shapes.ts";
import { dueOf } from "./owed.ts";
import { CONSENT, type NotSent, ownerBooking } from "./owner.ts";

type Facts = (readonly [name: string, value: string])[];
type MaybeFacts = (readonly [name: string, value: string | null | undefined | false])[];

export const PAPERS = ["quote", "receipt"] as const;
export type PaperKind = (typeof PAPERS)[number];

export interface Paper {
  kind: PaperKind;
  /** Name, address and phone of the shop. */
  shop: string[];
  facts: Facts;
  /** What the catalog says of its prices, under a quote. */
  note: string;
}

type Work = Pick<
  Confirmation,
  "vehicle" | "film_type" | "coverage" | "shade" | "windshield_shade" | "tint_law" | "estimate"
>;

function paperOf(kind: PaperKind, facts: MaybeFacts, shop: Shop, note = shop.price_note): Paper {
  const { name, phone, address } = shop.business;
  return {
    kind,
    shop: [name, addressOf(shop), phoneInWords(phone, address.country)],
    facts: facts.flatMap(([name, value]) => (value ? [[inOneLine(name), inOneLine(value)] as const] : [])),
    note: kind === "quote" ? note : "",
  };
}

function workFacts({ vehicle, film_type: film, tint_law: law, ...work }: Work, shop: Shop): MaybeFacts {
  const state = law && (shop.tint_law.jurisdictions[law.jurisdiction]?.name ?? law.jurisdiction);
  return [
    ["Vehicle", vehicle.description],
    ["Film", film && (shop.automotive.films[film]?.name ?? spaced(film))],
    ["Shade", shadesInWords(work, shop)],
    ["Tint law", law && law.status !== "not_checked" && `${state}: ${spaced(law.status)}`],
  ];
}

/** Glass by glass: `front side 50%, rear side 20%, rear window 20%`. */
function shadesInWords(
  { shade, windshield_shade, coverage }: Pick<Work, "shade" | "windshield_shade" | "coverage">,
  { automotive }: Shop,
): string {
  const covered: readonly string[] = automotive.coverages[coverage ?? ""]?.positions ?? SIDE_POSITIONS;
  const wished = typeof shade === "object" ? shade : Object.fromEntries(covered.map((side) => [side, shade]));
  return [...SIDE_POSITIONS.map((side) => [side, wished?.[side]] as const), ["windshield", windshield_shade] as const]
    .flatMap(([side, percent]) => (percent == null ? [] : [`${spaced(side)} ${percent}%`]))
    .join(", ");
}

function paperPrice(estimate: Work["estimate"], shop: Shop): MaybeFacts {
  if (!estimate) return [];
  const { currency, total, tax, total_with_tax: all, line_items: lines } = estimate;
  const money = (units: number) => printedMoney(toCents(units), currency);
  return [
    ...lines.map(({ label, amount }) => [label, money(amount)] as const),
    ["Price", money(total)],
    ...(all === undefined
      ? ([["Tax", tax?.note]] as const)
      : ([
          [capitalized(shop.tax.label ?? "tax"), money(tax?.amount ?? 0)],
          ["With tax", money(all)],
        ] as const)),
  ];
}

function depositFact(payments: readonly Payment[], shop: Shop): MaybeFacts[number] {
  const deposits = standing(payments).filter(({ kind }) => kind === "deposit");
  const cents = deposits.reduce((sum, { amount }) => sum + amount, 0);
  return ["Deposit paid", cents > 0 && printedMoney(cents, shop.currency)];
}

/** The states that a receipt or quote names: those of bookings that are neither confirmed nor completed. */
const STATES: Partial<Record<BookingStatus, string>> = {
  held: "Held, not booked yet",
  expired: "Was held, not booked",
  no_show: "No-show",
  cancelled_by_shop: "Cancelled",
  cancelled_by_customer: "Cancelled",
};

export function bookingPaper(kind: PaperKind, booking: Booking, shop: Shop): Paper {
  const { lead, date, time, answer, confirmationCode: code, status, payments } = booking;
  const work = storedConfirmation.safeParse(answer).data;
  const due = dueOf(booking);
  const money = (cents: number) => printedMoney(cents, work?.estimate?.currency ?? shop.currency);
  const paid = standing(payments).map(({ kind, by, amount, paidAt }) => {
    const day = dayAndDate(shopDate(shop, paidAt), date);
    const what = kind === "refund" ? "Paid back" : kind === "payment" ? "Paid" : capitalized(kind);
    return [`${what}, ${day}`, `${money(amount)} ${by === "other" ? "otherwise" : by}`] as const;
  });
  const facts: MaybeFacts = [
    ["For", lead.name],
    ["Visit", `${dayAndTime(date, time, ALWAYS_YEAR)}, code ${code}`],
    ["Status", STATES[status]],
    ...(work ? workFacts(work, shop) : []),
    ...paperPrice(work?.estimate ?? null, shop),
  ];
  return kind === "quote"
    ? paperOf(
        kind,
        [
          ...facts,
          depositFact(payments, shop),
          ["Valid until", status === "confirmed" && dayAndDate(date, ALWAYS_YEAR)],
        ],
        shop,
      )
    : paperOf(kind, [...facts, ...paid, ["Due", due !== null && money(Math.max(0, due))]], shop);
}

/** A price for a job that nobody booked or asked for in writing. @param job checked @param name of the customer, if it is known */
export async function jobQuote(
  job: JobRequest,
  name: string | null,
  shop: Shop,
  now: Temporal.Instant,
): Promise<Paper> {
  const work = workInBooking(await priceJob(job, { catalog: shop, now, signing: null }), shop);
  const valid = work.estimate && validUntil(shop, now);
  const facts: MaybeFacts = [...workFacts(work, shop), ...paperPrice(work.estimate, shop), ["Valid until", valid]];
  return paperOf("quote", [["For", name], ...facts], shop);
}

function validUntil(shop: Shop, since: Temporal.Instant): string {
  return dayAndDate(planOf(shop, shopDate(shop, since)).priceHolds.date, ALWAYS_YEAR);
}

/** What of a request about a building the customer sees again. */
const BUILDING = { address: "Address", square_footage: "Glass", windows: "Windows", property_info: "Property" };

/** The quote of a lead: the amount that was agreed or quoted, else what the request was told, else today's price of its job. */
export async function leadQuote(lead: LeadInFull, shop: Shop, now: Temporal.Instant): Promise<Paper> {
  const { quotedAmount, wonAmount, history, payments, serviceType, name, reference, createdAt } = lead;
  const agreed = wonAmount ?? quotedAmount;
  const { estimate, ...details } = fieldsOf(lead.details);
  const { total, valid_until: until } = fieldsOf(estimate);
  const job = jobOfLead({ ...fieldsOf(estimate), ...details }, serviceType, shop);
  const work = job && workInBooking(await priceJob(job, { catalog: shop, now, signing: null }), shop);
  const cents = agreed?.cents ?? (typeof total === "number" ? toCents(total) : null);
  const named = cents === null ? null : { currency: agreed?.currency ?? shop.currency, ...taxed(cents, shop) };
  const quotedAt = history.findLast(({ status }) => status === "quoted")?.at ?? createdAt;
  const valid =
    agreed === null && typeof until === "string"
      ? dayAndDate(until.slice(0, 10), ALWAYS_YEAR)
      : validUntil(shop, named ? Temporal.Instant.fromEpochMilliseconds(quotedAt) : now);
  const { square_footage: sqft, ...glass } = details;
  const isBuilding = typeof sqft === "number" && shop.terms.siteTypes.includes(serviceType);
  const range = isBuilding && shop.flat_glass && !named ? ballparkOf(shop, sqft, glass).total : null;
  const price: MaybeFacts = range
    ? [
        ["Price", [...new Set([range.min, range.max])].map((end) => printedMoney(end, shop.currency)).join("–")],
        ["Tax", toTax(null, shop).note],
      ]
    : paperPrice(named ? { ...named, line_items: [], locked: false } : (work?.estimate ?? null), shop);
  return paperOf(
    "quote",
    [
      ["For", name],
      ["Reference", reference],
      ["Service", serviceName(serviceType, shop)],
      ...Object.entries(BUILDING).map(
        ([field, label]) => [label, details[field] != null && valueInWords(field, details[field])] as const,
      ),
      ...(work ? workFacts(work, shop) : []),
      ...price,
      depositFact(payments, shop),
      ["Valid until", price.length > 0 && !range && valid],
    ],
    shop,
    // A price that the shop named itself is none of a list.
    quotedAmount ? "" : isBuilding ? glassPriceNote(shop) : shop.price_note,
  );
}

/** The job of a request, as far as the shop still does it. */
function jobOfLead(asked: Readonly<Record<string, unknown>>, service: string, shop: Shop): JobRequest | undefined {
  const known = Object.entries(ownerBooking.input(shop).shape).flatMap(([field, schema]) => {
    const read = asked[field] === undefined || field === "estimate_id" ? null : schema.safeParse(asked[field]);
    return read?.success ? [[field, read.data]] : [];
  });
  if (!shop.terms.pricedBy.has(service)) return undefined;
  return { ...Object.fromEntries(known), service_type: service };
}

/** Longer names, as of lines of a price, do not widen the column. */
const WIDEST_NAME = 20;

/** As text to copy and for e-mails. */
export function paperText({ kind, shop, facts, note }: Paper): string {
  const widths = facts.map(([name]) => Bun.stringWidth(name)).filter((width) => width <= WIDEST_NAME);
  const width = Math.max(0, ...widths);
  const gap = (name: string) => " ".repeat(2 + Math.max(0, width - Bun.stringWidth(name)));
  const lines = facts.map(([name, value]) => name + gap(name) + value);
  return [capitalized(kind), ...shop, "", ...lines, ...(note ? ["", note] : [])].join("\n");
}

// The link that opens the page of a paper. The shop's secret signs it, like the pass of a booking's page, which begins with
// another letter; nobody can guess one, and it ends only with the secret or the booking.

const TOKEN = /^p\.([qr])\.([0-9A-Z]{8}|[BQ]-[0-9A-Z]{6})$/;

type Needs = Pick<Context<never>, "signing" | "store" | "catalog" | "now">;

/** @param name the code of a booking, or the reference of a lead @returns undefined where the shop switched links off */
export async function paperUrl(
  kind: PaperKind,
  name: string,
  { signing, catalog }: Needs,
): Promise<string | undefined> {
  const page = pageUrl(catalog, RECEIPT_PATH);
  const secret = await signing?.current();
  return page && secret && `${page}/${signed(`p.${kind.charAt(0)}.${name}`, secret)}`;
}

/** The paper that a link opens; undefined for one that was made up or cut off, of another shop, or of who was erased. */
export async function paperBy(token: string, { signing, catalog, now, store }: Needs): Promise<Paper | undefined> {
  const [, letter, name = ""] = TOKEN.exec(payloadOf(token)) ?? [];
  const secret = await signing?.current();
  if (letter === undefined || secret === undefined || !isSigned(token, secret)) return undefined;
  const kind = letter === "q" ? "quote" : "receipt";
  if (name.includes("-")) {
    const lead = await store.findLead(name);
    return lead ? leadQuote(lead, catalog, now) : undefined;
  }
  const booking = await store.findBooking(name);
  return booking ? bookingPaper(kind, booking, catalog) : undefined;
}

/** Fits on one page of paper. */
export const PAPER_STYLE = [
  "@page{margin:1.5cm}",
  "body{font:11pt/1.35 sans-serif;color:#000;background:#fff;margin:1cm auto;padding:0 1em;max-width:17cm}",
  "h1{font-size:16pt;margin:1em 0 .5em}",
  "address{font-style:normal}",
  "address,td{overflow-wrap:anywhere}",
  "table{border-collapse:collapse}",
  "th,td{padding:2pt 0;text-align:left;vertical-align:top}",
  "th{font-weight:normal;color:#444;min-width:min(7em,30vw);padding-right:min(1cm,8vw)}",
  "@media print{body{margin:0;padding:0;font-size:10pt}}",
].join("");

export function paperHtml({ kind, shop, facts, note }: Paper): string {
  const title = capitalized(kind);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${shop[0]}</title>
<style>${raw(PAPER_STYLE)}</style>
</head>
<body><main>
<address>${shop.map((line, i) => html`${i > 0 && raw("<br>")}${line}`)}</address>
<h1>${title}</h1>
<table>
${facts.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>\n`)}</table>
<p>${note}</p>
</main></body>
</html>
`.markup;
}

/** By which it can be sent. */
export const PAPER_WAYS = ["email", "text"] as const;
export type PaperWay = (typeof PAPER_WAYS)[number];

interface Sending {
  paper: Paper;
  lead: LeadInFull;
  /** Null for the quote of a lead. */
  booking: Booking | null;
}

/** @returns why not; null when the message is on its way @throws StoreUnavailable */
export async function sendPaper(way: PaperWay, sending: Sending, ctx: Context<never>): Promise<NotSent | null> {
  const job = way === "email" ? await paperByMail(sending, ctx) : await paperByText(sending, ctx);
  if (typeof job === "string") return job;
  const outcome = await ctx.store.addMessage(sending.lead.id, job, ctx.now.epochMilliseconds);
  return outcome === "added" ? null : outcome;
}

async function paperByMail({ paper, lead, booking }: Sending, ctx: Context<never>): Promise<NewJob | NotSent> {
  const { catalog, now } = ctx;
  if (!catalog.messages.paper_email.enabled) return "off";
  if (lead.email === "") return "no_address";
  if (consentToPaper(lead) === null) return "no_consent";
  const url = (await paperUrl(paper.kind, booking?.confirmationCode ?? lead.reference, ctx)) ?? "";
  return paperMail(lead, { kind: paper.kind, whole: paperText(paper), url }, now.epochMilliseconds, catalog);
}

async function paperByText({ paper, lead, booking }: Sending, ctx: Context<never>): Promise<NewJob | NotSent> {
  const { catalog, now, store } = ctx;
  if (!catalog.messages.paper_sms.enabled) return "off";
  if (lead.phone === "") return "no_address";
  if (!mayBeTexted({ consent: consentToPaper(lead) }, "paper_sms", catalog)) return "no_consent";
  if (whyNoTexts(lead.phone, catalog.messaging.textCountries) !== undefined) return "number";
  if (await store.optOutOf(lead.phone)) return "stopped";
  const url = await paperUrl(paper.kind, booking?.confirmationCode ?? lead.reference, ctx);
  return url === undefined ? "no_link" : paperSms(lead, { kind: paper.kind, url }, now.epochMilliseconds, catalog);
}

/** Whom the desk wrote down asked the desk for it. */
function consentToPaper({ consent, agentClass }: LeadInFull): object | null {
  if (consent !== null) return Object(consent);
  return agentClass === OWNER ? CONSENT : null;
}
