/** `tint texts register`: the carriers' papers from the catalog, and `tint doctor --send-test`. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { until } from "../jobs/outbox.ts";
import { startMailServer, startNtfy } from "../jobs/receivers.ts";
import { startTwilio } from "../jobs/twilio.ts";
import { freePort, shopFolder } from "../process/server.ts";
import { tint } from "./run.ts";

setDefaultTimeout(30_000);

test("the papers hold the shop's facts, its box for texts, and samples of the texts that it sends", async () => {
  using folder = shopFolder({
    "messages.ready_sms": { enabled: true, text: "{shop}: {name}, your car is ready" },
    "site.texts.sms_consent": "Text me.",
  });
  const env = { TINT_SITE_URL: "https://book.lakeside.example" };
  const { stdout } = await tint(folder, ["texts", "register"], { env });
  for (const words of [
    "takes days to weeks",
    "Name customers know: Marlow Ridge Window Film",
    "Opt-in page: https://book.lakeside.example/book\n",
    "Privacy policy: https://book.lakeside.example/book/privacy\n",
    'Beside it stands: "Text me."',
    "  1. Marlow Ridge Window Film: Jordan Sample, your car is ready\n",
    "site.texts.sms_consent must say that message and data rates may apply",
    "None of the texts says how to end them",
  ])
    expect(stdout).toContain(words);
  expect(stdout).not.toContain("  2. ");
  const stock = JSON.parse((await tint(folder, ["texts", "register", "--json"])).stdout);
  expect(stock.samples).toHaveLength(1);
});

test("doctor --send-test reaches each of alerts.to, and tells what became of a text", async () => {
  await using twilio = await startTwilio();
  using mail = await startMailServer(() => 550);
  using ntfy = startNtfy();
  using folder = shopFolder({ "alerts.to": ["+15125550143", "desk@example.com", ntfy.topic] });
  const blocked = until(
    () => twilio.messages[0],
    (message) => message !== undefined,
  ).then((message) => Object.assign(message ?? {}, { status: "undelivered", error_code: 30034 }));
  const env = { ...twilio.env, ...mail.env, PORT: String(freePort()) };
  const { status, stdout } = await tint(folder, ["doctor", "--send-test", "--json"], { env });
  await blocked;
  expect(status).toBe(1);
  const tests = JSON.parse(stdout).checks.filter(({ name }: { name: string }) => name === "test message");
  expect(tests.map(({ level, message }: { level: string; message: string }) => [level, message])).toEqual([
    ["fault", expect.stringMatching(/^The test text to \+15125550143 was not delivered: .*\(30034: .*10DLC\)\)$/)],
    ["fault", "The e-mail does not work: the mail server answered 550"],
    ["ok", `A test message arrived at ${ntfy.topic}`],
  ]);
  expect(ntfy.received).toHaveLength(1);
});
