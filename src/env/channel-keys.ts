/** The names of the settings of each channel. */

export const TWILIO_KEYS = ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"] as const;
export const CRM_KEYS = ["CRM_WEBHOOK_URL", "CRM_WEBHOOK_SECRET"] as const;
export const MAIL_KEYS = ["SMTP_URL", "MAIL_FROM"] as const;

/** The settings without which a channel is off. */
export const KEYS_OF = { twilio: TWILIO_KEYS, crm: CRM_KEYS, mail: MAIL_KEYS } as const;
