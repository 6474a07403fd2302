/** `tint texts`: what US carriers ask of a shop before they deliver its texts. */
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { BOOK_PATH, PRIVACY_PATH, pageUrl, TERMS_PATH } from "../../src/catalog/page-addresses.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { BOOKING_TEXTS } from "../../src/constants.ts";
import { addDays, momentOf, shopDate } from "../../src/domain/schedule.ts";
import { DAY_MS, HOUR_MS } from "../../src/lib/durations.ts";
import { afterWorkFields, appointmentWords, toSms } from "../../src/messages/words.ts";
import { catalogSource } from "../shop/catalog.ts";
import type { CommonOptions } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { cleanLines, jsonLine, print } from "../terminal/output.ts";

export function configure(command: Command): void {
  command.description("Texts to customers and to you.").examples("tint texts register");
  command
    .subcommand("register", "the answers that US carriers ask for, to paste")
    .description(
      "Prints what US carriers ask for before they deliver texts: brand, campaign, how customers agree, sample messages. It is made from the catalog, to paste into Twilio's console. The registration takes days; nothing is sent by this command.",
    )
    .examples("tint texts register")
    .jsonAction(async (options: CommonOptions) => {
      const papers = registration(loadCatalog(catalogSource(options)).catalog, Date.now());
      await print(options.json ? jsonLine(papers) : cleanLines(registrationText(papers)));
    });
}

/** The messages shown as samples while none is switched on: those that most shops switch on first. */
const USUAL = ["confirmation_sms", "reminder_sms", "rescheduled_sms"] as const;
const STOP = "Reply STOP to end.";

/** @param now epoch milliseconds */
function registration(catalog: Shop, now: number) {
  const { business, site, messages } = catalog;
  const address = (path: string) => pageUrl(catalog, path) ?? site.url.replace(/\/$/, "") + path;
  const on = BOOKING_TEXTS.filter((kind) => messages[kind]?.enabled);
  const samples = samplesOf(on.length > 0 ? on : USUAL, catalog, now);
  return {
    brand: {
      "Legal name and EIN": "as on your tax papers (IRS letter CP 575); without an EIN register as a sole proprietor",
      "Name customers know": business.name,
      Address: catalog.messaging.fields.address,
      Phone: business.phone,
      "E-mail": business.email,
      Website: business.url,
      Industry: "Automotive: window tinting",
    },
    campaign: {
      "Use case": "Low volume mixed (sole proprietor: sole proprietor): customer care and account notifications",
      Description: `${business.name} texts customers who booked an appointment and agreed to texts: confirmation, reminders, changes, and when the vehicle is ready. No advertising.`,
      "How customers agree": `On ${address(BOOK_PATH)} the customer enters a phone number and may tick a box of its own, which is never ticked beforehand and which no booking needs. Beside it stands: "${site.texts.sms_consent}" The page links to the privacy policy and the terms.`,
      "Opt-in page": address(BOOK_PATH),
      "Privacy policy": address(PRIVACY_PATH),
      Terms: address(TERMS_PATH),
      "Opt-in message": `${business.name}: you agreed to texts about your appointment. Message and data rates may apply. Reply HELP for help, STOP to end.`,
      "Words that end texts": "STOP, STOPALL, UNSUBSCRIBE, CANCEL, END, QUIT (Twilio answers them)",
      "Answer to HELP": `${business.name}: call ${business.phone} or write to ${business.email}. Reply STOP to end.`,
      "Links in messages": `yes, to ${new URL(address(BOOK_PATH)).host}`,
      "Phone numbers in messages": "yes, the shop's own",
      "Age-gated content, lending": "no",
    },
    samples,
    // Notes name what the owner should correct before registering.
    notes: [
      !samples.some((text) => /\bSTOP\b/.test(text)) &&
        `None of the texts says how to end them. Carriers want one that does: add "${STOP}" to messages.confirmation_sms.text.`,
      on.length === 0 && "No text to customers is switched on yet; the samples are those that most shops begin with.",
      !(/\bSTOP\b/.test(site.texts.sms_consent) && /rates/i.test(site.texts.sms_consent)) &&
        "site.texts.sms_consent must say that message and data rates may apply, and name STOP and HELP.",
    ].filter((note) => note !== false),
  };
}

/** The catalog's own templates, filled in for a customer who does not exist. */
function samplesOf(kinds: readonly (typeof BOOKING_TEXTS)[number][], catalog: Shop, now: number): string[] {
  const today = shopDate(catalog, now);
  const startAt = momentOf(catalog, addDays(today, 3), "09:00");
  const appointment = {
    ...{ code: "7F3A1B2C", name: "Jordan Sample", service: catalog.automotive.defaults.service },
    ...{ startAt, endAt: startAt + 3 * HOUR_MS, price: null, previousStartAt: startAt - DAY_MS },
  };
  const fields = { ...appointmentWords(appointment, catalog).text, ...afterWorkFields(catalog) };
  return kinds.flatMap((kind) => {
    const message = catalog.messages[kind];
    return message ? [toSms(message.text, fields)] : [];
  });
}

function registrationText({ brand, campaign, samples, notes }: ReturnType<typeof registration>): string {
  const group = (facts: Record<string, string>) => Object.entries(facts).map(([name, value]) => `  ${name}: ${value}`);
  return [
    "Carriers in the US deliver texts only from registered numbers, and the registration takes days to weeks.",
    "Do it first, in Twilio's console: Messaging, Regulatory compliance, A2P 10DLC (for a toll-free number:",
    "Toll-free verification). Until then be told by e-mail and ntfy (alerts.to), and write to customers by e-mail.",
    "",
    "Brand",
    ...group(brand),
    "",
    "Campaign",
    ...group(campaign),
    "",
    "Sample messages",
    ...samples.map((text, i) => `  ${i + 1}. ${text}`),
    ...(notes.length > 0 ? ["", "Put right first", ...notes.map((note) => `  - ${note}`)] : []),
    "",
  ].join("\n");
}
