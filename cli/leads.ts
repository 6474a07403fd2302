/** Leads as the owner reads them. */
import type { LeadStatus } from "../src/domain/lifecycle.ts";
import { rfc3339, type ShopClock } from "../src/domain/schedule.ts";
import type { Lead, LeadInFull } from "../src/store/store.ts";
import { age, clean, dueIn } from "./text.ts";

/** A lead as a row of the table. */
export function leadRow(lead: Lead, now: number): string[] {
  return [
    lead.reference,
    lead.status,
    age(now - lead.createdAt),
    lead.nextFollowUpAt === null ? "" : dueIn(lead.nextFollowUpAt, now),
    clean(lead.name),
    clean(lead.phone),
    lead.confirmationCode ? `booking ${lead.confirmationCode}` : `${lead.serviceType} quote`,
  ];
}

/** Why a lead does not move. */
export function refusal({ reference, status }: Lead, to: LeadStatus): string {
  if (status === to) return `Lead ${reference} is ${to} already. Add --note to write down what was said.`;
  return `Lead ${reference} is ${status}; a lead only moves forward (new, contacted, quoted, then won or lost), not to ${to}.`;
}

/** Everything about a lead; names and values, the latter as they were typed. */
export function leadFacts(lead: LeadInFull, catalog: ShopClock): (readonly [string, string | null])[] {
  const now = Temporal.Now.instant().epochMilliseconds;
  const wishes = Object.entries(Object(lead.details)).filter(([field]) => !REPEATED.includes(field));
  return [
    ["Lead", `${lead.reference} (${lead.id}), ${lead.status}`],
    ["From", `${lead.name}, ${lead.phone}, ${lead.email}`],
    [
      "Came",
      `${rfc3339(catalog, lead.createdAt)}, ${age(now - lead.createdAt)} ago, as a ${lead.kind.replace("_", " ")}`,
    ],
    ["Through", [lead.agentClass, lead.userAgent, lead.keyId].filter((part) => part !== null).join(", ")],
    ["Follow up", lead.nextFollowUpAt === null ? null : dueIn(lead.nextFollowUpAt, now)],
    ["Booking", lead.confirmationCode],
    ["Service", lead.serviceType],
    ...wishes.map(([field, value]) => [field, typeof value === "string" ? value : JSON.stringify(value)] as const),
    ["consent", lead.consent === null ? null : JSON.stringify(lead.consent)],
    ...lead.history.map(
      ({ status, note, at }) => [rfc3339(catalog, at), `${status}${note ? `: ${note}` : ""}`] as const,
    ),
  ];
}

/** Fields of a request that are shown above it already. */
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
