/** The outbound channels, and the channel of each kind of job. */
import { JOB_KINDS, type JobKind } from "../constants.ts";
import type { CrmSettings } from "./crm.ts";
import type { MailSettings } from "./mail.ts";
import type { TwilioSettings } from "./twilio.ts";

/** Null when the channel is not configured. */
export interface Channels {
  twilio: TwilioSettings | null;
  crm: CrmSettings | null;
  mail: MailSettings | null;
}

/** Null for jobs that are never sent. */
export const CHANNEL_OF = {
  notify_shop_sms: "twilio",
  bookings_alert_sms: "twilio",
  digest_sms: "twilio",
  text_limit_sms: "twilio",
  late_messages_sms: "twilio",
  push_to_crm: "crm",
  // The owner sees reminders in `tint leads`.
  remind_owner: null,
  confirmation_sms: "twilio",
  confirmation_email: "mail",
  reminder_sms: "twilio",
  reminder_email: "mail",
  rescheduled_sms: "twilio",
  rescheduled_email: "mail",
  cancelled_sms: "twilio",
  ready_sms: "twilio",
  aftercare_sms: "twilio",
  review_sms: "twilio",
  cancelled_email: "mail",
} as const satisfies Record<JobKind, keyof Channels | null>;

const CHANNELS = ["twilio", "crm", "mail"] as const;
const NAMES = { twilio: "sms", crm: "crm", mail: "email" } as const satisfies Record<keyof Channels, string>;

/** Names of the channels that are not configured. */
export function unconfiguredChannels(channels: Channels): string[] {
  return CHANNELS.filter((name) => channels[name] === null).map((name) => NAMES[name]);
}

/** The kinds of job that can be sent, grouped by channel: a channel that hangs must not delay another. */
export function lanes(channels: Channels): JobKind[][] {
  return CHANNELS.filter((name) => channels[name] !== null).map((name) =>
    JOB_KINDS.filter((kind) => CHANNEL_OF[kind] === name),
  );
}
