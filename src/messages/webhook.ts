/**
 * Requests to addresses that the owner named: events for the shop's CRM, signed as Standard Webhooks describes, and news to
 * ntfy or any webhook that takes a plain text. They go by https to public addresses, by http only to this machine, and never to
 * where a redirect points.
 */
import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { Webhook } from "standardwebhooks";
import type { LeadChange } from "../store/store.ts";
import { type AttemptResult, unanswered, waitAfter } from "./attempts.ts";

export interface CrmSettings {
  url: string;
  /** `whsec_` and base64. */
  secret: string;
  allowPrivate: boolean;
}

/** Every attempt carries the same id, so that the receiver can drop copies. */
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
      phone_extension: lead.extension || null,
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

export interface PushSettings {
  allowPrivate: boolean;
}

/** @param id the same at every attempt, so that a receiver can drop copies */
export function pushText(
  { to, text }: { to: string; text: string },
  id: string,
  { allowPrivate }: PushSettings,
  signal: AbortSignal,
  resolve?: Resolve,
): Promise<AttemptResult> {
  const hook = {
    ...{ url: to, body: text, name: "the address of alerts.to" },
    headers: { "Content-Type": "text/plain; charset=utf-8", "webhook-id": id },
    ...{ allowPrivate, address: "an address of alerts.to", setting: "ALERTS_ALLOW_PRIVATE" },
  };
  return postHook(hook, signal, resolve);
}

interface Hook extends DestinationRules {
  url: string;
  body: string;
  headers: Record<string, string>;
  /** As the owner calls the receiver: `the CRM`. */
  name: string;
}

async function postHook(hook: Hook, signal: AbortSignal, resolve?: Resolve): Promise<AttemptResult> {
  const destination = await destinationOf(hook.url, hook, resolve);
  if (typeof destination === "string") return { kind: "retry", reason: destination };
  const { urls, host, serverName } = destination;
  let outcome: AttemptResult = { kind: "retry", reason: "no answer" };
  for (const url of urls) {
    try {
      return await post(url, host, serverName, hook, signal);
    } catch (error) {
      outcome = unanswered(error);
      // This address may have taken it, so it is not sent to another address.
      if (outcome.doubtful) break;
    }
  }
  return outcome;
}

async function post(
  url: string,
  host: string,
  serverName: string | undefined,
  { body, headers, name }: Hook,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const response = await fetch(url, {
    method: "POST",
    body,
    signal,
    redirect: "manual",
    ...(serverName !== undefined && { tls: { serverName } }),
    headers: { Host: host, "User-Agent": "Tintdesk", ...headers },
  });
  // Only the status matters, and the body may be endless.
  await response.body?.cancel();
  const { status } = response;
  if (response.ok) return { kind: "done" };
  if (status === 410) return { kind: "failed", reason: `${name} answered 410: it wants no more events` };
  const redirect = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  return { kind: "retry", reason: `${name} answered ${status}${redirect}`, ...waitAfter(response) };
}

interface DestinationRules {
  allowPrivate: boolean;
  /** What names the address, and the setting that allows private networks; for the owner. */
  address: string;
  setting: string;
}

type Resolve = (host: string) => Promise<string[]>;

async function resolveName(host: string): Promise<string[]> {
  // IPv4 first, because not every machine has a way to IPv6 addresses.
  return (await lookup(host, { all: true, order: "ipv4first" })).map(({ address }) => address);
}

/** Every address of the host is checked. A sentence when a push must not go there; else URLs by address, Host header and name. */
async function destinationOf(
  given: string,
  { allowPrivate, address, setting }: DestinationRules,
  resolve: Resolve = resolveName,
) {
  const url = new URL(given);
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const isAddress = ipaddr.isValid(name);
  let addresses: string[];
  let ranges: string[];
  try {
    addresses = isAddress ? [name] : await resolve(name);
    ranges = addresses.map((one) => ipaddr.process(one).range());
  } catch {
    return `${name} cannot be resolved`;
  }
  if (addresses.length === 0) return `${name} cannot be resolved`;
  if (!ranges.every((range) => range === "loopback")) {
    if (url.protocol !== "https:") return `${address} must begin with https://`;
    if (!allowPrivate && ranges.some((range) => range !== "unicast"))
      return `${name} is in a private network; set ${setting}=true if that is meant`;
  }
  const urls = addresses.map((one) => withHost(url, one.includes(":") ? `[${one}]` : one));
  return { urls, host: url.host, serverName: isAddress ? undefined : name };
}

function withHost(url: URL, hostname: string): string {
  const copy = new URL(url);
  copy.hostname = hostname;
  return copy.href;
}
