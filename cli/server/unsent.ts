/** Why a message that the owner asked for is not sent, in the owner's words. */
import type { NotSent } from "../../src/capabilities/desk/owner-changes.ts";
import type { CUSTOMER_MESSAGES } from "../../src/constants.ts";

/** `Nothing was sent: …`, with what helps. */
export function notSentInWords(reason: NotSent, kind: (typeof CUSTOMER_MESSAGES)[number]): string {
  const what = kind.endsWith("_sms") ? "text" : "e-mail";
  const why: Record<NotSent, string> = {
    off: `the ${what} is switched off. Switch it on: tint catalog set messages.${kind}.enabled true`,
    no_consent: `the customer did not agree to ${what}s`,
    no_address: `there is no ${what === "text" ? "phone" : "e-mail address"}`,
    number: "texts do not go to this number (messages.sms_countries in the catalog)",
    stopped: "this customer wants no more texts; see tint outbox allow",
    no_link: "links are switched off (site.book_url in the catalog), and a text is too short for all of it",
    waits: `the same ${what} waits already, see tint outbox`,
    unknown: "the customer is gone",
  };
  return `Nothing was sent: ${why[reason]}.`;
}
