/** Tries the settings of texts and e-mail against the real services. */
import type { Catalog } from "../../src/catalog/schema.ts";
import { CHANNEL_SETTINGS, toChannels } from "../../src/env/channels.ts";
import type { Delivery } from "../../src/jobs/delivery.ts";
import { checkMailServer } from "../../src/jobs/mail.ts";
import { shopNumber } from "../../src/jobs/message-texts.ts";
import { sendSms } from "../../src/jobs/sms.ts";

export interface Trial {
  name: string;
  isGood: boolean;
  /** A sentence. */
  message: string;
}

const TRIAL_MS = 15_000;

/**
 * Sends a test text to the number that gets alerts, and logs in to the mail server. A way of sending without settings is
 * not tried.
 * @param settings of the environment, each in its proper form @param withText whether to send the text, which costs money
 */
export async function tryChannels(
  settings: Readonly<Record<string, string | undefined>>,
  catalog: Catalog,
  withText: boolean,
): Promise<Trial[]> {
  const { twilio, mail } = toChannels(CHANNEL_SETTINGS.parse(settings));
  const to = shopNumber(catalog);
  const text = `${catalog.business.name}: this is the test text of tint setup. Bookings and quote requests arrive like this.`;
  const attempt = {
    doubtful: false,
    since: Date.now(),
    settled: async () => [],
    signal: AbortSignal.timeout(TRIAL_MS),
  };
  const trials = [
    ...(twilio && withText
      ? [tryChannel("text", `A test text is on its way to ${to}.`, sendSms({ to, text }, twilio, attempt))]
      : []),
    ...(mail ? [tryChannel("e-mail", "The mail server accepts the login.", checkMailServer(mail))] : []),
  ];
  return Promise.all(trials);
}

async function tryChannel(name: string, good: string, trial: Promise<Delivery>): Promise<Trial> {
  const outcome = await trial;
  if (outcome.kind === "done") return { name, isGood: true, message: good };
  return { name, isGood: false, message: `The ${name} does not work: ${outcome.reason}.` };
}
