/** The running server, as the owner sees it: its log in words, and why its address cannot be reached. */

import { expect, test } from "bun:test";
import { siteProblem } from "../../cli/doctor/server.ts";
import { readableLog } from "../../cli/server/readable-log.ts";
import { freePort } from "../process/server.ts";
import { FOR_LOCALHOST, KEY } from "./certificates.ts";

const AT = Temporal.Instant.from("2026-11-23T15:05:00Z");
/** What is written of these lines, without the time. */
const saidOf = (...lines: object[]) => {
  const written: string[] = [];
  const log = readableLog((text) => written.push(text));
  for (const fields of lines) log.write(JSON.stringify({ level: 30, time: AT.epochMilliseconds, ...fields }));
  log.flush();
  return written.map((line) => line.replace(/^ {0,1}\d{1,2}:\d\d [AP]M {2}/, "").trimEnd());
};
const said = (fields: object) => saidOf(fields).join("\n");
const request = (fields: object) => said({ msg: "request", method: "POST", path: "/api/v1/bookings", ...fields });

test("begins with the time of the shop's clock", () => {
  let written = "";
  const log = readableLog((text) => {
    written = text;
  });
  const line = (fields: object) => {
    log.write(JSON.stringify({ level: 30, time: AT.epochMilliseconds, ...fields }));
    return written;
  };
  const { hour } = AT.toZonedDateTimeISO(Temporal.Now.timeZoneId());
  expect(line({ msg: "stopped" })).toMatch(new RegExp(`^ ?${hour % 12 === 0 ? 12 : hour % 12}:\\d\\d [AP]M  Closed`));
  line({ msg: "Tintdesk is listening", url: "http://[::1]/", shop: "Lone Star Tint", timezone: "Asia/Kolkata" });
  expect(line({ msg: "stopped" })).toBe(" 8:35 PM  Closed.\n");
});

test.each([
  [
    "http://127.0.0.1:3000/",
    "Lone Star Tint is open at http://127.0.0.1:3000. Only this computer can reach it. Ctrl-C closes.",
  ],
  ["http://0.0.0.0:80/", "Lone Star Tint is open at http://0.0.0.0. Other computers can reach it. Ctrl-C closes."],
])("says where the shop is open: %s", (url, words) => {
  expect(said({ msg: "Tintdesk is listening", url, shop: "Lone Star Tint" })).toBe(words);
});

test("what customers did is told, and what was refused; reading is not", () => {
  expect(request({ status: 201, did: "book_appointment", agentClass: "openai" })).toBe(
    "A booking was made. tint bookings shows it (through openai).",
  );
  expect(request({ status: 409, error: "SLOT_TAKEN" })).toBe("A booking or a change of one was refused: slot taken.");
  expect(request({ status: 200 })).toBe("");
  expect(request({ status: 200, method: "GET", path: "/api/v1/faq", did: "get_faq" })).toBe("");
});

test("messages that end alike are counted, with the next try; another line is not held up", async () => {
  const postponed = (kind: string, againInMs: number, reason = "Twilio answered 500") => ({
    ...{ msg: "job postponed", level: 40, kind, reason, againInMs },
  });
  const texts = Array.from({ length: 7 }, (_, i) => postponed("reminder_sms", 4_000 + i));
  expect(
    saidOf(...texts, postponed("confirmation_sms", 3_900), postponed("push_to_crm", 3_600_000, "no answer"), {
      msg: "stopped",
    }),
  ).toEqual([
    "Not sent yet: 8 texts (Twilio answered 500), next try in 4 s.",
    "Not sent yet: lead to your CRM (no answer), next try in 1 h.",
    "Closed.",
  ]);
  const failed = { msg: "job failed for good; see tint outbox", kind: "reminder_email", reason: "no such user" };
  expect(saidOf(failed, failed)).toEqual(["Not sent: 2 e-mails (no such user). See tint outbox."]);
  const { promise, resolve } = Promise.withResolvers<string>();
  readableLog(resolve).write(JSON.stringify({ time: AT.epochMilliseconds, msg: "job done", kind: "ready_sms" }));
  expect(await promise).toContain("Sent: text that the vehicle is ready.");
});

test("messages, settings and the catalog", () => {
  expect(said({ msg: "job done", kind: "reminder_sms" })).toBe("Sent: reminder text.");
  expect(said({ msg: "job postponed", kind: "push_to_crm", reason: "no answer" })).toBe(
    "Not sent yet: lead to your CRM (no answer).",
  );
  expect(said({ msg: "not configured; messages wait in the outbox", off: ["sms", "email"] })).toStartWith(
    "Messages wait: texts, e-mails are off: see tint setup.",
  );
  const changed = ["scheduling.bays: 2 → 3"];
  expect(said({ msg: "catalog reloaded", level: 40, changed, notes: ["catalog.yaml:3:1: doubtful."] })).toBe(
    "The catalog was changed; the new one is in force.\n  scheduling.bays: 2 → 3\n  Note: catalog.yaml:3:1: doubtful.",
  );
  expect(said({ msg: "catalog refused; the last good one stays in force", issues: ["a:1:1: no"] })).toEndWith(
    "a:1:1: no",
  );
});

test("every other warning and error is shown with its facts; other lines are not", () => {
  expect(said({ msg: "something", level: 30 })).toBe("");
  expect(said({ msg: "slow", level: 40, ms: 5 })).toBe('Warning: slow {"ms":5}');
  expect(said({ msg: "request failed", level: 50, err: { message: "boom" } })).toBe("Error: request failed: boom");
});

/** @param trusted the issuer that the caller trusts, beside the public ones */
async function reasonAt(url: string, trusted?: string, signal?: AbortSignal): Promise<string> {
  try {
    await fetch(url, { ...(trusted && { tls: { ca: trusted } }), ...(signal && { signal }) });
  } catch (error) {
    return siteProblem(error).reason;
  }
  return "answers";
}

test.each([
  [FOR_LOCALHOST, "answers"],
  [undefined, "shows a certificate of an issuer that nobody trusts"],
])("a certificate of an issuer that is trusted, or not: with %p it %s", async (trusted, reason) => {
  const tls = { key: KEY, cert: FOR_LOCALHOST };
  await using server = Bun.serve({ port: 0, tls, fetch: () => new Response("here") });
  expect(await reasonAt(`https://localhost:${server.port}/`, trusted)).toBe(reason);
});

test("a certificate that is good no more, or for another name, is told by the code of the error", () => {
  const reasonOf = (code: string) => siteProblem(Object.assign(new Error("refused"), { code })).reason;
  expect(reasonOf("CERT_HAS_EXPIRED")).toBe("shows a certificate that has expired");
  expect(reasonOf("ERR_TLS_CERT_ALTNAME_INVALID")).toBe("shows a certificate for another name");
});

test("no TLS, nobody there, no such name, no answer", async () => {
  await using plain = Bun.serve({ port: 0, fetch: () => new Response("here") });
  await using silent = Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => {}) });
  expect(await reasonAt(`https://localhost:${plain.port}/`)).toBe("does not speak TLS");
  expect(await reasonAt(`https://localhost:${freePort()}/`)).toBe("refuses the connection");
  expect(await reasonAt("https://shop.invalid/")).toBe("has no address: the domain is not known");
  const late = await reasonAt(`http://localhost:${silent.port}/`, undefined, AbortSignal.timeout(50));
  expect(late).toBe("does not answer in time");
  expect(siteProblem(new Error("anything else")).reason).toBe("does not answer");
});
