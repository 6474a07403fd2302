/** Making API keys, for the command and the screen. The caller shows the key once; the store keeps a digest. */
import { mintKey, newId } from "../../src/lib/ids.ts";
import type { IssuedKey, NewApiKey, Store } from "../../src/store/store.ts";
import { Failure } from "../failure.ts";
import { clean } from "../terminal/text.ts";
import { noSuchKey } from "./find.ts";

type Facts = Pick<NewApiKey, "name" | "email" | "useCase" | "ratePerMinute" | "createdAt">;

/** @throws Failure when the e-mail address has a key already */
export async function issueKey(store: Store, facts: Facts): Promise<{ key: string; issued: IssuedKey }> {
  const { key, ...kept } = mintKey();
  const stored = { ...facts, id: newId("key"), network: null, ...kept };
  if (await store.addKey(stored)) return { key, issued: { ...stored, revokedAt: null } };
  const earlier = (await store.keys()).find((one) => one.email.toLowerCase() === facts.email.toLowerCase());
  const state = earlier?.revokedAt == null ? "" : ", which was revoked";
  throw new Failure(
    `${clean(facts.email)} has a key already${state}: ${earlier?.id}. For a new one: tint keys rotate ${earlier?.id}`,
  );
}

/** Replaces an old key by a new one. @throws Failure when there is no such key */
export async function replaceKey(store: Store, old: IssuedKey): Promise<{ key: string; issued: IssuedKey }> {
  const { key, ...fresh } = mintKey();
  if (!(await store.rotateKey(old.id, fresh))) throw new Failure(noSuchKey(old.id));
  return { key, issued: { ...old, prefix: fresh.prefix, revokedAt: null } };
}

export const MOST_PER_MINUTE = 100_000;

/** Requests per minute as typed; null for text that is no number from 1 to `MOST_PER_MINUTE`. */
export function readRate(typed: string): number | null {
  const rate = /^\d{1,6}$/.test(typed) ? Number(typed) : 0;
  return rate >= 1 && rate <= MOST_PER_MINUTE ? rate : null;
}
