/** Pushes to the shop's CRM, signed as Standard Webhooks describes. */

import { Webhook } from "standardwebhooks";
import type { LeadChange } from "../store/store.ts";
import type { AttemptResult } from "./attempt-result.ts";
import type { Resolve } from "./destination.ts";
import { postHook } from "./webhook.ts";

export interface CrmSettings {
  url: string;
  /** `whsec_` and base64. */
  secret: string;
  /** Allows a CRM in a private network. */
  allowPrivate: boolean;
}

/**
 * Sends one event. Every attempt carries the same id, so that the receiver can drop copies.
 * @param resolve looks up the addresses of the host
 */
export function pushToCrm(
  change: LeadChange,
  { url, secret, allowPrivate }: CrmSettings,
  signal: AbortSignal,
  resolve?: Resolve,
): Promise<AttemptResult> {
  const { id } = change;
  const body = JSON.stringify(crmEvent(change));
  const now = new Date();
  const hook = {
    ...{ url, body, name: "the CRM", allowPrivate },
    ...{ address: "CRM_WEBHOOK_URL", setting: "CRM_WEBHOOK_ALLOW_PRIVATE" },
    headers: {
      "Content-Type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, now, body),
    },
  };
  return postHook(hook, signal, resolve);
}

/** The event about a lead, in the form in which a CRM gets it. */
function crmEvent({ type, lead, note, at, booking }: LeadChange) {
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
