/** The questions of `tint setup`, the rules of the answers, and the trial of the settings: a test message to each of `alerts.to`. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Shop } from "../../src/catalog/shop.ts";
import { CHANNEL_SETTINGS, KEYS_OF, SETTINGS, toChannels } from "../../src/env/env.ts";
import { toE164 } from "../../src/lib/phone.ts";
import { capitalized } from "../../src/lib/text.ts";
import type { AttemptResult } from "../../src/messages/attempts.ts";
import { channelOf, copyFor, type ShopCopy, unreached } from "../../src/messages/channels.ts";
import { checkMailServer, sendMail } from "../../src/messages/mail.ts";
import { fetchDeliveryReport, sendSms, type TwilioSettings } from "../../src/messages/twilio.ts";
import { pushText } from "../../src/messages/webhook.ts";
import { didYouMean, explainIssue } from "../../src/schema/explain.ts";
import { UsageError } from "../terminal/output.ts";

export type Known = Readonly<Record<string, string | undefined>>;

/** New values by name; null removes a setting. */
export type Changes = Readonly<Record<string, string | null>>;

interface SetupQuestion {
  name: string;
  question: string;
  /** Not asked where an earlier answer makes it pointless. */
  isAsked?: (known: Known) => boolean;
  /** The answer of a bare Enter while there is no value. */
  usual?: string;
  isSecret?: boolean;
}

const hasTwilio = ({ TWILIO_ACCOUNT_SID: sid }: Known) => sid !== undefined;

export const SETUP_QUESTIONS: readonly SetupQuestion[] = [
  {
    name: "TINT_SITE_URL",
    question: "Web address under which customers reach this program, like https://book.lakeside.example",
  },
  {
    name: "TINT_TRUSTED_PROXIES",
    question: "Address of the web server in front that has the certificate (Caddy, nginx)",
    usual: "127.0.0.1",
    isAsked: ({ TINT_SITE_URL: site }) => site?.startsWith("https:") === true,
  },
  { name: "TWILIO_ACCOUNT_SID", question: "Texts: account SID of Twilio, AC and 32 characters" },
  { name: "TWILIO_AUTH_TOKEN", question: "Texts: auth token of Twilio", isAsked: hasTwilio, isSecret: true },
  {
    name: "TWILIO_FROM",
    question: "Texts: your Twilio number, like +15125550142, or a messaging service (MG…)",
    isAsked: hasTwilio,
  },
  {
    name: "SMTP_URL",
    question: "E-mail: mail server, like smtps://user:password@mail.example.com:465",
    isSecret: true,
  },
  {
    name: "MAIL_FROM",
    question: "E-mail: sender, like Lakeside Tint <desk@lakeside.example>",
    isAsked: ({ SMTP_URL: smtp }) => smtp !== undefined,
  },
  { name: "STRIPE_SECRET_KEY", question: "Deposits: secret key of Stripe, like sk_live_…", isSecret: true },
];

/** A host alone is an https address, and a phone number may be typed in any form. Every other value stays as it was typed. */
export function completed(name: string, value: string, country: string): string {
  if (name === "TWILIO_FROM" && /^[+\d(]/.test(value)) return toE164(value, country) ?? value;
  return name === "TINT_SITE_URL" && /^[\w-]+(\.[\w-]+)+$/.test(value) ? `https://${value}` : value;
}

/** A server takes other forms, too: those of stand-ins. Twilio has issued none of them, so they are typing errors. */
const TYPED: Readonly<Record<string, [form: RegExp, issue: string]>> = {
  TWILIO_ACCOUNT_SID: [
    /^AC[0-9a-f]{32}$/i,
    "must be AC and 32 digits or letters from a to f, as Twilio's console shows it",
  ],
  TWILIO_AUTH_TOKEN: [/^[0-9a-f]{32}$/i, "must be 32 digits or letters from a to f, as Twilio's console shows it"],
};

export function typedIssue(name: string, value: string): string | undefined {
  const [form, issue] = TYPED[name] ?? [];
  return form && !form.test(value) ? issue : settingIssue(name, value);
}

export function settingIssue(name: string, value: string): string | undefined {
  return SETTINGS[name]?.safeParse(value, { error: explainIssue }).error?.issues[0]?.message;
}

/** Reads `NAME=VALUE`; `NAME=` removes the setting. @throws UsageError naming every wrong one */
export function readAssignments(words: readonly string[], country: string): Record<string, string | null> {
  const issues: string[] = [];
  const changes = words.map((word): [string, string | null] => {
    const [, name = word, given] = /^([A-Za-z_]+)=(.*)$/s.exec(word) ?? [];
    const value = completed(name, given ?? "", country);
    const issue = given === undefined ? `${name} needs a value: NAME=VALUE.` : assignmentIssue(name, value);
    if (issue !== undefined) issues.push(issue);
    return [name, value || null];
  });
  if (issues.length > 0) throw new UsageError(issues.join("\n"));
  return Object.fromEntries(changes);
}

function assignmentIssue(name: string, value: string): string | undefined {
  if (Object.hasOwn(SETTINGS, name)) {
    const issue = value === "" ? undefined : typedIssue(name, value);
    return issue && `${name} ${issue}.`;
  }
  const guess = nearestSetting(name);
  return `There is no setting ${name}.${guess ? ` Did you mean ${guess}?` : ` There are ${Object.keys(SETTINGS).join(", ")}.`}`;
}

export function nearestSetting(name: string): string | undefined {
  const names = Object.keys(SETTINGS).map((one) => one.toLowerCase());
  return didYouMean(name.toLowerCase(), names)?.toUpperCase();
}

export type Trial = { name: string; isGood: boolean; message: string };

const TRIAL_MS = 15_000;
/** How long a text may take until the carrier says what became of it. */
const PATIENCE_MS = 60_000;
const ASK_EVERY_MS = 2_000;

/**
 * Sends a test message to each of `alerts.to` who can be reached, and logs in to the mail server. A way of sending without
 * settings is not tried.
 * @param settings of the environment, each in its proper form @param withText whether to send texts, which cost money
 */
export async function tryChannels(
  settings: Readonly<Record<string, string | undefined>>,
  catalog: Shop,
  withText: boolean,
): Promise<Trial[]> {
  const channels = toChannels(CHANNEL_SETTINGS.parse(settings));
  const contacts = catalog.messaging.ownerContacts.filter((to) => {
    const channel = channelOf(to);
    return channels[channel] !== null && (withText || channel !== "twilio");
  });
  const { name } = catalog.business;
  const text = `${name}: this is a test message of Tintdesk. Bookings and quote requests arrive like this.`;
  const mail = { subject: `${name}: test message`, text };
  const logsInOnly = channels.mail && !contacts.some((to) => channelOf(to) === "mail");
  return Promise.all([
    ...contacts.map((to) => trial(copyFor(to, { text, mail }, catalog), channels, catalog.business.email)),
    ...(channels.mail && logsInOnly
      ? [trialOf("e-mail", "The mail server accepts the login.", checkMailServer(channels.mail))]
      : []),
  ]);
}

/** What the owner must know beside the trials: who cannot be told, and that no test text was sent. @param settings as for `tryChannels` */
export function notesBeside(
  settings: Readonly<Record<string, string | undefined>>,
  catalog: Shop,
  hasNewTexts: boolean,
): string[] {
  const { data } = CHANNEL_SETTINGS.safeParse(settings);
  if (!data) return [];
  const channels = toChannels(data);
  const mobiles = catalog.messaging.ownerContacts.filter((to) => channelOf(to) === "twilio");
  const why =
    channels.twilio === null
      ? `${KEYS_OF.twilio.filter((key) => !data[key]).join(" and ")} not set`
      : mobiles.length === 0
        ? "alerts.to has no mobile"
        : "tint doctor --send-test sends one";
  return [
    ...(hasNewTexts ? [`No test text was sent: ${why}.`] : []),
    ...unreached(catalog, channels).map(({ message }) => `${capitalized(message)}.`),
  ];
}

function trial({ kind, payload }: ShopCopy, { twilio, mail, push }: ReturnType<typeof toChannels>, shop: string) {
  const signal = AbortSignal.timeout(TRIAL_MS);
  const { to } = payload;
  if (kind === "shop_sms" && twilio) return tryText(payload, twilio);
  const id = `test-${Date.now()}`;
  if (kind === "shop_email" && mail)
    return trialOf("e-mail", `The mail server took a test e-mail to ${to}.`, sendMail(id, kind, payload, shop, mail));
  if (kind === "shop_push" && push)
    return trialOf("message", `A test message arrived at ${to}.`, pushText(payload, id, push, signal));
  throw new Error("only ways of sending with settings are tried");
}

async function trialOf(name: string, good: string, attempt: Promise<AttemptResult>): Promise<Trial> {
  const outcome = await attempt;
  if (outcome.kind === "retry" || outcome.kind === "failed")
    return { name, isGood: false, message: `The ${name} does not work: ${outcome.reason}.` };
  return { name, isGood: true, message: good };
}

/** Twilio takes texts that carriers then block, so a text is good only once it was delivered. */
async function tryText(sms: { to: string; text: string }, twilio: TwilioSettings): Promise<Trial> {
  const { to } = sms;
  const name = "text";
  const attempt = {
    doubtful: false,
    since: Date.now(),
    settled: async () => [],
    signal: AbortSignal.timeout(TRIAL_MS),
  };
  const outcome = await sendSms(sms, twilio, attempt);
  if (outcome.kind !== "done" || outcome.messageSid === undefined)
    return trialOf(name, `Twilio took a test text to ${to}.`, Promise.resolve(outcome));
  process.stderr.write(`Twilio took a test text to ${to}; waiting up to a minute for its delivery.\n`);
  const asked = { id: 0, kind: "shop_sms" as const, messageSid: outcome.messageSid, waitedMs: 0 };
  const until = performance.now() + PATIENCE_MS;
  do {
    await sleep(ASK_EVERY_MS);
    const report = await fetchDeliveryReport(asked, twilio, AbortSignal.timeout(TRIAL_MS)).catch(() => undefined);
    if (report?.kind === "delivered") return { name, isGood: true, message: `A test text was delivered to ${to}.` };
    if (report?.kind === "undelivered")
      return { name, isGood: false, message: `The test text to ${to} was not delivered: ${report.reason}.` };
  } while (performance.now() < until);
  return {
    name,
    isGood: true,
    message: `The test text to ${to} is still "sent": Twilio took it and no carrier has said yet that it was delivered. If it is on the phone, all is well. If not, the carrier may hold it back because the number is not registered: see tint texts register, and later tint doctor --send-test.`,
  };
}
