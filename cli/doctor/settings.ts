/** Checks of the settings, and of those for texts, e-mails and the CRM. Source: contract 9. */
import { isExample } from "../../src/catalog/at-site.ts";
import type { Catalog } from "../../src/catalog/schema.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { CHANNEL_SETTINGS, KEYS_OF, SETTINGS } from "../../src/env/env.ts";
import { CHANNEL_NAMES, unreached } from "../../src/messages/channels.ts";
import { joinWithAnd } from "../../src/schema/explain.ts";
import { offInWords } from "../server/outbox.ts";
import { nearestSetting, settingIssue } from "../setup/questions.ts";
import { clean } from "../terminal/output.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const NAME = "settings";

type Settings = Readonly<Record<string, string | undefined>>;

/** A wrong setting keeps the server from starting, and an unknown one does nothing. @param written the names in `.env` */
export function checkSettings(settings: Settings, written: readonly string[], others: readonly Finding[]): Finding[] {
  const named = new Set(others.map(({ message }) => message));
  const wrong = Object.keys(SETTINGS).flatMap((name) => {
    const value = settings[name];
    const reason = value === undefined ? undefined : settingIssue(name, value);
    const isNew = reason !== undefined && !named.has(`${name} ${reason}`);
    return isNew ? problem(NAME, `${name} ${reason}`, "correct the variable, or unset it") : [];
  });
  const typos = written.flatMap((name) => {
    const meant = Object.hasOwn(SETTINGS, name) || name === "TINT_CATALOG" ? undefined : nearestSetting(name);
    const message = `.env has ${clean(name)}, which is no setting`;
    return meant === undefined ? [] : warning(NAME, message, `write ${meant} if that is meant, or remove the line`);
  });
  return [...wrong, ...typos];
}

/** The running server has settings that this terminal does not see. */
const ON_THERE = "on in the running server, whose settings are not those of this terminal";

export function checkSms(settings: Settings, isOnThere = false): Finding {
  const name = "sms";
  if (isOnThere && isUnset(settings, KEYS_OF.twilio)) return ok(name, ON_THERE);
  if (isUnset(settings, KEYS_OF.twilio)) return warning(name, offInWords(["sms"]), "tint outbox shows what waits");
  const wrong = wrongSetting(name, settings, KEYS_OF.twilio, ["TWILIO_BASE_URL"]);
  if (wrong) return wrong;
  const { TWILIO_FROM: from, TWILIO_BASE_URL: base } = settings;
  if (base) return warning(name, `on, but through ${base}`, "unset TWILIO_BASE_URL: it is for tests");
  return ok(name, `on, from ${from}`);
}

/** Nothing where there is no CRM. @param isOnThere whether the running server pushes to it */
export function checkCrm(settings: Settings, isOnThere = false): Finding[] {
  const name = "crm";
  if (isUnset(settings, KEYS_OF.crm)) return isOnThere ? [ok(name, ON_THERE)] : [];
  const wrong = wrongSetting(name, settings, KEYS_OF.crm);
  return [wrong ?? ok(name, `leads are sent to ${hostOf(settings.CRM_WEBHOOK_URL)}`)];
}

/** @param inUse the e-mails that the catalog switches on @param isOnThere whether the running server sends them */
export function checkMail(settings: Settings, inUse: readonly string[], isOnThere = false): Finding {
  const name = "email";
  if (isOnThere && isUnset(settings, KEYS_OF.mail)) return ok(name, ON_THERE);
  if (!isUnset(settings, KEYS_OF.mail)) {
    const wrong = wrongSetting(name, settings, KEYS_OF.mail);
    return wrong ?? ok(name, `on, from ${settings.MAIL_FROM} through ${hostOf(settings.SMTP_URL)}`);
  }
  const none = "off, and no e-mail to customers goes out: those about changes need confirmation_email, which is off";
  if (inUse.length === 0) return ok(name, none);
  const fix = "to switch it on: tint setup; or switch the message off in the catalog";
  return problem(name, `${offInWords(["email"])}; the catalog switches on ${inUse.join(" and ")}`, fix);
}

/** Whether everybody who should hear of bookings can. @param off the ways of sending that are off where bookings are made */
export function checkAlerts(catalog: Shop, off: readonly string[]): Finding[] {
  const name = "alerts";
  const missed = unreachedWithout(off, catalog);
  if (missed.length === 0) return [ok(name, "everybody who should hear of bookings can be reached")];
  const fix = "to switch them on, or to name others: tint setup";
  return missed.map(({ message, isNobody }) =>
    // Nobody waits for the bookings of a shop that is being tried.
    isNobody && !isExample(catalog.site.url) ? problem(name, message, fix) : warning(name, message, fix),
  );
}

/** Whether customers hear of their own bookings. @param off as in `checkAlerts` */
export function checkConfirmations({ messaging }: Shop, off: readonly string[]): Finding {
  const name = "confirmations";
  const goes = (kind: "confirmation_email" | "confirmation_sms", channel: string) =>
    messaging.customerMessages.has(kind) && !off.includes(channel);
  const ways = [
    ...(goes("confirmation_email", CHANNEL_NAMES.mail) ? ["e-mail"] : []),
    ...(goes("confirmation_sms", CHANNEL_NAMES.twilio) ? ["text"] : []),
  ];
  if (ways.length > 0) return ok(name, `customers get one of each booking, by ${joinWithAnd(ways)}`);
  const fix = "set up a mail server with tint setup: messages.confirmation_email.enabled: auto then sends them";
  return warning(name, "customers get none of their bookings, by e-mail or text", fix);
}

export function checkDeposits({ deposit }: Pick<Catalog, "deposit">, settings: Settings): Finding[] {
  const name = "deposits";
  if (!deposit && isUnset(settings, KEYS_OF.stripe)) return [];
  if (isUnset(settings, KEYS_OF.stripe)) {
    const fix = "set STRIPE_SECRET_KEY with tint setup, or take the section out of the catalog";
    return [problem(name, "off, but the catalog asks for them: such bookings are confirmed without one", fix)];
  }
  const wrong = wrongSetting(name, settings, KEYS_OF.stripe, ["STRIPE_BASE_URL"]);
  if (wrong) return [wrong];
  const { STRIPE_SECRET_KEY: key = "", STRIPE_BASE_URL: base } = settings;
  if (base) return [warning(name, `on, but through ${base}`, "unset STRIPE_BASE_URL: it is for tests")];
  if (key.includes("_test_"))
    return [warning(name, "on, but with a test key: nobody pays", "set the live key of Stripe with tint setup")];
  return [ok(name, deposit ? "paid by card at Stripe" : "a key is set, but the catalog has no section deposit")];
}

function isUnset(settings: Settings, keys: readonly string[]): boolean {
  return keys.every((key) => !settings[key]);
}

/** An issue when settings are incomplete or have the wrong form. Values are not shown, because some are secret. */
function wrongSetting(name: string, settings: Settings, needed: readonly string[], optional: readonly string[] = []) {
  const missing = needed.filter((key) => !settings[key]);
  if (missing.length > 0)
    return problem(name, `${missing.join(" and ")} not set`, "set all of them, or none to switch this off");
  const given = [...needed, ...optional].flatMap((key) => (settings[key] ? [[key, settings[key]]] : []));
  const zodIssue = CHANNEL_SETTINGS.safeParse(Object.fromEntries(given)).error?.issues[0];
  const wrong = zodIssue ? `${zodIssue.path.join(".")} ${zodIssue.message}` : oddSetting(settings, needed);
  return wrong === undefined ? undefined : problem(name, wrong, "correct the variable");
}

/** Values that the server accepts, but that Twilio or a CRM would not have issued. */
function oddSetting(settings: Settings, keys: readonly string[]): string | undefined {
  const { TWILIO_ACCOUNT_SID: sid = "", CRM_WEBHOOK_SECRET: secret = "" } = settings;
  if (keys.includes("TWILIO_ACCOUNT_SID") && !/^AC[0-9a-f]{32}$/i.test(sid))
    return "TWILIO_ACCOUNT_SID must be an account SID as Twilio's console shows it: AC and 32 characters";
  const bytes = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64").length : 0;
  if (keys.includes("CRM_WEBHOOK_SECRET") && (bytes < SECRET_BYTES.least || bytes > SECRET_BYTES.most))
    return `CRM_WEBHOOK_SECRET must be whsec_ and base64 of ${SECRET_BYTES.least} to ${SECRET_BYTES.most} bytes: copy it from the CRM whole`;
  return undefined;
}

/** The length of a secret, from the Standard Webhooks specification. */
const SECRET_BYTES = { least: 24, most: 64 };

/** The host and port of an address, without user and password. */
function hostOf(address = ""): string {
  return new URL(address).host;
}

/** Who hears of no bookings. @param off names of the ways of sending that have no settings */
export function unreachedWithout(off: readonly string[], catalog: Shop) {
  const on = (channel: keyof typeof CHANNEL_NAMES) => (off.includes(CHANNEL_NAMES[channel]) ? null : {});
  return unreached(catalog, { twilio: on("twilio"), mail: on("mail"), push: {} });
}
