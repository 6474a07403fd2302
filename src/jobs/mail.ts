/** E-mail to customers over SMTP. */
import { createTransport } from "nodemailer";
import type { Mail } from "../store/store.ts";
import type { Outcome } from "./outcome.ts";

export interface MailSettings {
  /** smtp:// or smtps:// with user and password. */
  url: string;
  from: string;
}

/** @param id the same at every attempt; mail servers drop a second copy by the Message-ID made from it */
export async function sendMail(id: string, mail: Mail, { url, from }: MailSettings): Promise<Outcome> {
  const transport = createTransport({
    url,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from,
      // An object, because nodemailer would split a string into names and several addresses.
      to: { name: "", address: mail.to },
      subject: mail.subject,
      text: mail.text,
      messageId: `<${id}@${/@([^>\s]+)/.exec(from)?.[1] ?? "tintdesk"}>`,
      icalEvent: { method: "PUBLISH", filename: "appointment.ics", content: mail.calendar },
    });
    return { kind: "done" };
  } catch (error) {
    const { responseCode, code } = Object(error) as { responseCode?: number; code?: string };
    const reason = `the mail server answered ${responseCode ?? code ?? "nothing"}`;
    // These two refuse the address or the message for good (RFC 5321). The owner can mend a refused login or connection.
    const isRefused = code === "EENVELOPE" || code === "EMESSAGE";
    return isRefused && (responseCode ?? 0) >= 500 && responseCode !== AUTHENTICATE_FIRST
      ? { kind: "failed", reason }
      : { kind: "retry", reason };
  } finally {
    transport.close();
  }
}

/** "Authentication required" (RFC 4954). */
const AUTHENTICATE_FIRST = 530;
/** The longest wait at each step of the SMTP conversation. The worker limits the attempt as a whole. */
const STEP_MS = 10_000;
