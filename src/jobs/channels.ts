/** The outbound channels, and the channel of each kind of job. */
import type { Shop } from "../catalog/shop.ts";
import { JOB_KINDS, type JobKind, SHOP_NEWS } from "../constants.ts";
import type { CrmSettings } from "./crm.ts";
import type { MailSettings } from "./mail.ts";
import { isOwnerReachable } from "./owner-contacts.ts";
import type { PushSettings } from "./push.ts";
import type { TwilioSettings } from "./twilio.ts";

/** Null when the channel is not configured. */
export interface Channels {
  twilio: TwilioSettings | null;
  crm: CrmSettings | null;
  mail: MailSettings | null;
  /** The owner's own web addresses, which need no settings. */
  push: PushSettings | null;
}

/** `owner`: the ways to reach those of `alerts.to`. Null for jobs that are never sent. */
export const CHANNEL_OF = {
  notify_shop_sms: "owner",
  bookings_alert_sms: "owner",
  digest_sms: "owner",
  text_limit_sms: "owner",
  late_messages_sms: "owner",
  remind_owner_notice: "owner",
  shop_sms: "twilio",
  shop_email: "mail",
  shop_push: "push",
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
  quote_reply_sms: "twilio",
  quote_nudge_sms: "twilio",
  quote_reply_email: "mail",
  quote_nudge_email: "mail",
} as const satisfies Record<JobKind, keyof Channels | "owner" | null>;

const CHANNELS = ["twilio", "crm", "mail"] as const;
/** As the server names them. */
export const CHANNEL_NAMES = { twilio: "sms", crm: "crm", mail: "email" } as const satisfies Record<
  (typeof CHANNELS)[number],
  string
>;

/** Names of the channels that are not configured. */
export function unconfiguredChannels(channels: Channels): string[] {
  return CHANNELS.filter((name) => channels[name] === null).map((name) => CHANNEL_NAMES[name]);
}

/**
 * The kinds of job that can be sent, grouped by channel: a channel that hangs must not delay another.
 * @param catalog the current one; it says who is told of the shop's news
 */
export function lanes(channels: Channels, catalog: () => Shop): (() => readonly JobKind[])[] {
  const configured = [...CHANNELS, "push" as const].filter((name) => channels[name] !== null);
  return [
    () => (isOwnerReachable(channels, catalog()) ? SHOP_NEWS : []),
    ...configured.map((name) => {
      const kinds = JOB_KINDS.filter((kind) => CHANNEL_OF[kind] === name);
      return () => kinds;
    }),
  ];
}
