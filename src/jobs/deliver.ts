/** Hands each job to the channel of its kind. */
import type { DueJob, LeadChange, Store } from "../store/store.ts";
import { CHANNEL_OF, type Channels } from "./channels.ts";
import { pushToCrm } from "./crm.ts";
import { type Mail, sendMail } from "./mail.ts";
import type { Outcome } from "./outcome.ts";
import { type Sms, sendSms } from "./sms.ts";
import type { Deliver } from "./worker.ts";

export function createDeliver({ twilio, crm, mail }: Channels, store: Pick<Store, "settledMessages">): Deliver {
  return async (job, signal) => {
    switch (CHANNEL_OF[job.kind]) {
      case "twilio":
        return twilio
          ? sendSms(payloadOf<Sms>(job), twilio, {
              doubtful: job.doubtful,
              since: job.firstTriedAt,
              settled: store.settledMessages,
              signal,
            })
          : OFF;
      case "crm":
        return crm ? pushToCrm(payloadOf<LeadChange>(job), crm, signal) : OFF;
      case "mail":
        return mail ? sendMail(`job-${job.id}-${job.createdAt}`, payloadOf<Mail>(job), mail) : OFF;
      default:
        return OFF;
    }
  };
}

const OFF: Outcome = { kind: "retry", reason: "this channel is not configured" };

/** `planJobs` wrote the payload when the job was made, in the form its kind is delivered from. */
function payloadOf<T>({ payload }: DueJob): T {
  return payload as T;
}
