/** E-mail to customers and the shop over SMTP. */
import type { JobKind } from "../constants.ts";
import { errorFacts } from "../lib/files.ts";
import { isThisMachine } from "../lib/network.ts";
import type { Mail } from "../store/store.ts";
import type { AttemptResult } from "./attempts.ts";

export interface MailSettings {
  /** smtp:// or smtps:// with user and password. */
  url: string;
  from: string;
  allowPlain: boolean;
}

/** Mails that nobody asks for: whoever wants no more of them says so to the shop. */
const UNASKED: readonly JobKind[] = ["reminder_email", "quote_nudge_email"];

/** Mail servers drop a second copy by the Message-ID, which is the same at every attempt. */
export function sendMail(
  id: string,
  kind: JobKind,
  mail: Mail,
  shop: string,
  settings: MailSettings,
): Promise<AttemptResult> {
  const { from } = settings;
  return over(settings, (transport) =>
    transport.sendMail({
      from,
      // An object, because nodemailer would split a string into names and several addresses.
      to: { name: "", address: mail.to },
      replyTo: { name: "", address: shop },
      subject: mail.subject,
      text: mail.text,
      messageId: `<${id}@${/@([^>\s]+)/.exec(from)?.[1] ?? "tintdesk"}>`,
      // No holiday note answers it (RFC 3834).
      headers: { "Auto-Submitted": "auto-generated" },
      ...(UNASKED.includes(kind) && {
        list: { unsubscribe: `mailto:${encodeURIComponent(shop).replace("%40", "@")}?subject=STOP` },
      }),
      ...(mail.calendar !== undefined && {
        icalEvent: { method: mail.method ?? "PUBLISH", filename: "appointment.ics", content: mail.calendar },
      }),
    }),
  );
}

/** Connects and logs in, without a mail. */
export function checkMailServer(settings: MailSettings): Promise<AttemptResult> {
  return over(settings, (transport) => transport.verify());
}

async function over(
  settings: MailSettings,
  use: (transport: ReturnType<typeof import("nodemailer").createTransport>) => Promise<unknown>,
): Promise<AttemptResult> {
  // Loaded with the first mail, so that a start does not wait for it.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    url: withTls(settings),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await use(transport);
    return { kind: "done" };
  } catch (error) {
    const { responseCode, code, command, message } = errorFacts(error);
    if (code === "ETLS")
      return { kind: "retry", reason: "the mail server offers no TLS; set SMTP_ALLOW_PLAIN=true if that is meant" };
    const isForGood = (responseCode ?? 0) >= 500;
    if (isForGood && command === "MAIL FROM")
      return { kind: "retry", reason: `the mail server refuses the sender in MAIL_FROM (${responseCode})` };
    const reason = inWords(code, responseCode);
    // These two refuse the address or the message for good (RFC 5321). The owner can repair a refused login or relay.
    const isRefused = (code === "EENVELOPE" || code === "EMESSAGE") && !OF_THE_SENDER.test(message ?? "");
    return isRefused && isForGood && responseCode !== AUTHENTICATE_FIRST
      ? { kind: "failed", reason }
      : { kind: "retry", reason };
  } finally {
    transport.close();
  }
}

/** Reasons without an answer of the mail server, by codes of nodemailer and of the system. */
const UNREACHED: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing answers at the host and port of SMTP_URL",
  ESOCKET: "no connection to the host and port of SMTP_URL",
  ECONNECTION: "the mail server ended the connection",
  ETIMEDOUT: "the mail server does not answer in time",
  EDNS: "no machine has the name in SMTP_URL",
  ENOTFOUND: "no machine has the name in SMTP_URL",
  EAUTH: "the mail server wants a user name and a password in SMTP_URL",
};

function inWords(code: string | undefined, status: number | undefined): string {
  if (code === "EAUTH" && status !== undefined)
    return `the mail server refuses the user name or the password (${status})`;
  if (status !== undefined) return `the mail server answered ${status}`;
  return UNREACHED[code ?? ""] ?? `the mail server answered ${code ?? "nothing"}`;
}

/** `smtp://` starts without TLS and must then switch to it, except on this machine or where the owner allows plain text. */
function withTls({ url, allowPlain }: MailSettings): string {
  const copy = new URL(url);
  if (isThisMachine(copy) || allowPlain || copy.protocol === "smtps:") return url;
  // nodemailer takes options from the query of the URL, so the rule is written there.
  copy.searchParams.delete("ignoreTLS");
  copy.searchParams.set("requireTLS", "true");
  return copy.href;
}

/** "Authentication required" (RFC 4954). */
const AUTHENTICATE_FIRST = 530;
/** Faults of the route or of what the sender may do, like relaying; not of the receiver (RFC 3463, subjects 4 and 7). */
const OF_THE_SENDER = /\b5\d\d[ -]5\.[47]\./;
/** The longest wait at each step of the SMTP conversation. The worker limits the attempt as a whole. */
const STEP_MS = 10_000;
