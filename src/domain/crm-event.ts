/** What a CRM is told of a lead. */

interface LeadFacts {
  id: string;
  reference: string;
  kind: string;
  status: string;
  name: string;
  phone: string;
  email: string;
  serviceType: string;
  details: unknown;
  consent: unknown;
  keyId: string | null;
  agentClass: string | null;
  createdAt: number;
}

/** @param at when it happened, epoch milliseconds */
export function crmEvent(
  type: "lead.created" | "lead.updated",
  lead: LeadFacts,
  at: number,
  note: string | null = null,
) {
  return {
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      lead_id: lead.id,
      reference: lead.reference,
      kind: lead.kind,
      status: lead.status,
      note,
      name: lead.name,
      phone: lead.phone,
      email: lead.email,
      service_type: lead.serviceType,
      details: lead.details,
      consent: lead.consent,
      source: { key_id: lead.keyId, agent_class: lead.agentClass },
      created_at: new Date(lead.createdAt).toISOString(),
    },
  };
}
