/** Hands each job to the channel that delivers it. */
import type { Store } from "../store/store.ts";
import type { Channels } from "./channels.ts";
import { pushToCrm } from "./crm.ts";
import { sendMail } from "./mail.ts";
import type { Outcome } from "./outcome.ts";
import { sendSms } from "./sms.ts";
import type { Deliver } from "./worker.ts";

export function createDeliver({ twilio, crm, mail }: Channels, store: Pick<Store, "settledMessages">): Deliver {
  return async (job, signal) => {
    switch (job.kind) {
      case "notify_shop_sms":
      case "bookings_alert_sms":
      case "confirmation_sms":
      case "reminder_sms":
        if (!twilio) return OFF;
        return sendSms(job.payload, twilio, {
          doubtful: job.doubtful,
          since: job.firstTriedAt,
          settled: store.settledMessages,
          signal,
        });
      case "confirmation_email":
      case "reminder_email":
        return mail ? sendMail(`job-${job.id}-${job.createdAt}`, job.payload, mail) : OFF;
      case "push_to_crm":
        return crm ? pushToCrm(job.payload, crm, signal) : OFF;
      case "remind_owner":
        return OFF;
    }
  };
}

const OFF: Outcome = { kind: "retry", reason: "this channel is not configured" };
