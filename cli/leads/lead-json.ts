/** Leads as `--json` prints them. */
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
