/** The server's log for a person at a terminal: what happened at the shop, a line each. In a pipe it stays JSON. */

import type { JobKind } from "../../src/constants.ts";
import { isThisMachine } from "../../src/lib/network.ts";
import { spaced } from "../../src/lib/text.ts";
import { timeInWords } from "../terminal/wording.ts";
import { channelsInWords, KIND_WORDS } from "./outbox.ts";

type Fields = Record<string, unknown>;

/** By operation: the act of a customer, or of the customer's assistant. */
const ACTS: Record<string, string> = {
  book_appointment: "A booking was made. tint bookings shows it",
  reschedule_booking: "A customer moved a booking",
  cancel_booking: "A customer cancelled a booking",
  request_quote: "A quote request came. tint leads shows it",
  register_api_key: "An API key was registered",
  estimate_price: "A price was asked for",
  estimate_flat_glass: "A price for glass was asked for",
};

/**
 * Lines of JSON for people; empty where nobody needs to see one. Times are by the shop's clock from the line on that names the
 * shop, and by this computer's before.
 */
export function readableLog(): (line: string) => string {
  let timezone = Temporal.Now.timeZoneId();
  return (line) => {
    const fields: Fields = JSON.parse(line);
    if (typeof fields.timezone === "string") timezone = fields.timezone;
    const words = inWords(fields);
    if (words === "") return "";
    const time = timeInWords({ business: { timezone } }, Number(fields.time));
    return `${time.padStart(8)}  ${words}\n`;
  };
}

function inWords(fields: Fields): string {
  const { msg, kind, reason } = fields;
  switch (msg) {
    case "Tintdesk is listening":
      return open(String(fields.shop), new URL(String(fields.url)));
    case "request":
      return request(fields);
    case "not configured; messages wait in the outbox":
      return `Switched off: ${channelsInWords(listOf(fields.off))}. They wait in the outbox; tint setup switches them on.`;
    case "catalog reloaded":
      return "The catalog was changed; the new one is in force.";
    case "catalog refused; the last good one stays in force":
      return `The changed catalog has mistakes, so the last good one stays in force.\n${listOf(fields.issues).join("\n")}`;
    case "the catalog is faulty; started with the last good one. Mend it, and it is taken over without a restart":
      return `The catalog has mistakes, so the last good one is in force. Mend it, and it is taken over without a restart.\n${listOf(fields.issues).join("\n")}`;
    case "job done":
      return `Sent: ${kindInWords(kind)}.`;
    case "job postponed":
      return `Not sent yet: ${kindInWords(kind)} (${reason}).`;
    case "job failed for good; see tint outbox":
      return `Not sent: ${kindInWords(kind)} (${reason}). See tint outbox.`;
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

function kindInWords(kind: unknown): string {
  return KIND_WORDS[String(kind) as JobKind] ?? String(kind);
}

/** Warnings and errors in the words of the log, with their cause. */
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
