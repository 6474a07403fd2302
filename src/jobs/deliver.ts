/** Hands each job to the channel that delivers it. */
import type { Shop } from "../catalog/shop.ts";
import { whyNoTexts } from "../lib/phone.ts";
import type { DueJob, Sms, Store } from "../store/store.ts";
import { type AttemptResult, unanswered } from "./attempt-result.ts";
import type { Channels } from "./channels.ts";
import { pushToCrm } from "./crm.ts";
import { sendMail } from "./mail.ts";
import { hasWrittenStart } from "./opt-out.ts";
import { copiesOf, receiverOf } from "./owner-contacts.ts";
import { pushText } from "./push.ts";
import { sendSms } from "./sms.ts";
import type { TwilioSettings } from "./twilio.ts";
import type { Deliver } from "./worker.ts";

/** @param catalog the current one; it says where texts may go at the time they are sent */
export function createDeliver(
  channels: Channels,
  store: Pick<Store, "settledMessages" | "optOutOf" | "allowTexts">,
  catalog: () => Shop,
): Deliver {
  const { twilio, crm, mail, push } = channels;
  const text = (sms: Sms, job: DueJob, settings: TwilioSettings, signal: AbortSignal) =>
    sendSms(sms, settings, {
      doubtful: job.doubtful,
      since: job.firstTriedAt,
      settled: (sids) => store.settledMessages(sids, job.id),
      signal,
    });
  return async (job, signal) => {
    switch (job.kind) {
      case "notify_shop_sms":
      case "bookings_alert_sms":
      case "digest_sms":
      case "text_limit_sms":
      case "late_messages_sms":
      case "remind_owner_notice": {
        const copies = copiesOf(job.payload, channels, catalog());
        return copies.length === 0 ? OFF : { kind: "spread", copies };
      }
      case "shop_sms":
      case "shop_email":
      case "shop_push": {
        const to = receiverOf(job.payload, catalog());
        if (to === undefined) return { kind: "failed", reason: "alerts.to names this receiver no more" };
        if (job.kind === "shop_sms") return twilio ? text({ ...job.payload, to }, job, twilio, signal) : OFF;
        if (job.kind === "shop_email") return mail ? sendMail(idOf(job), { ...job.payload, to }, mail) : OFF;
        return push ? pushText({ ...job.payload, to }, idOf(job), push, signal) : OFF;
      }
      case "confirmation_sms":
      case "reminder_sms":
      case "rescheduled_sms":
      case "cancelled_sms":
      case "ready_sms":
      case "aftercare_sms":
      case "review_sms":
      case "quote_reply_sms":
      case "quote_nudge_sms": {
        if (!twilio) return OFF;
        const { to } = job.payload;
        const reason = whyNoTexts(to, catalog().messaging.textCountries);
        if (reason !== undefined) return { kind: "failed", reason };
        return (await ifOptedOut(to, twilio, store, signal)) ?? text(job.payload, job, twilio, signal);
      }
      case "confirmation_email":
      case "reminder_email":
      case "rescheduled_email":
      case "cancelled_email":
      case "quote_reply_email":
      case "quote_nudge_email":
        return mail ? sendMail(idOf(job), job.payload, mail) : OFF;
      case "push_to_crm":
        return crm ? pushToCrm(job.payload, crm, signal) : OFF;
      case "remind_owner":
        return OFF;
    }
  };
}

/** A customer who wrote STOP gets texts again once they wrote START. @returns undefined when nothing stops the text */
async function ifOptedOut(
  phone: string,
  twilio: TwilioSettings,
  store: Pick<Store, "optOutOf" | "allowTexts">,
  signal: AbortSignal,
): Promise<AttemptResult | undefined> {
  const stop = await store.optOutOf(phone);
  if (!stop) return undefined;
  try {
    if (!(await hasWrittenStart(phone, stop.at, twilio, signal)))
      return { kind: "failed", reason: "this customer wants no more texts; see tint outbox allow" };
  } catch (error) {
    return { kind: "retry", reason: unanswered(error).reason };
  }
  await store.allowTexts(phone);
  return undefined;
}

/** The id of a message, the same at every attempt. */
function idOf({ id, createdAt }: DueJob): string {
  return `job-${id}-${createdAt}`;
}

const OFF: AttemptResult = { kind: "retry", reason: "this channel is not configured", isOff: true };
