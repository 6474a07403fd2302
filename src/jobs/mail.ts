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
  calendar?: string;
}

/** @param id the same at every attempt: it makes the Message-ID, by which mail servers drop a second copy */
export async function sendMail(
  id: string,
  mail: Mail,
  { url, from }: MailSettings,
  signal: AbortSignal,
): Promise<Outcome> {
  const transport = createTransport({
    url,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
  });
  signal.addEventListener("abort", () => transport.close());
  try {
    await transport.sendMail({
      from,
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      messageId: `<${id}@${/@([^>\s]+)/.exec(from)?.[1] ?? "tintdesk"}>`,
      ...(mail.calendar !== undefined && {
        icalEvent: { method: "PUBLISH", filename: "appointment.ics", content: mail.calendar },
      }),
    });
    return { kind: "done" };
  } catch (error) {
    const { responseCode, code, message } = Object(error) as { responseCode?: number; code?: string; message?: string };
    const reason = `the mail server answered ${responseCode ?? code ?? message ?? "nothing"}`;
    // A wrong password (EAUTH) is the owner's to mend; other 5xx answers are final (RFC 5321).
    const final = responseCode !== undefined && responseCode >= 500 && code !== "EAUTH";
    return final ? { kind: "failed", reason } : { kind: "retry", reason };
  } finally {
    transport.close();
  }
}

/** How long each step of the conversation may take; an attempt as a whole is cut off by its signal. */
const STEP_MS = 10_000;
