/** Settings for text messages, CRM, e-mail and payments (contract 9). */
import { z } from "zod";
import { isSecureAddress } from "../lib/network.ts";
import type { Channels } from "../messages/channels.ts";
import type { StripeSettings } from "../payments/stripe.ts";

/** An address that gets customers' data, so it must use TLS unless it is on this machine. */
const webAddress = z
  .string()
  .refine(isSecureAddress, "must begin with https:// (http:// only to this machine)")
  .optional();

/** The signing library takes base64 with or without the prefix. `tint doctor` checks the length. */
const SIGNING_SECRET = /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/;

/** One entry per setting, so that `tint doctor` can check them one by one. */
export const CHANNEL_SETTINGS = z.object({
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^\w{2,64}$/, "must be an account SID as Twilio's console shows it: AC and 32 characters")
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().optional(),
  TWILIO_FROM: z
    .string()
    .regex(/^(\+[1-9]\d{6,14}|MG\w{1,62})$/, "must be a number like +14045550142, or a messaging service (MG…)")
    .optional(),
  TWILIO_BASE_URL: webAddress,
  CRM_WEBHOOK_URL: webAddress,
  CRM_WEBHOOK_SECRET: z
    .string()
    .regex(SIGNING_SECRET, "must be whsec_ and base64 of 24 to 64 bytes: copy it from the CRM whole")
    .optional(),
  CRM_WEBHOOK_ALLOW_PRIVATE: z.enum(["true", "false"]).default("false"),
  /** Allows addresses of `alerts.to` in a private network. */
  ALERTS_ALLOW_PRIVATE: z.enum(["true", "false"]).default("false"),
  SMTP_URL: z.string().refine(isMailServer, "must be like smtps://user:password@mail.example.com:465").optional(),
  /** Mail holds customers' data, so plain text is the owner's decision. */
  SMTP_ALLOW_PLAIN: z.enum(["true", "false"]).default("false"),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>\r\n]* <[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/, "must be like Shop <desk@example.com>")
    .optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(
      /^[sr]k_(test|live)_\w{8,250}$/,
      "must be a secret or restricted key as Stripe's dashboard shows it: sk_live_…",
    )
    .optional(),
  STRIPE_BASE_URL: webAddress,
});

function isMailServer(text: string): boolean {
  return /^smtps?:\/\//.test(text) && URL.canParse(text) && new URL(text).hostname !== "";
}

/** A channel with a missing setting is off. */
export function toChannels(env: z.output<typeof CHANNEL_SETTINGS>): Channels {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = env;
  const { CRM_WEBHOOK_URL: url, CRM_WEBHOOK_SECRET: secret, SMTP_URL: smtp, MAIL_FROM: sender } = env;
  const baseUrl = (env.TWILIO_BASE_URL ?? "https://api.twilio.com").replace(/(?<!\/)\/+$/, "");
  return {
    twilio: accountSid && authToken && from ? { accountSid, authToken, from, baseUrl } : null,
    crm: url && secret ? { url, secret, allowPrivate: env.CRM_WEBHOOK_ALLOW_PRIVATE === "true" } : null,
    mail: smtp && sender ? { url: smtp, from: sender, allowPlain: env.SMTP_ALLOW_PLAIN === "true" } : null,
    push: { allowPrivate: env.ALERTS_ALLOW_PRIVATE === "true" },
  };
}

/** Null where no deposits are taken. */
export function toPayments(env: z.output<typeof CHANNEL_SETTINGS>): StripeSettings | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_BASE_URL: baseUrl = "https://api.stripe.com" } = env;
  return secretKey ? { secretKey, baseUrl } : null;
}

export const TWILIO_KEYS = ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"] as const;
export const CRM_KEYS = ["CRM_WEBHOOK_URL", "CRM_WEBHOOK_SECRET"] as const;
export const MAIL_KEYS = ["SMTP_URL", "MAIL_FROM"] as const;
export const STRIPE_KEYS = ["STRIPE_SECRET_KEY"] as const;

/** The settings without which a channel is off. */
export const KEYS_OF = { twilio: TWILIO_KEYS, crm: CRM_KEYS, mail: MAIL_KEYS } as const;
