/** The outbox of a running server: without settings, with settings, retried by hand, and at shutdown. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { tintToday } from "../cli/run.ts";
import { API } from "../helpers.ts";
import { dateIn, jsonOf, NO_LIMITS, OPEN_DAILY, shopFolder, startServer } from "../process/server.ts";
import { untilIs } from "./outbox.ts";
import { startCrm, startMailServer } from "./receivers.ts";
import { startTwilio } from "./twilio.ts";

setDefaultTimeout(40_000);

const SHOP = { ...OPEN_DAILY, ...NO_LIMITS };
const BOOKING = {
  date: dateIn(3),
  time: "09:00",
  customer_name: "Zoë \u{1F600} Quux",
  customer_phone: "+1-404-555-0111",
  customer_email: "pat@example.com",
  vehicle_type: "suv",
};
const CONSENT = { confirmed_by_user: true, sms: true, statement: "Yes, book it." };

// Most of their time is waiting.
test.concurrent("without settings: the log and /readyz say so, and the text waits where the owner can read it", async () => {
  using folder = shopFolder(SHOP);
  await using server = await startServer(folder);
  const { off } = await server.logged(({ msg }) => msg.startsWith("not configured"));
  expect(off).toEqual(["sms", "crm", "email"]);
  const { data } = await jsonOf(await server.post(`${API}/bookings`, BOOKING));
  const ready = await server.fetch("/readyz");
  expect(ready.status).toBe(200);
  expect(await jsonOf(ready)).toMatchObject({ jobs: { due: 0, off: ["sms", "crm", "email"] } });

  const [sms] = JSON.parse((await tintToday(folder, ["outbox", "--json"])).stdout);
  expect(sms).toMatchObject({ kind: "notify_shop_sms", to: "+14045550142", attempts: 0 });
  expect(sms.text).toStartWith(`New booking ${data.confirmation_code}: `);
  expect(sms.text).toContain(", Zoe grinning Quux (404) 555-01");
  const doctor = JSON.parse((await tintToday(folder, ["doctor", "--json"], { env: { PORT: "0" } })).stdout);
  const texts = doctor.checks.find(({ name }: { name: string }) => name === "sms");
  expect(texts?.message).toBe("texts are off: see tint setup");
});

test.concurrent("with settings: shop, customer and CRM are told at once, each once; a text that does not arrive goes by e-mail", async () => {
  const byText = { "messages.confirmation_sms.enabled": true, "messages.confirmation_email.enabled": false };
  using folder = shopFolder({ ...SHOP, ...byText });
  using twilio = await startTwilio();
  using crm = startCrm();
  using mail = await startMailServer();
  await using server = await startServer(folder, { env: { ...twilio.env, ...crm.env, ...mail.env } });
  const booked = await server.post(`${API}/bookings`, { ...BOOKING, consent: CONSENT });
  expect(booked.status).toBe(201);
  const { data } = await jsonOf(booked);
  await untilIs(() => [twilio.messages.length, crm.pushed.length].join(), "2,1");
  expect(twilio.messages.map(({ to }) => to).sort()).toEqual(["+14045550111", "+14045550142"]);
  for (const { body } of twilio.messages) expect(body).toContain(data.confirmation_code);
  expect(twilio.issues).toEqual([]);

  // The worker notices a commit of another process too.
  expect((await tintToday(folder, ["leads", "contacted", data.lead_id, "--note", "called"])).status).toBe(0);
  await untilIs(() => crm.pushed.length, 2);
  expect(crm.pushed[1]?.event).toMatchObject({ type: "lead.updated", data: { status: "contacted", note: "called" } });
  expect(crm.refused).toEqual([]);

  for (const message of twilio.messages) {
    const isToShop = message.to === "+14045550142";
    Object.assign(message, isToShop ? { status: "delivered" } : { status: "undelivered", error_code: 30006 });
  }
  await untilIs(() => mail.mails.length, 1, 20_000);
  expect(mail.mails[0]?.to).toEqual(["pat@example.com"]);
  expect(mail.mails[0]?.raw).toContain(data.confirmation_code);
  const failed = await server.logged(({ msg }) => msg.startsWith("text not delivered"));
  expect(failed.reason).toBe("it did not arrive (30006: a landline, or a carrier that cannot be reached)");
  expect((await tintToday(folder, ["outbox"])).stdout).toContain("undelivered");
});
