/** Leads as the owner reads them. */
import { shopDate } from "../../src/domain/schedule.ts";
import { spaced } from "../../src/lib/text.ts";
import type { Lead, LeadInFull } from "../../src/store/store.ts";
import { OWNER } from "../../src/vocabulary.ts";
import { type ShopPlace, shopPhone } from "../shop/clock.ts";
import { clean } from "../terminal/text.ts";
import { age, dueIn, momentInWords } from "../terminal/times.ts";
import { consentInWords, wishesInWords } from "./wishes.ts";

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

/** Everything about a lead, as names and values, which are not cleaned. @param told the price that the customer was told */
export function leadFacts(
  lead: LeadInFull,
  catalog: ShopPlace,
  today: Temporal.Instant,
  told: string | null,
): (readonly [string, string | null])[] {
  const now = today.epochMilliseconds;
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
    // An estimate that the request names says more.
    ["Was told", Object(lead.details).estimate === undefined ? told : null],
    ...wishesInWords(lead.details, catalog, shopDate(catalog, today)),
    ["Consent", lead.consent === null ? null : consentInWords(lead.consent)],
    ...lead.history.map(
      ({ status, note, at }) => [momentInWords(catalog, at, today), `${status}${note ? `: ${note}` : ""}`] as const,
    ),
  ];
}

/** The sender of a request: the shop itself, an assistant that the catalog knows, a browser, or a program by its User-Agent. */
function through({ agentClass, userAgent, keyId }: LeadInFull): string {
  if (agentClass === OWNER) return "the shop";
  const sender = agentClass
    ? `the assistant ${agentClass}`
    : userAgent?.startsWith("Mozilla/")
      ? "a web browser"
      : `a program${userAgent ? ` that calls itself ${userAgent}` : ""}`;
  return keyId === null ? sender : `${sender}, with the key ${keyId}`;
}
