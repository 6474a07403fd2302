/** Paper for the customer: the quote and the receipt of a booking, and the quote of a lead, as text and as a page to print. */
import { storedConfirmation } from "../../src/capabilities/booking/confirmation.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { dayAndDate, dayAndTime } from "../../src/domain/dates-in-words.ts";
import { standing } from "../../src/domain/payments.ts";
import { shopDate } from "../../src/domain/schedule.ts";
import { SIDE_POSITIONS } from "../../src/domain/shade.ts";
import { toUnits } from "../../src/lib/money.ts";
import { phoneInWords } from "../../src/lib/phone.ts";
import { capitalised, spaced } from "../../src/lib/text.ts";
import type { Booking, LeadInFull } from "../../src/store/store.ts";
import { dueOf } from "../diary/amounts.ts";
import { shopPhone } from "../shop/clock.ts";
import { clean, factLines } from "../terminal/output.ts";
import { moneyIn } from "../terminal/wording.ts";
import { leadFacts } from "./lead-text.ts";
import { quotedInWords } from "./leads.ts";

type Facts = (readonly [name: string, value: string | null | undefined])[];

export interface Paper {
  title: "Quote" | "Receipt";
  /** Name, address and phone of the shop. */
  head: string[];
  facts: Facts;
  /** What the catalog says of its prices, under a quote. */
  note: string;
}

function paperOf(title: Paper["title"], facts: Facts, catalog: Shop): Paper {
  const { name, address, phone } = catalog.business;
  const { street, locality, region, postal_code: code, country } = address;
  const place = [street, locality, [region, code].filter(Boolean).join(" ")].filter(Boolean).join(", ");
  return {
    title,
    head: [name, place, phoneInWords(phone, country)],
    facts,
    note: title === "Quote" ? catalog.price_note : "",
  };
}

/** What both papers say of a booking's work and price. */
function workFacts(booking: Booking, catalog: Shop): Facts {
  const { lead, date, time, answer } = booking;
  const job = storedConfirmation.safeParse(answer).data;
  const estimate = job?.estimate;
  const money = moneyIn(estimate?.currency ?? catalog.currency);
  const law = job?.tint_law;
  const { shade } = job ?? {};
  const glass =
    typeof shade === "object" && shade !== null
      ? SIDE_POSITIONS.flatMap((side) => (shade[side] == null ? [] : [`${spaced(side)} ${shade[side]}%`])).join(", ")
      : shade == null
        ? null
        : `${shade}%`;
  const film = job?.film_type ?? "";
  return [
    ["For", [lead.name, shopPhone(lead, catalog)].filter(Boolean).join(", ")],
    ["Visit", `${dayAndTime(date, time)}, code ${booking.confirmationCode}`],
    ["Vehicle", job?.vehicle.description],
    ["Film", catalog.automotive.films[film]?.name ?? spaced(film)],
    ["Shade", [glass, job?.windshield_shade && `windshield ${job.windshield_shade}%`].filter(Boolean).join(", ")],
    [
      "Tint law",
      law && `${catalog.tint_law.jurisdictions[law.jurisdiction]?.name ?? law.jurisdiction}: ${spaced(law.status)}`,
    ],
    ...(estimate?.line_items ?? []).map(({ label, amount }) => [label, money(amount)] as const),
    ["Price", estimate && money(estimate.total)],
    ...(estimate?.total_with_tax === undefined
      ? ([["Tax", estimate?.tax?.note]] as const)
      : ([
          [capitalised(catalog.tax.label ?? "tax"), money(estimate.tax?.amount ?? 0)],
          ["With tax", money(estimate.total_with_tax)],
        ] as const)),
  ];
}

export function bookingQuote(booking: Booking, catalog: Shop): Paper {
  const deposits = standing(booking.payments).filter(({ kind }) => kind === "deposit");
  const cents = deposits.reduce((sum, { amount }) => sum + amount, 0);
  const deposit = cents === 0 ? null : moneyIn(catalog.currency)(toUnits(cents));
  return paperOf("Quote", [...workFacts(booking, catalog), ["Deposit paid", deposit]], catalog);
}

export function receipt(booking: Booking, catalog: Shop): Paper {
  const money = moneyIn(catalog.currency);
  const due = dueOf(booking);
  const paid = standing(booking.payments).map(({ kind, by, amount, paidAt }) => {
    const day = shopDate(catalog, Temporal.Instant.fromEpochMilliseconds(paidAt));
    const what = kind === "refund" ? "Paid back" : kind === "payment" ? "Paid" : capitalised(kind);
    return [`${what}, ${dayAndDate(day)}`, `${money(toUnits(amount))} ${by === "other" ? "otherwise" : by}`] as const;
  });
  const left: Facts = due === null ? [] : [["Due", money(toUnits(Math.max(0, due)))]];
  return paperOf("Receipt", [...workFacts(booking, catalog), ...paid, ...left], catalog);
}

/** What only the shop needs of a lead. */
const OWN = new Set([
  "Lead",
  "From",
  "Came",
  "Through",
  "Follow up",
  "Booking",
  "Won for",
  "Paid",
  "Consent",
  "Was told",
  "Quoted at",
  "Message",
  "Note",
]);

export function leadQuote(lead: LeadInFull, catalog: Shop, now: Temporal.Instant): Paper {
  const { quotedAmount, history } = lead;
  const facts = leadFacts(lead, catalog, now, null);
  const until: unknown = Object(Object(lead.details).estimate).valid_until;
  const price = quotedAmount
    ? moneyIn(quotedAmount.currency)(toUnits(quotedAmount.cents))
    : quotedInWords(lead, catalog);
  return paperOf(
    "Quote",
    [
      ["For", [lead.name, shopPhone(lead, catalog)].filter(Boolean).join(", ")],
      ["Reference", lead.reference],
      // The history is last.
      ...facts.slice(0, facts.length - history.length).filter(([name]) => !OWN.has(name)),
      ["Price", price],
      ["Valid until", typeof until === "string" ? dayAndDate(until.slice(0, 10)) : null],
    ],
    catalog,
  );
}

export function paperText({ title, head, facts, note }: Paper): string {
  return `${[title, ...head].map(clean).join("\n")}\n\n${factLines(facts)}${note && `\n${clean(note)}\n`}`;
}

const STYLE = `body{font:11pt sans-serif;margin:2cm;max-width:16cm}h1{font-size:16pt}th{text-align:left;padding-right:1cm;
font-weight:normal;color:#444}td,th{vertical-align:top;padding-top:3pt}p{white-space:pre-line}`;

/** A page of its own, without scripts. Text of customers is escaped. */
export function paperHtml({ title, head, facts, note }: Paper): string {
  const html = Bun.escapeHTML;
  const rows = facts.flatMap(([name, value]) =>
    value ? [`<tr><th>${html(clean(name))}</th><td>${html(clean(value))}</td></tr>\n`] : [],
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${html(title)}</title><style>${STYLE}</style></head>
<body><p>${html(head.map(clean).join("\n"))}</p><h1>${html(title)}</h1>
<table>${rows.join("")}</table><p>${html(clean(note))}</p></body></html>
`;
}
