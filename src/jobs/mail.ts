/** E-mail to customers over SMTP. */
import { createTransport } from "nodemailer";
import type { Outcome } from "./outcome.ts";

export interface MailSettings {
  /** smtp:// or smtps:// with user and password. */
  url: string;
  from: string;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** An ICS file of the appointment. */
  calendar: string;
}

/** @param id the same at every attempt: it makes the Message-ID, by which mail servers drop a second copy */
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
      // As an address alone, it is not read for names and further addresses.
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
    // Refused is this address or this message; a refused login or connection is the owner's to mend (RFC 5321).
    const isRefused = code === "EENVELOPE" || code === "EMESSAGE";
    return isRefused && (responseCode ?? 0) >= 500 && responseCode !== AUTHENTICATE_FIRST
      ? { kind: "failed", reason }
      : { kind: "retry", reason };
  } finally {
    transport.close();
  }
}

const AUTHENTICATE_FIRST = 530;
/** How long each step of the conversation may take; the worker cuts off an attempt as a whole. */
const STEP_MS = 10_000;
