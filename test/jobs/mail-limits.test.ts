/** E-mails to customers stay within the limits of the catalog, and none is lost. Source: contract 22. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { heldMessages } from "../../src/messages/message-rules.ts";
import type { NewBooking } from "../../src/store/store.ts";
import { catalogWith } from "../helpers.ts";
import { newBooking, newJob, newKey } from "../store/conformance-values.ts";
import { startOutbox, until, untilIs } from "./outbox.ts";
import { startMailServer } from "./receivers.ts";

setDefaultTimeout(20_000);

const HOUR = 3_600_000;
const NOON = Temporal.Instant.from("2026-11-25T17:00:00Z").epochMilliseconds;

/** An outbox at noon of a Wednesday at the shop. */
function startLimited(mail: Awaited<ReturnType<typeof startMailServer>>, edits: Record<string, unknown>) {
  const outbox = startOutbox({ mail: mail.settings }, { catalog: () => catalogWith(edits), attemptMs: 5_000 });
  outbox.jump(NOON - outbox.now());
  let nth = 0;
  return {
    ...outbox,
    /** A booking whose customer gets one mail. */
    async book(
      email: string,
      {
        network = `192.0.2.${nth}`,
        ...given
      }: Partial<Pick<NewBooking, "network" | "keyId">> & { agentClass?: string } = {},
    ) {
      nth += 1;
      const { agentClass = null, keyId = null } = given;
      const createdAt = outbox.now();
      const payload = { to: email, subject: `Mail ${nth}`, text: "Booked.", calendar: "BEGIN:VCALENDAR" };
      const lead = {
        email,
        agentClass,
        createdAt,
        jobs: [newJob("confirmation_email", { payload, dueAt: createdAt })],
      };
      await outbox.store.book(newBooking({ startAt: createdAt + 100 * HOUR, createdAt, network, keyId, lead }), 99, []);
    },
    /** Waits until so many customer mails have each state, and no other state has any. */
    states: (wanted: Record<string, number>) =>
      until(
        () => {
          const mails = outbox.jobs().filter(({ kind }) => kind === "confirmation_email");
          return Object.groupBy(mails, ({ status }) => status);
        },
        (found) =>
          Object.keys(found).every((state) => state in wanted) &&
          Object.entries(wanted).every(([state, count]) => found[state as "done"]?.length === count),
      ),
  };
}

test("the hourly limit: the rest waits, the shop is told once, and an hour later all have gone out", async () => {
  using mail = await startMailServer();
  const outbox = startLimited(mail, { "messages.emails_per_hour": 3 });
  for (let nth = 1; nth <= 5; nth++) await outbox.book(`customer${nth}@example.com`);
  await outbox.states({ done: 3, waiting: 2 });
  const held = [{ what: "e-mail" as const, count: 2, reason: "the hourly limit of e-mails is reached" }];
  await untilIs(async () => (await heldMessages(outbox.store))[0]?.count, 2);
  expect(await heldMessages(outbox.store)).toEqual(held);
  const warnings = await outbox.store.waitingJobs(9, { kinds: ["text_limit_sms"] });
  expect(warnings.map(({ content }) => content?.payload)).toEqual([
    { text: "E-mails to customers wait since 12:00 PM: the hourly limit of e-mails is reached. See tint outbox" },
  ]);
  outbox.jump(HOUR);
  await outbox.states({ done: 5 });
  expect(new Set(mail.mails.map(({ to }) => to[0])).size).toBe(5);
});

test("the daily limit: the rest waits for the next opening", async () => {
  using mail = await startMailServer();
  const outbox = startLimited(mail, { "messages.emails_per_day": 2 });
  for (let nth = 1; nth <= 3; nth++) await outbox.book(`customer${nth}@example.com`);
  await outbox.states({ done: 2, waiting: 1 });
  const held = outbox.jobs().find(({ status }) => status === "waiting");
  expect(held?.last_error).toBe("the daily limit of e-mails is reached");
  outbox.jump((held?.next_at ?? 0) - outbox.now());
  await outbox.states({ done: 3 });
});

test("one network can use a third of the hour; the owner, an owner's key and others are not held back by it", async () => {
  using mail = await startMailServer();
  const outbox = startLimited(mail, { "messages.emails_per_hour": 7 });
  await outbox.store.addKey(newKey({ id: "key_owner", createdAt: outbox.now() }));
  await outbox.store.addKey(newKey({ id: "key_self", network: "198.51.100.1", createdAt: outbox.now() }));
  const network = "198.51.100.1";
  for (let nth = 1; nth <= 3; nth++) await outbox.book(`customer${nth}@example.com`, { network });
  await outbox.states({ done: 2, waiting: 1 });
  expect(await heldMessages(outbox.store)).toEqual([
    { what: "e-mail", count: 1, reason: "one caller's share of the hourly limit of e-mails is used up" },
  ]);
  // A key that registered itself is its network.
  await outbox.book("customer4@example.com", { network, keyId: "key_self" });
  await outbox.states({ done: 2, waiting: 2 });
  await outbox.book("customer5@example.com", { network, keyId: "key_owner" });
  await outbox.book("customer6@example.com", { network, agentClass: "owner" });
  await outbox.book("customer7@example.com", { network: "198.51.100.2" });
  await outbox.states({ done: 5, waiting: 2 });
  outbox.jump(HOUR);
  await outbox.states({ done: 7 });
});

test("an anonymous caller's word for the customer's consent is good for four e-mails a day to that address, of five in all", async () => {
  using mail = await startMailServer();
  const outbox = startLimited(mail, {});
  await outbox.store.addKey(newKey({ id: "key_owner", createdAt: outbox.now() }));
  const stranger = { network: "198.51.100.1" };
  for (let nth = 1; nth <= 5; nth++) await outbox.book(nth % 2 === 0 ? "pat@example.com" : "Pat@Example.com", stranger);
  await outbox.states({ done: 4, lapsed: 1 });
  expect(outbox.jobs().find(({ status }) => status === "lapsed")?.last_error).toBe(
    "an anonymous caller gave the consent, and the e-mails of the day to this customer are used up",
  );
  await outbox.book("pat@example.com", { network: "198.51.100.2" });
  await outbox.states({ done: 5, lapsed: 1 });
  await outbox.book("pat@example.com", { network: "198.51.100.3" });
  await outbox.states({ done: 5, lapsed: 2 });
  await outbox.book("pat@example.com", { keyId: "key_owner" });
  await outbox.states({ done: 6, lapsed: 2 });
  outbox.jump(24 * HOUR);
  await outbox.book("pat@example.com", stranger);
  await outbox.states({ done: 7, lapsed: 2 });
});

test("the networks of one IPv6 /48 are one caller, in the hour and to one address", async () => {
  using mail = await startMailServer();
  const outbox = startLimited(mail, { "messages.emails_per_hour": 9 });
  const inOne48 = (nth: number) => ({ network: `2001:db8:1:${nth}00::/64` });
  for (let nth = 1; nth <= 4; nth++) await outbox.book(`customer${nth}@example.com`, inOne48(nth));
  await outbox.states({ done: 3, waiting: 1 });
  await outbox.book("customer5@example.com", { network: "2001:db8:2::/64" });
  await outbox.states({ done: 4, waiting: 1 });
  outbox.jump(2 * HOUR);
  await outbox.states({ done: 5 });
  for (let nth = 1; nth <= 3; nth++) {
    for (const half of [1, 2]) await outbox.book("pat@example.com", inOne48(2 * nth + half));
    await outbox.states(nth < 3 ? { done: 5 + 2 * nth } : { done: 9, lapsed: 2 });
    outbox.jump(2 * HOUR);
  }
  await outbox.book("pat@example.com", { network: "2001:db8:2::/64" });
  await outbox.states({ done: 10, lapsed: 2 });
});
