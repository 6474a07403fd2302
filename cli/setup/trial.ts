/** Tries the settings of texts and e-mail against the real services: a test message to each of `alerts.to`. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Shop } from "../../src/catalog/shop.ts";
import { CHANNEL_SETTINGS, KEYS_OF, toChannels } from "../../src/env/env.ts";
import { capitalized } from "../../src/lib/text.ts";
import type { AttemptResult } from "../../src/messages/attempts.ts";
import { channelOf, copyFor, type ShopCopy, unreached } from "../../src/messages/channels.ts";
import { checkMailServer, sendMail } from "../../src/messages/mail.ts";
import { fetchDeliveryReport, sendSms, type TwilioSettings } from "../../src/messages/twilio.ts";
import { pushText } from "../../src/messages/webhook.ts";

export interface Trial {
  name: string;
  isGood: boolean;
  /** A sentence. */
  message: string;
}

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
