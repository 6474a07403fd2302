/** API keys: tests that every engine behind `Store` must pass. */
import { expect, test } from "bun:test";
import type { NewApiKey } from "../../src/store/store.ts";
import { bookingsIn, conformance, EVER, newBooking, newKey, T0 } from "./conformance-values.ts";

export const keysConformance = conformance("keys", (store) => {
  const { book } = bookingsIn(store);

  test("are found by the exact hash", async () => {
    const key = newKey({ ratePerMinute: 42 });
    expect(await store.addKey(key)).toBe(true);
    expect(await store.findKey(key.hash)).toMatchObject({ id: key.id, ratePerMinute: 42, isRevoked: false });
    expect(await store.findKey(key.hash.toUpperCase())).toBeNull();
    expect(await store.findKey("")).toBeNull();
    const plain = newKey();
    await store.addKey(plain);
    expect(await store.findKey(plain.hash)).toMatchObject({ id: plain.id, ratePerMinute: null, isRevoked: false });
  });

  test("are one per e-mail address in any letter case; a second leaves the first unchanged", async () => {
    const first = newKey({ email: "Agent@Example.com" });
    expect(await store.addKey(first)).toBe(true);
    for (const email of ["Agent@Example.com", "agent@example.com", "AGENT@EXAMPLE.COM"]) {
      const second = newKey({ email });
      expect(await store.addKey(second)).toBe(false);
      expect(await store.findKey(second.hash)).toBeNull();
    }
    expect(await store.findKey(first.hash)).not.toBeNull();
    expect(await store.addKey(newKey({ email: "agent2@example.com" }))).toBe(true);
  });

  test("one of many simultaneous registrations with one address succeeds", async () => {
    const results = await Promise.all(
      Array.from({ length: 6 }, () => store.addKey(newKey({ email: "rush@example.com" }))),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  test("are listed newest first, without the secret", async () => {
    const old = newKey({ createdAt: T0, useCase: "tests" });
    const young = newKey({ createdAt: T0 + 1, ratePerMinute: 9, network: "2001:db8::/64" });
    for (const key of [old, young]) await store.addKey(key);
    const shown = ({ hash: _, ...key }: NewApiKey) => ({ ...key, revokedAt: null });
    expect(await store.keys()).toEqual([shown(young), shown(old)]);
  });

  test("stay revoked, with the time of the first revocation", async () => {
    const key = newKey();
    await store.addKey(key);
    expect(await store.revokeKey(key.id, T0 + 5)).toBe(true);
    expect(await store.revokeKey(key.id, T0 + 9)).toBe(true);
    expect(await store.revokeKey("key_none", T0)).toBe(false);
    expect(await store.findKey(key.hash)).toMatchObject({ id: key.id, ratePerMinute: null, isRevoked: true });
    expect((await store.keys())[0]?.revokedAt).toBe(T0 + 5);
    // The address of a revoked key is free for another one.
    expect(await store.addKey(newKey({ email: key.email }))).toBe(true);
  });

  test("that registered themselves end when they are not used, and free their address", async () => {
    const key = newKey({ network: "203.0.113.9", createdAt: T0 });
    await store.addKey(key);
    expect(await store.findKey(key.hash)).toMatchObject({ isSelfRegistered: true, lastUsedAt: T0 });
    expect(await store.touchKey(key.id, T0 + 50)).toBe(true);
    expect(await store.touchKey("key_none", T0)).toBe(false);
    expect(await store.findKey(key.hash)).toMatchObject({ lastUsedAt: T0 + 50 });
    expect(await store.addKey(newKey({ email: key.email.toUpperCase() }), T0 + 50)).toBe(false);
    expect(await store.addKey(newKey({ email: key.email.toUpperCase() }), T0 + 51)).toBe(true);
    const issued = newKey();
    await store.addKey(issued);
    expect(await store.findKey(issued.hash)).toMatchObject({ isSelfRegistered: false });
    expect(await store.addKey(newKey({ email: issued.email }), T0 * 2)).toBe(false);
  });

  test("are rotated: the old secret is unknown, the id and the bookings stay", async () => {
    const key = newKey({ ratePerMinute: 7 });
    await store.addKey(key);
    await book(newBooking({ keyId: key.id }));
    expect(await store.rotateKey(key.id, { hash: "new hash", prefix: "tint_live_zz" })).toBe(true);
    expect(await store.rotateKey("key_none", { hash: "x", prefix: "y" })).toBe(false);
    expect(await store.findKey(key.hash)).toBeNull();
    expect(await store.findKey("new hash")).toMatchObject({ id: key.id, ratePerMinute: 7, isRevoked: false });
    const [use] = await store.quotaUse([{ by: "key", value: key.id, since: 0, until: EVER, limit: 3 }]);
    expect(use?.used).toBe(1);
  });
});
