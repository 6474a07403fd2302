/** The ways in which messages leave the shop, and which kind of message takes which. */
import { JOB_KINDS, type JobKind } from "../vocabulary.ts";
import type { CrmSettings } from "./crm.ts";
import type { MailSettings } from "./mail.ts";
import type { TwilioSettings } from "./sms.ts";

/** Outbound channels; null when not configured. */
export interface Channels {
  twilio: TwilioSettings | null;
  crm: CrmSettings | null;
  mail: MailSettings | null;
}

/** Which way each kind of job goes out. */
export const CHANNEL_OF = {
  notify_shop_sms: "twilio",
  push_to_crm: "crm",
  // A reminder is there to be seen by the owner, not sent.
  remind_owner: null,
  confirmation_sms: "twilio",
  confirmation_email: "mail",
  reminder_sms: "twilio",
  reminder_email: "mail",
} as const satisfies Record<JobKind, keyof Channels | null>;

const CHANNELS = ["twilio", "crm", "mail"] as const;
const NAMES = { twilio: "sms", crm: "crm", mail: "email" } as const satisfies Record<keyof Channels, string>;

/** Names of the channels that have no settings. */
export function unconfiguredChannels(channels: Channels): string[] {
  return CHANNELS.filter((name) => channels[name] === null).map((name) => NAMES[name]);
}

/** The kinds of job that can go out, by the way they go: one that hangs must not hold up another. */
export function lanes(channels: Channels): JobKind[][] {
  return CHANNELS.filter((name) => channels[name] !== null).map((name) =>
    JOB_KINDS.filter((kind) => CHANNEL_OF[kind] === name),
  );
}
