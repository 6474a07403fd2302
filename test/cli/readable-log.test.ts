/** What a person at the terminal reads of the server's log. */
import { expect, test } from "bun:test";
import { readableLog } from "../../cli/server/readable-log.ts";

const AT = Temporal.Instant.from("2026-11-23T15:05:00Z");
const said = (fields: object) => {
  const line = readableLog()(JSON.stringify({ level: 30, time: AT.epochMilliseconds, ...fields }));
  return line.replace(/^ {0,1}\d{1,2}:\d\d [AP]M {2}/, "").trimEnd();
};
const request = (fields: object) => said({ msg: "request", method: "POST", path: "/api/v1/bookings", ...fields });

test("begins with the time of the shop's clock", () => {
  const log = readableLog();
  const line = (fields: object) => log(JSON.stringify({ level: 30, time: AT.epochMilliseconds, ...fields }));
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

test("messages, settings and the catalog", () => {
  expect(said({ msg: "job done", kind: "reminder_sms" })).toBe("Sent: reminder text.");
  expect(said({ msg: "job postponed", kind: "push_to_crm", reason: "no answer" })).toBe(
    "Not sent yet: lead to your CRM (no answer).",
  );
  expect(said({ msg: "not configured; messages wait in the outbox", off: ["sms", "email"] })).toStartWith(
    "Switched off: texts, e-mails.",
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
