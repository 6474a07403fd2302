/** The event about a lead, in the form in which a CRM gets it. */
import type { LeadChange } from "../store/store.ts";

export function crmEvent({ type, lead, note, at, booking }: LeadChange) {
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
      ...(booking && {
        booking: {
          confirmation_code: booking.confirmationCode,
          status: booking.status,
          start: new Date(booking.startAt).toISOString(),
          end: new Date(booking.endAt).toISOString(),
          ...(booking.previousStartAt !== null && { previous_start: new Date(booking.previousStartAt).toISOString() }),
          ...(booking.reason !== null && { reason: booking.reason }),
        },
      }),
    },
  };
}
