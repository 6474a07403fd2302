/** Pushes to the shop's CRM, signed as Standard Webhooks describes. */
import { Webhook } from "standardwebhooks";
import type { LeadChange } from "../store/store.ts";
import { crmEvent } from "./crm-event.ts";
import { type Delivery, unanswered } from "./delivery.ts";
import { type Destination, destinationOf, type Resolve } from "./destination.ts";

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
export async function pushToCrm(
  change: LeadChange,
  settings: CrmSettings,
  signal: AbortSignal,
  resolve?: Resolve,
): Promise<Delivery> {
  const destination = await destinationOf(settings.url, settings.allowPrivate, resolve);
  if (typeof destination === "string") return { kind: "retry", reason: destination };
  const { urls, host, serverName } = destination;
  let outcome: Delivery = { kind: "retry", reason: "no answer" };
  for (const url of urls) {
    try {
      return await post(change, settings, signal, { url, host, serverName });
    } catch (error) {
      outcome = unanswered(error);
      // This address may have taken the event, so do not send it to another address.
      if (outcome.doubtful) break;
    }
  }
  return outcome;
}

async function post(
  change: LeadChange,
  { secret }: CrmSettings,
  signal: AbortSignal,
  { url, host, serverName }: Omit<Destination, "urls"> & { url: string },
): Promise<Delivery> {
  const { id } = change;
  const body = JSON.stringify(crmEvent(change));
  const now = new Date();
  const response = await fetch(url, {
    method: "POST",
    body,
    signal,
    redirect: "manual",
    ...(serverName !== undefined && { tls: { serverName } }),
    headers: {
      Host: host,
      "Content-Type": "application/json",
      "User-Agent": "Tintdesk",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, now, body),
    },
  });
  // Only the status matters, and the body may be endless.
  await response.body?.cancel();
  if (response.ok) return { kind: "done" };
  if (response.status === 410) return { kind: "failed", reason: "the CRM answered 410: it wants no more events" };
  const redirect = response.status >= 300 && response.status < 400 ? "; redirects are not followed" : "";
  return { kind: "retry", reason: `the CRM answered ${response.status}${redirect}` };
}
