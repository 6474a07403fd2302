/** The server's log for a person at a terminal: what happened at the shop, a line each. In a pipe it stays JSON. */
import { JOBS, type JobKind } from "../../src/constants.ts";
import { MINUTE_MS } from "../../src/lib/durations.ts";
import { isThisMachine } from "../../src/lib/network.ts";
import { durationInWords, spaced } from "../../src/lib/text.ts";
import type { ReadableLog } from "../../src/programs/process.ts";
import { timeInWords } from "../terminal/wording.ts";
import { KIND_WORDS, offInWords } from "./outbox.ts";

type Fields = Record<string, unknown>;

/** By operation: the act of a customer, or of the customer's assistant. */
const ACTS: Record<string, string> = {
  book_appointment: "A booking was made. tint bookings shows it",
  confirm_booking: "What was held was booked. tint bookings shows it",
  reschedule_booking: "A customer moved a booking",
  cancel_booking: "A customer cancelled a booking",
  request_quote: "A quote request came. tint leads shows it",
  register_api_key: "An API key was registered",
  estimate_price: "A price was asked for",
  estimate_flat_glass: "A price for glass was asked for",
};

/** How long messages with one outcome are counted before a line tells of them. */
const COUNTED_MS = 1_000;

/**
 * Lines of JSON for people; none where nobody needs to see one. Messages that end alike within a moment are one line with their
 * number. Times are by the shop's clock from the line on that names the shop, and by this computer's before.
 */
export function readableLog(write: (text: string) => void): ReadableLog {
  let timezone = Temporal.Now.timeZoneId();
  let counted = new Map<string, { first: Fields; count: number; againInMs: number }>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = ({ time }: Fields, words: string) => {
    if (words === "") return;
    write(`${timeInWords({ business: { timezone } }, Number(time)).padStart(8)}  ${words}\n`);
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const groups = [...counted.values()];
    counted = new Map();
    for (const { first, count, againInMs } of groups) say(first, failureText(first, count, againInMs));
  };
  return {
    flush,
    write(line) {
      const fields: Fields = JSON.parse(line);
      if (typeof fields.timezone === "string") timezone = fields.timezone;
      if (OUTCOMES[String(fields.msg)] === undefined) {
        flush();
        say(fields, fieldsInWords(fields));
        return;
      }
      const { msg, kind, reason } = fields;
      const key = JSON.stringify([msg, channelOf(kind) ?? kind, reason]);
      const group = counted.get(key) ?? { first: fields, count: 0, againInMs: Number.POSITIVE_INFINITY };
      const againInMs = Math.min(group.againInMs, Number(fields.againInMs ?? Number.POSITIVE_INFINITY));
      counted.set(key, { ...group, count: group.count + 1, againInMs });
      timer ??= setTimeout(flush, COUNTED_MS);
      // The timer must not keep the program alive, which flushes at its end.
      timer.unref();
    },
  };
}

/** How messages ended, by the line of the log, and what follows. */
const OUTCOMES: Record<string, { begins: string; ends: string }> = {
  "job done": { begins: "Sent", ends: "." },
  "job postponed": { begins: "Not sent yet", ends: "" },
  "job failed for good; see tint outbox": { begins: "Not sent", ends: ". See tint outbox." },
};

/** `Not sent yet: 8 texts (Twilio answered 500), next try in 4 s.` */
function failureText({ msg, kind, reason }: Fields, count: number, againInMs: number): string {
  const { begins = "", ends = "" } = OUTCOMES[String(msg)] ?? {};
  const [one, many] = NOUNS[channelOf(kind) ?? ""] ?? ["message", "messages"];
  const what = count === 1 ? (KIND_WORDS[String(kind) as JobKind] ?? one) : `${count} ${many}`;
  const why = typeof reason === "string" ? ` (${reason})` : "";
  const seconds = `${Math.max(1, Math.round(againInMs / 1_000))} s`;
  const pause = againInMs < MINUTE_MS ? seconds : durationInWords(Math.round(againInMs / MINUTE_MS));
  return `${begins}: ${what}${why}${ends || (Number.isFinite(againInMs) ? `, next try in ${pause}.` : ".")}`;
}

function channelOf(kind: unknown): string | null {
  return JOBS[String(kind) as JobKind]?.by ?? null;
}

const NOUNS: Record<string, [one: string, many: string]> = {
  twilio: ["text", "texts"],
  mail: ["e-mail", "e-mails"],
  crm: ["lead to your CRM", "leads to your CRM"],
};

function fieldsInWords(fields: Fields): string {
  const { msg } = fields;
  switch (msg) {
    case "Tintdesk is listening":
      return open(String(fields.shop), new URL(String(fields.url)));
    case "request":
      return request(fields);
    case "not configured; messages wait in the outbox":
      return `Messages wait: ${offInWords(listOf(fields.off))}.`;
    case "catalog reloaded":
      return [
        "The catalog was changed; the new one is in force.",
        ...listOf(fields.changed).map((change) => `  ${change}`),
        ...listOf(fields.notes).map((note) => `  Note: ${note}`),
      ].join("\n");
    case "catalog refused; the last good one stays in force":
      return `The changed catalog has mistakes, so the last good one stays in force.\n${listOf(fields.issues).join("\n")}`;
    case "the catalog is faulty; started with the last good one. Mend it, and it is taken over without a restart":
      return `The catalog has mistakes, so the last good one is in force. Mend it, and it is taken over without a restart.\n${listOf(fields.issues).join("\n")}`;
    case "draining":
      return "Closing: requests under way are finished first.";
    case "stopped":
      return "Closed.";
    default:
      return other(fields);
  }
}

function open(shop: string, url: URL): string {
  const reach = isThisMachine(url) ? "Only this computer can reach it." : "Other computers can reach it.";
  return `${shop} is open at ${url.origin}. ${reach} Ctrl-C closes.`;
}

/** The acts of customers, and refused bookings. Other requests only read, so they have no line. */
function request({ did, path, method, status, error, agentClass }: Fields): string {
  const by = typeof agentClass === "string" ? ` (through ${agentClass})` : "";
  const act = ACTS[String(did)];
  if (act !== undefined) return `${act}${by}.`;
  const isBooking = method === "POST" && /^(\/api\/v1\/bookings|\/book)\b/.test(String(path));
  if (!isBooking || Number(status) < 400) return "";
  const why = typeof error === "string" ? spaced(error.toLowerCase()) : status;
  return `A booking or a change of one was refused: ${why}${by}.`;
}

function other({ level, msg, err, time: _, requestId: __, ...facts }: Fields): string {
  if (Number(level) < WARNING) return "";
  const cause = typeof err === "object" && err !== null && "message" in err ? `: ${err.message}` : "";
  const more = Object.keys(facts).length === 0 ? "" : ` ${JSON.stringify(facts)}`;
  return `${Number(level) >= ERROR ? "Error" : "Warning"}: ${msg}${cause}${more}`;
}

/** Levels of pino. */
const [WARNING, ERROR] = [40, 50];

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
