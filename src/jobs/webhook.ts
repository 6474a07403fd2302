/** Requests to addresses that the owner named: to public addresses alone, and never to where a redirect points. */
import { type AttemptResult, unanswered } from "./attempt-result.ts";
import { type DestinationRules, destinationOf, type Resolve } from "./destination.ts";

export interface Hook extends DestinationRules {
  url: string;
  body: string;
  headers: Record<string, string>;
  /** As the owner calls the receiver: `the CRM`. */
  name: string;
}

/** Upper bound on Retry-After. */
const LONGEST_WAIT_S = 3600;

/** @param resolve looks up the addresses of the host */
export async function postHook(hook: Hook, signal: AbortSignal, resolve?: Resolve): Promise<AttemptResult> {
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
  const seconds = status === 429 ? Number(response.headers.get("retry-after")) : 0;
  return {
    kind: "retry",
    reason: `${name} answered ${status}${redirect}`,
    ...(seconds > 0 && { afterSeconds: Math.min(seconds, LONGEST_WAIT_S) }),
  };
}
