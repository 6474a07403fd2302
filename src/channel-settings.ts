/** The other sides that messages go out to, from the environment (contract section 9). */
import { z } from "zod";
import type { Channels } from "./jobs/deliver.ts";

export const TWILIO_KEYS = ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"] as const;
export const CRM_KEYS = ["CRM_WEBHOOK_URL", "CRM_WEBHOOK_SECRET"] as const;
export const MAIL_KEYS = ["SMTP_URL", "MAIL_FROM"] as const;

const text = z.string().optional();
const webAddress = z.url({ protocol: /^https?$/, error: "must be a web address" }).optional();

const schema = z.object({
  TWILIO_ACCOUNT_SID: text,
  TWILIO_AUTH_TOKEN: text,
  TWILIO_FROM: text,
  TWILIO_BASE_URL: webAddress.default("https://api.twilio.com"),
  CRM_WEBHOOK_URL: webAddress,
  CRM_WEBHOOK_SECRET: text,
  CRM_WEBHOOK_ALLOW_PRIVATE: z.enum(["true", "false"]).default("false"),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/.+/, "must begin with smtp:// or smtps://")
    .optional(),
  MAIL_FROM: text,
});

/**
 * A way of sending whose settings are not all there is off.
 * @param settings variables of the environment, the empty ones left out
 */
export function readChannels(settings: object, explain: z.core.$ZodErrorMap) {
  return schema.transform(toChannels).safeParse(settings, { error: explain });
}

function toChannels(env: z.output<typeof schema>): Channels {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = env;
  const { CRM_WEBHOOK_URL: url, CRM_WEBHOOK_SECRET: secret, SMTP_URL: smtp, MAIL_FROM: sender } = env;
  return {
    twilio:
      accountSid && authToken && from
        ? { accountSid, authToken, from, baseUrl: env.TWILIO_BASE_URL.replace(/\/$/, "") }
        : null,
    crm: url && secret ? { url, secret, allowPrivate: env.CRM_WEBHOOK_ALLOW_PRIVATE === "true" } : null,
    mail: smtp && sender ? { url: smtp, from: sender } : null,
  };
}
