/** Leads as `--json` and `--csv` print them. */
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import type { Lead, LeadInFull } from "../../src/store/store.ts";

export function leadJson(lead: Lead, catalog: ShopClock) {
  return {
    lead_id: lead.id,
    reference: lead.reference,
    kind: lead.kind,
    status: lead.status,
    name: lead.name,
    phone: lead.phone,
    email: lead.email,
    service_type: lead.serviceType,
    confirmation_code: lead.confirmationCode,
    created_at: rfc3339(catalog, lead.createdAt),
    next_follow_up_at: lead.nextFollowUpAt === null ? null : rfc3339(catalog, lead.nextFollowUpAt),
  };
}

/** A lead with its details, sender and history. */
export function leadInFullJson(lead: LeadInFull, catalog: ShopClock) {
  return {
    ...leadJson(lead, catalog),
    details: lead.details,
    consent: lead.consent,
    key_id: lead.keyId,
    agent_class: lead.agentClass,
    user_agent: lead.userAgent,
    history: lead.history.map(({ at, ...event }) => ({ ...event, at: rfc3339(catalog, at) })),
  };
}

/** The columns that `--csv` prints, one lead a row. */
export const LEAD_COLUMNS = "lead status came_at name phone email service booking follow_up_at agent".split(" ");

export function leadCells(lead: Lead, catalog: ShopClock): (string | null)[] {
  const facts = leadJson(lead, catalog);
  return [
    ...[facts.reference, facts.status, facts.created_at, facts.name, facts.phone, facts.email, facts.service_type],
    ...[facts.confirmation_code, facts.next_follow_up_at, lead.agentClass],
  ];
}
