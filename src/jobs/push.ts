/** News for the owner to a web address of theirs: ntfy, or any webhook that takes a plain text. */
import type { AttemptResult } from "./attempt-result.ts";
import type { Resolve } from "./destination.ts";
import { postHook } from "./webhook.ts";

export interface PushSettings {
  /** Allows addresses in a private network. */
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
