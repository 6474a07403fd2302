/** A key by its id or its first characters, as an owner types them. */
import { didYouMean } from "../../src/schema/explain.ts";
import type { IssuedKey, Store } from "../../src/store/store.ts";
import { Failure } from "../failure.ts";
import { clean } from "../terminal/text.ts";

/**
 * Finds a key by its id, the beginning of its id, or the beginning of the key as listed.
 * @throws Failure when there is none, or more than one
 */
export async function findKey(store: Store, typed: string): Promise<IssuedKey> {
  const name = typed.trim().replace(/…$/, "");
  const keys = await store.keys();
  const exact = keys.find(({ id }) => id === name);
  const found = exact
    ? [exact]
    : keys.filter(({ id, prefix }) => name !== "" && (id.startsWith(name) || prefix === name));
  const [key] = found;
  if (key && found.length === 1) return key;
  if (key)
    throw new Failure(
      `${clean(name)} may be any of ${found.map(({ id, email }) => `${id} (${clean(email)})`).join(", ")}.`,
    );
  const guess = didYouMean(
    name,
    keys.map(({ id }) => id.toLowerCase()),
  );
  const meant = keys.find(({ id }) => id.toLowerCase() === guess);
  throw new Failure(noSuchKey(name, meant ? ` Did you mean ${meant.id}?` : ""));
}

/** @param hint a sentence that names the key that was probably meant */
export function noSuchKey(name: string, hint = ""): string {
  return `There is no key ${clean(name)}.${hint} See tint keys.`;
}
