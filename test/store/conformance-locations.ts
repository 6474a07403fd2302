/** What every engine must pass of a place that more than one program opens, one after the other or at once. */
import { describe, expect, test } from "bun:test";
import type { DataLocation } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import type { Store } from "../../src/store/store.ts";
import { StoreTooNew, StoreTooOld } from "../../src/store/store-errors.ts";
import { issueOf, newBooking, newJob, newKey } from "./conformance-values.ts";

export interface EmptyLocation extends AsyncDisposable {
  place: DataLocation;
  /** Notes the version of the tables. */
  setVersion(version: number): Promise<unknown>;
  version(): Promise<unknown>;
  /** What every write changes. */
  state(): Promise<unknown>;
}

/** @param empty makes a place without a database, or with an empty one */
export function locationsConformance(name: string, empty: () => Promise<EmptyLocation>): void {
  describe(`place: ${name}`, () => {
    const withTwo = async (work: (stores: [Store, Store]) => Promise<void>) => {
      await using shop = await empty();
      // At once, so that both want to make the tables.
      const stores = await Promise.all([openStore(shop.place), openStore(shop.place)]);
      try {
        await work(stores);
      } finally {
        for (const store of stores) await store.close();
      }
    };
    test("what one program wrote, another reads at once, and the version of the data tells of it", () =>
      withTwo(async ([one, other]) => {
        const before = await other.dataVersion();
        const booking = newBooking();
        await one.book(booking, 1, []);
        expect((await other.findBooking(booking.confirmationCode))?.answer).toEqual(booking.answer);
        expect(await other.dataVersion()).not.toBe(before);
      }));

    test("keeps everything after it was closed", async () => {
      await using shop = await empty();
      const first = await openStore(shop.place);
      const booking = newBooking({
        idempotency: { scope: "", id: "r", bodyHash: "h" },
        lead: { jobs: [newJob("notify_shop_sms", { dueAt: 7 })] },
      });
      const quotas = [{ by: "phone" as const, value: "+14045550111", since: 0, until: 99 ** 9, limit: 2 }];
      await first.book(booking, 1, quotas);
      const key = newKey({ hash: "hash", email: "a@example.com" });
      await first.addKey(key);
      const jobs = await first.waitingJobs(9);
      const secret = await first.lockSecret();
      await first.close();

      const second = await openStore(shop.place);
      expect(await second.findEarlier("", "r")).toMatchObject({ bodyHash: "h", answer: booking.answer });
      expect((await second.quotaUse(quotas))[0]?.used).toBe(1);
      expect(await second.waitingJobs(9)).toEqual(jobs);
      expect(await second.lockSecret()).toBe(secret);
      expect(await second.findKey("hash")).not.toBeNull();
      expect((await second.book(newBooking(), 1, [])).kind).toBe("taken");
      expect(await second.addKey({ ...key, id: "key_2", hash: "other", email: "A@example.com" })).toBe(false);
      await second.close();
    });

    test("closing waits for the writes that were asked for", async () => {
      await using shop = await empty();
      const store = await openStore(shop.place);
      const writes = Array.from({ length: 9 }, () => store.book(newBooking(), 99, []));
      await store.close();
      for (const { kind } of await Promise.all(writes)) expect(kind).toBe("booked");
    });

    test.each([
      [99, StoreTooNew, "version 99, newer than this program"],

      [1, StoreTooOld, "version 1, older than this program"],
    ])("a database of version %d is refused and left unchanged", async (version, Issue, words) => {
      await using shop = await empty();
      await (await openStore(shop.place)).close();
      await shop.setVersion(version);
      const issue = await issueOf(openStore(shop.place));
      expect(issue).toBeInstanceOf(Issue);
      expect(issue).toMatchObject({ message: expect.stringContaining(words) });
      expect(await shop.version()).toBe(version);
    });

    test("a database of this version is opened and closed without a write", async () => {
      await using shop = await empty();
      await (await openStore(shop.place)).close();
      const before = await shop.state();
      await (await openStore(shop.place)).close();
      expect(await shop.state()).toEqual(before);
    });
  });
}
