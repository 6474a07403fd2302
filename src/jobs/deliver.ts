/** Hands each job to the channel that delivers it. */
import type { Catalog } from "../catalog/schema.ts";
import { whyNoTexts } from "../lib/phone.ts";
import type { DueJob, Sms, Store } from "../store/store.ts";
import type { Channels } from "./channels.ts";
import { pushToCrm } from "./crm.ts";
import type { Delivery } from "./delivery.ts";
import { sendMail } from "./mail.ts";
import { shopNumber, textCountries } from "./message-texts.ts";
import { sendSms, type TwilioSettings } from "./sms.ts";
import type { Deliver } from "./worker.ts";

/** @param catalog the current one; it says where texts may go at the time they are sent */
export function createDeliver(
  { twilio, crm, mail }: Channels,
  store: Pick<Store, "settledMessages">,
  catalog: () => Catalog,
): Deliver {
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
        return twilio ? text({ ...job.payload, to: shopNumber(catalog()) }, job, twilio, signal) : OFF;
      case "confirmation_sms":
      case "reminder_sms":
      case "rescheduled_sms":
      case "cancelled_sms":
      case "ready_sms":
      case "aftercare_sms":
      case "review_sms": {
        if (!twilio) return OFF;
        const reason = whyNoTexts(job.payload.to, textCountries(catalog()));
        return reason === undefined ? text(job.payload, job, twilio, signal) : { kind: "failed", reason };
      }
      case "confirmation_email":
      case "reminder_email":
      case "rescheduled_email":
      case "cancelled_email":
        return mail ? sendMail(`job-${job.id}-${job.createdAt}`, job.payload, mail) : OFF;
      case "push_to_crm":
        return crm ? pushToCrm(job.payload, crm, signal) : OFF;
      case "remind_owner":
        return OFF;
    }
  };
}

const OFF: Delivery = { kind: "retry", reason: "this channel is not configured" };
