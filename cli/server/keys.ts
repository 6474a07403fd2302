/** API keys: found, made and replaced; as the owner reads them, and as `--json` prints them. */
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import { mintKey, newId } from "../../src/lib/ids.ts";
import { didYouMean } from "../../src/schema/explain.ts";
import type { IssuedKey, NewApiKey, Store } from "../../src/store/store.ts";
import { type Column, LEAST } from "../terminal/columns.ts";
import { csv } from "../terminal/lists.ts";
import { CliError, clean } from "../terminal/output.ts";
import { dayInWords } from "../terminal/wording.ts";

/** Finds a key by its id or the beginning of it, by the key as listed, or by e-mail. @throws CliError unless there is just one */
export async function requireIssuedKey(store: Store, typed: string): Promise<IssuedKey> {
  const name = typed.trim().replace(/…$/, "");
  const keys = await store.keys();
  const exact = keys.find(({ id }) => id === name);
  const isMeant = ({ id, prefix, email, revokedAt }: IssuedKey) =>
    id.startsWith(name) || prefix === name || (revokedAt === null && email.toLowerCase() === name.toLowerCase());
  const found = exact ? [exact] : keys.filter((key) => name !== "" && isMeant(key));
  const [key] = found;
  if (key && found.length === 1) return key;
  if (key)
    throw new CliError(
      `${clean(name)} may be any of ${found.map(({ id, email }) => `${id} (${clean(email)})`).join(", ")}.`,
    );
  const ids = new Map(keys.map(({ id }) => [id.toLowerCase(), id]));
  const meant = ids.get(didYouMean(name, [...ids.keys()]) ?? "");
  throw new CliError(noSuchKey(name, meant && ` Did you mean ${meant}?`));
}

export function noSuchKey(name: string, hint = ""): string {
  return `There is no key ${clean(name)}.${hint} See tint keys.`;
}

/** Makes a key, which is shown once: the store keeps a digest. @throws CliError when the e-mail address has a key already */
export async function issueKey(
  store: Store,
  facts: Pick<NewApiKey, "name" | "email" | "useCase" | "ratePerMinute" | "createdAt">,
): Promise<{ key: string; issued: IssuedKey }> {
  const { key, ...kept } = mintKey();
  const stored = { ...facts, id: newId("key"), network: null, ...kept };
  if (await store.addKey(stored)) return { key, issued: { ...stored, revokedAt: null } };
  const earlier = (await store.keys()).find((one) => one.email.toLowerCase() === facts.email.toLowerCase());
  throw new CliError(
    `${clean(facts.email)} has a key already: ${earlier?.id}. For a new one: tint keys rotate ${earlier?.id}`,
  );
}

export async function replaceKey(store: Store, old: IssuedKey): Promise<{ key: string; issued: IssuedKey }> {
  const { key, ...fresh } = mintKey();
  if (!(await store.rotateKey(old.id, fresh))) throw new CliError(noSuchKey(old.id));
  return { key, issued: { ...old, prefix: fresh.prefix, revokedAt: null } };
}

export const MOST_PER_MINUTE = 100_000;

/** Requests per minute as typed; null for text that is no number from 1 to `MOST_PER_MINUTE`. */
export function readRate(typed: string): number | null {
  const rate = /^\d{1,6}$/.test(typed) ? Number(typed) : 0;
  return rate >= 1 && rate <= MOST_PER_MINUTE ? rate : null;
}

export interface KeyTerms {
  clock: ShopClock;
  now: Temporal.Instant;
  /** Requests per minute for keys without their own limit; null when the catalog is faulty. */
  limit: number | null;
}

export function keyColumns({ clock, now, limit }: KeyTerms): Column<IssuedKey>[] {
  const day = (at: number) => dayInWords(clock, at, now);
  return [
    { name: "id", value: ({ id }) => id },
    { name: "key", value: ({ prefix }) => `${prefix}…`, drop: 2 },
    { name: "name", value: ({ name }) => name, min: LEAST },
    { name: "email", value: ({ email }) => email, min: LEAST, drop: 4 },
    { name: "per minute", value: ({ ratePerMinute }) => String(ratePerMinute ?? limit ?? "unknown"), drop: 3 },
    { name: "issued", value: ({ createdAt }) => day(createdAt), drop: 5 },
    { name: "from", value: ({ network }) => network ?? "the shop", drop: 1 },
    { name: "state", value: ({ revokedAt }) => (revokedAt === null ? "valid" : `revoked ${day(revokedAt)}`), drop: 6 },
  ];
}

export function keyJson(key: IssuedKey, terms: KeyTerms) {
  return {
    key_id: key.id,
    prefix: key.prefix,
    name: key.name,
    email: key.email,
    use_case: key.useCase,
    rate_limit_per_minute: key.ratePerMinute ?? terms.limit,
    created_at: rfc3339(terms.clock, key.createdAt),
    network: key.network,
    revoked_at: key.revokedAt === null ? null : rfc3339(terms.clock, key.revokedAt),
  };
}

export function keysCsv(keys: readonly IssuedKey[], terms: KeyTerms): string {
  const rows = keys.map((key) => Object.values(keyJson(key, terms)));
  return csv(["key", "prefix", "name", "email", "use_case", "per_minute", "issued_at", "network", "revoked_at"], rows);
}
