/** The settings of what goes out: texts through Twilio, leads to a CRM. Source: contract section 9. */
import { type Check, fault, ok, warning } from "./check.ts";

type Settings = Readonly<Record<string, string | undefined>>;

const TWILIO = ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"] as const;

export function checkSms(settings: Settings): Check {
  const name = "sms";
  const missing = TWILIO.filter((key) => !settings[key]);
  if (missing.length === TWILIO.length)
    return warning(name, "off: texts stay in the outbox", `to switch it on, set ${TWILIO.join(", ")}`);
  if (missing.length > 0)
    return fault(name, `${missing.join(" and ")} not set`, "set all three, or none to switch SMS off");
  const { TWILIO_ACCOUNT_SID: sid = "", TWILIO_FROM: from = "", TWILIO_BASE_URL: base } = settings;
  if (!/^AC[0-9a-f]{32}$/i.test(sid))
    return fault(
      name,
      "TWILIO_ACCOUNT_SID is not an account SID",
      "copy it from Twilio's console: AC and 32 characters",
    );
  if (!/^\+[1-9]\d{6,14}$/.test(from) && !/^MG[0-9a-f]{32}$/i.test(from))
    return fault(
      name,
      "TWILIO_FROM is not a number that can send",
      "write it like +14045550142, or give a messaging service (MG…)",
    );
  if (base) return warning(name, `on, but through ${base}`, "unset TWILIO_BASE_URL: it is for tests");
  return ok(name, `on, from ${from}`);
}

/** A Standard Webhooks secret holds 24 to 64 bytes. */
const SECRET_BYTES = { least: 24, most: 64 };

export function checkCrm({ CRM_WEBHOOK_URL: url, CRM_WEBHOOK_SECRET: secret }: Settings): Check {
  const name = "crm";
  if (!url && !secret) return ok(name, "no outside CRM: leads are kept here, see tint leads");
  if (!url || !secret)
    return fault(
      name,
      `${url ? "CRM_WEBHOOK_SECRET" : "CRM_WEBHOOK_URL"} not set`,
      "set both, or none to keep leads here only",
    );
  const address = URL.canParse(url) ? new URL(url) : null;
  const isLoopback = address !== null && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(address.hostname);
  if (!address || (address.protocol !== "https:" && !(address.protocol === "http:" && isLoopback)))
    return fault(
      name,
      "CRM_WEBHOOK_URL is not an https:// address",
      "give the address that the CRM shows for webhooks",
    );
  const bytes = /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret) ? Buffer.from(secret.slice(6), "base64").length : 0;
  if (bytes < SECRET_BYTES.least || bytes > SECRET_BYTES.most)
    return fault(
      name,
      "CRM_WEBHOOK_SECRET has not the form of a signing secret",
      "it is whsec_ and base64 of 24 to 64 bytes: copy it from the CRM whole",
    );
  return ok(name, `leads are pushed to ${address.host}`);
}
