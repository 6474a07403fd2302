/** What the owner sees of texts that did not arrive, and of customers who stopped them. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { createMetrics } from "../../src/programs/metrics.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { shopFolder } from "../process/server.ts";
import { CATALOG } from "../small-shop.ts";
import { newBooking } from "../store/conformance-values.ts";
import { tintToday } from "./run.ts";

setDefaultTimeout(30_000);

const PHONE = "+14045550111";
const REASON = "it did not arrive (21610: the receiver has replied STOP)";

/** A shop whose customer replied STOP while a text was on its way. */
async function shopWithStop() {
  const folder = shopFolder();
  const store = openSqliteStore(folder.data);
  const now = Date.now();
  const payload = { to: PHONE, text: "Booked. Code 7F3A1B2C" };
  const jobs = [{ kind: "confirmation_sms" as const, payload, dueAt: now, unless: null }];
  await store.book(newBooking({ startAt: now + 864e5, createdAt: now, lead: { jobs, createdAt: now } }), 1, []);
  for (const { id } of await store.claimJobs({
    ...{ kinds: ["confirmation_sms"], now, lastsMs: 1, fresh: 9, retries: 9, running: [] },
  }))
    await store.settleJobs([{ id, kind: "done", messageSid: "SM1" }]);
  const asked = await store.claimUnconfirmedTexts({ now: now + 6_000, lastsMs: 1, limit: 9 });
  const news = asked.map(({ id, messageSid }) => ({
    ...{ id, messageSid, kind: "undelivered" as const, reason: REASON, isOptOut: true },
  }));
  await store.settleDeliveryReports(news, false, now);
  const collected = createMetrics({
    catalog: () => ({ hash: "abc", catalog: CATALOG }),
    kinds: () => [],
    channels: { twilio: null, crm: null, mail: null, push: null },
    droppedLines: () => 0,
  });
  const metrics = await collected.text(store);
  await store.close();
  return { folder, metrics };
}

test("an undelivered text is in the outbox, in doctor and in the metrics; the card shows that texts are stopped", async () => {
  const { folder, metrics } = await shopWithStop();
  using _ = folder;
  expect(metrics).toContain('tintdesk_texts_last_day{state="undelivered"} 1');
  expect(metrics).toContain('tintdesk_texts_last_day{state="delivered"} 0');
  const { stdout } = await tintToday(folder, ["outbox"]);
  expect(stdout).toMatch(/1 +undelivered +confirmation text/);
  expect(stdout).toContain(REASON);
  const [job] = JSON.parse((await tintToday(folder, ["outbox", "--json"])).stdout);
  expect(job).toMatchObject({ status: "failed", arrival: "undelivered", last_error: REASON });
  const doctor = JSON.parse((await tintToday(folder, ["doctor", "--json"], { env: { PORT: "0" } })).stdout);
  expect(doctor.checks.find(({ name }: { name: string }) => name === "arrival")).toMatchObject({
    level: "warning",
    message:
      "of 1 text in the last day 0 arrived, 0 may still arrive, 1 did not. Why: 21610: the receiver has replied STOP (1)",
  });
  const card = await tintToday(folder, ["find", "404 555 0111"]);
  expect(card.stdout).toMatch(/Texts +stopped since .*21610.*tint outbox allow \+14045550111/);
});

test("the owner lets texts go to a customer again; a number that was not stopped is said to be none", async () => {
  const { folder } = await shopWithStop();
  using _ = folder;
  const before = JSON.parse((await tintToday(folder, ["find", PHONE, "--json"])).stdout);
  expect(before[0].texts_stopped).toMatchObject({ reason: REASON });
  const allowed = await tintToday(folder, ["outbox", "allow", "404-555-0111", "--json"]);
  expect(allowed).toMatchObject({ status: 0, stderr: expect.stringContaining(`Texts go to ${PHONE} again.`) });
  expect(JSON.parse(allowed.stdout)).toEqual({ phone: PHONE, texts_stopped: null });
  expect(JSON.parse((await tintToday(folder, ["find", PHONE, "--json"])).stdout)[0].texts_stopped).toBeNull();
  expect(await tintToday(folder, ["outbox", "allow", PHONE])).toMatchObject({
    status: 0,
    stderr: `Texts to ${PHONE} were not stopped.\n`,
  });
  expect((await tintToday(folder, ["outbox", "allow", "nobody"])).status).toBe(2);
});
