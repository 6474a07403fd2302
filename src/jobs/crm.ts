/** Pushes to the shop's CRM, signed as Standard Webhooks describes. */
import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { Webhook } from "standardwebhooks";
import type { LeadChange } from "../store/store.ts";
import { crmEvent } from "./crm-event.ts";
import { type Outcome, unanswered } from "./outcome.ts";

export interface CrmSettings {
  url: string;
  /** `whsec_` and base64. */
  secret: string;
  /** Allows a CRM in a private network. */
  allowPrivate: boolean;
}

/** Sends one event. Every attempt carries the same id, so that the receiver can drop copies. */
export async function pushToCrm(change: LeadChange, settings: CrmSettings, signal: AbortSignal): Promise<Outcome> {
  const problem = await destinationProblem(settings);
  if (problem) return { kind: "retry", reason: problem };
  const { id } = change;
  const body = JSON.stringify(crmEvent(change));
  const now = new Date();
  try {
    const response = await fetch(settings.url, {
      method: "POST",
      body,
      signal,
      redirect: "manual",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Tintdesk",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": new Webhook(settings.secret).sign(id, now, body),
      },
    });
    // Only the status matters, and the body may be endless.
    await response.body?.cancel();
    if (response.ok) return { kind: "done" };
    if (response.status === 410) return { kind: "failed", reason: "the CRM answered 410: it wants no more events" };
    const redirect = response.status >= 300 && response.status < 400 ? "; redirects are not followed" : "";
    return { kind: "retry", reason: `the CRM answered ${response.status}${redirect}` };
  } catch (error) {
    return unanswered(error);
  }
}

/** Why a push must not go there. Leads go by https to public addresses, and by http only to this machine. */
async function destinationProblem({ url, allowPrivate }: CrmSettings): Promise<string | undefined> {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  let ranges: string[];
  try {
    const addresses = ipaddr.isValid(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
    ranges = addresses.map((address) => ipaddr.process(address).range());
  } catch {
    return `${host} cannot be resolved`;
  }
  const isLoopback = ranges.length > 0 && ranges.every((range) => range === "loopback");
  if (isLoopback) return undefined;
  if (protocol !== "https:") return "CRM_WEBHOOK_URL must begin with https://";
  if (!allowPrivate && ranges.some((range) => range !== "unicast")) {
    return `${host} is in a private network; set CRM_WEBHOOK_ALLOW_PRIVATE=true if that is meant`;
  }
  return undefined;
}
