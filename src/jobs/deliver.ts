/** Which way each kind of job goes out. */
import type { DueJob } from "../store/store.ts";
import { JOB_KINDS, type JobKind } from "../vocabulary.ts";
import { type CrmSettings, pushToCrm } from "./crm.ts";
import { type Mail, type MailSettings, sendMail } from "./mail.ts";
import type { Outcome } from "./outcome.ts";
import { type Sms, sendSms, type TwilioSettings } from "./sms.ts";
import type { Deliver } from "./worker.ts";

/** The other sides; each is null until its settings are there. */
export interface Channels {
  twilio: TwilioSettings | null;
  crm: CrmSettings | null;
  mail: MailSettings | null;
}

const CHANNEL = {
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

/** The ways of sending that have no settings. */
export function switchedOff(channels: Channels): string[] {
  return CHANNELS.filter((name) => channels[name] === null).map((name) => NAMES[name]);
}

/** The kinds of job that can go out, by the way they go: one that hangs must not hold up another. */
export function lanes(channels: Channels): JobKind[][] {
  return CHANNELS.filter((name) => channels[name] !== null).map((name) =>
    JOB_KINDS.filter((kind) => CHANNEL[kind] === name),
  );
}

export function createDeliver({ twilio, crm, mail }: Channels): Deliver {
  return async (job, signal) => {
    switch (CHANNEL[job.kind]) {
      case "twilio":
        return twilio
          ? sendSms(payloadOf<Sms>(job), twilio, { doubtful: job.doubtful, since: job.createdAt, signal })
          : OFF;
      case "crm": {
        const { id, event } = payloadOf<{ id: string; event: object }>(job);
        return crm ? pushToCrm(id, event, crm, signal) : OFF;
      }
      case "mail":
        return mail ? sendMail(`job-${job.id}-${job.createdAt}`, payloadOf<Mail>(job), mail) : OFF;
      default:
        return OFF;
    }
  };
}

const OFF: Outcome = { kind: "retry", reason: "this way of sending is switched off" };

/** `planJobs` wrote the payload when the job was made, in the form its kind is delivered from. */
function payloadOf<T>({ payload }: DueJob): T {
  return payload as T;
}
