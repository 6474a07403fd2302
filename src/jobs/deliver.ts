/** Which way each kind of job goes out. */
import { CHANNEL_OF } from "../channel-settings.ts";
import type { DueJob, LeadChange, Store } from "../store/store.ts";
import { JOB_KINDS, type JobKind } from "../vocabulary.ts";
import { type CrmSettings, pushToCrm } from "./crm.ts";
import { type Mail, type MailSettings, sendMail } from "./mail.ts";
import type { Outcome } from "./outcome.ts";
import { type Sms, sendSms, type TwilioSettings } from "./sms.ts";
import type { Deliver } from "./worker.ts";

/** Outbound channels; null when not configured. */
export interface Channels {
  twilio: TwilioSettings | null;
  crm: CrmSettings | null;
  mail: MailSettings | null;
}

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
