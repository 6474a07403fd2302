/** Leads as the owner reads them. */
import { capitalised, spaced } from "../../src/lib/text.ts";
import type { Lead, LeadInFull } from "../../src/store/store.ts";
import { type ShopPlace, shopPhone } from "../shop/clock.ts";
import { clean } from "../terminal/text.ts";
import { age, dueIn, momentInWords } from "../terminal/times.ts";

export const LEAD_HEAD = ["lead", "state", "age", "follow up", "name", "phone", "about"];

/** The columns that a narrow terminal does without, the least needed first. */
export const LEAD_LEAST_NEEDED = ["about", "follow up", "age", "state"];

/** A row of the table under `LEAD_HEAD`. */
export function leadRow(lead: Lead, shop: ShopPlace, now: number): string[] {
  return [
    lead.reference,
    lead.status,
    age(now - lead.createdAt),
    lead.nextFollowUpAt === null ? "" : dueIn(lead.nextFollowUpAt, now),
    clean(lead.name),
    clean(shopPhone(lead.phone, shop)),
    lead.confirmationCode ? `booking ${lead.confirmationCode}` : `${lead.serviceType} quote`,
  ];
}

/** Everything about a lead, as names and values. Values are not cleaned. */
export function leadFacts(
  lead: LeadInFull,
  catalog: ShopPlace,
  today: Temporal.Instant,
): (readonly [string, string | null])[] {
  const now = today.epochMilliseconds;
  const wishes = Object.entries(Object(lead.details)).filter(([field]) => !REPEATED.includes(field));
  return [
    ["Lead", `${lead.reference} (${lead.id}), ${lead.status}`],
    ["From", [lead.name, shopPhone(lead.phone, catalog), lead.email].filter((part) => part !== "").join(", ")],
    [
      "Came",
      `${momentInWords(catalog, lead.createdAt, today)}, ${age(now - lead.createdAt)} ago, as a ${spaced(lead.kind)}`,
    ],
    ["Through", through(lead)],
    ["Follow up", lead.nextFollowUpAt === null ? null : dueIn(lead.nextFollowUpAt, now)],
    ["Booking", lead.confirmationCode],
    ["Service", spaced(lead.serviceType)],
    ...wishes.map(([field, value]) => [capitalised(spaced(field)), inWords(value)] as const),
    ["Consent", lead.consent === null ? null : inWords(lead.consent)],
    ...lead.history.map(
      ({ status, note, at }) => [momentInWords(catalog, at, today), `${status}${note ? `: ${note}` : ""}`] as const,
    ),
  ];
}

/** The sender of a request: an assistant that the catalog knows, or a program by its User-Agent. */
function through({ agentClass, userAgent, keyId }: LeadInFull): string {
  const sender = agentClass
    ? `the assistant ${agentClass}`
    : `a program${userAgent ? ` that calls itself ${userAgent}` : ""}`;
  return keyId === null ? sender : `${sender}, with the key ${keyId}`;
}

/** A value of a request. Underscores mark a word of a fixed list; text that people typed stays as it is. */
function inWords(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return /^[a-z]+(_[a-z]+)+$/.test(value) ? spaced(value) : value;
  if (Array.isArray(value)) return value.map(inWords).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([field, inside]) => `${spaced(field)}: ${inWords(inside)}`)
    .join("; ");
}

/** Fields of a request that other lines show already. */
const REPEATED = [
  "first_name",
  "last_name",
  "phone",
  "email",
  "customer_name",
  "customer_phone",
  "customer_email",
  "service_type",
];
