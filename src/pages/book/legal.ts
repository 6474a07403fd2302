/** `/book/privacy` and `/book/terms`: the owner's own texts, else made from the catalog. Source: contract 18. */
import { allPriceNotes } from "../../capabilities/core/price-shapes.ts";
import { addressOf } from "../../catalog/messaging.ts";
import { PRIVACY_PATH, pageUrl, TERMS_PATH } from "../../catalog/page-addresses.ts";
import type { Shop } from "../../catalog/shop.ts";
import type { PageAnswer, Visit } from "../../http/pages.ts";
import { html } from "../../lib/html.ts";
import { counted } from "../../lib/text.ts";
import { page } from "./shell/layout.ts";
import { phoneName } from "./shell/wording.ts";

export const privacy = legalPage("privacy", PRIVACY_PATH, privacySections);
export const terms = legalPage("terms", TERMS_PATH, termsSections);

function legalPage(name: keyof typeof TITLES, path: string, sections: (catalog: Shop) => LegalSection[]) {
  return (visit: Visit): PageAnswer => {
    const { catalog } = visit.ctx;
    const title = TITLES[name];
    const own = catalog.site.texts[name];
    // Blank lines part the paragraphs of the owner's text.
    const all = own === undefined ? sections(catalog) : [["", ...own.split(/\n\s*\n/)] as const];
    const content = all.map(([heading, ...lines]) => {
      return html`${heading && html`<h2>${heading}</h2>`}${lines.map((line) => html`<p>${line}</p>`)}`;
    });
    const main = html`<div class="narrow"><div class="intro"><h1>${title}</h1></div>${content}</div>`;
    const description = `${title}: ${catalog.business.name}`;
    return page({ title, main, listed: { path, description } }, visit);
  };
}

type LegalSection = readonly [heading: string, ...lines: string[]];

const TITLES = { privacy: "Privacy", terms: "Terms" } as const;

function privacySections(catalog: Shop): LegalSection[] {
  const { retention_days: days } = catalog;
  return [
    whoWeAre(catalog),
    [
      "What we keep",
      `What you enter when you book or ask for a quote: your name, phone number, e-mail address, your vehicle or windows, the work, \
and what you write to us; also the words you agreed to, when, and the internet address the booking came from.`,
      "These pages set no cookies and follow nobody. What you type stays in your browser until you send it.",
    ],
    [
      "What for",
      "To make the appointment or the quote, to tell you of it, to do the work, and to stop bookings that nobody made.",
      `We sell nothing of it. Companies that carry our messages by phone and e-mail, and the program in which we keep our customers, \
get what they need for that.`,
    ],
    [
      "How long",
      days === null
        ? "We keep it until you ask us to erase it."
        : `It is erased ${counted(days, "day")} after the appointment or the request, and before if you ask.`,
    ],
    ["Text messages", ...textLines(catalog), NOT_SHARED],
    [
      "Your rights",
      `Ask us what we have of you, have it corrected or erased, or take back what you agreed to. ${contact(catalog)}`,
    ],
  ];
}

function termsSections(catalog: Shop): LegalSection[] {
  const { bookings, tax, tint_law, scheduling } = catalog;
  const { keep_windows_up_days: up, full_cure_days: cured } = scheduling.cure;
  return [
    ["Prices", allPriceNotes(catalog), tax.note],
    ["Changing or cancelling", changeLine(catalog)],
    ...(bookings.prepare === undefined ? [] : [["Before you come", bookings.prepare] as const]),
    ["Tint law", tint_law.disclaimer],
    [
      "After the work",
      `Keep the windows up for ${counted(up, "day")}. The film is fully cured after ${counted(cured, "day")}; until then some haze is \
normal.`,
    ],
    [
      "Text messages",
      ...textLines(catalog),
      "Carriers are not liable for texts that arrive late or not at all.",
      `What we do with your number: ${pageUrl(catalog, PRIVACY_PATH) ?? catalog.site.url + PRIVACY_PATH}`,
    ],
    whoWeAre(catalog),
  ];
}

function whoWeAre(catalog: Shop): LegalSection {
  return ["Who we are", `${catalog.business.name}, ${addressOf(catalog)}. ${contact(catalog)}`];
}

/** Carriers ask for this sentence when a shop registers for texts. */
const NOT_SHARED =
  "Phone numbers and the consent to texts are not sold, and not given to others for their advertising.";

/** What carriers ask every page about texts to say: what comes, how often, what it costs, how it ends. */
function textLines(catalog: Shop): string[] {
  const { site, business } = catalog;
  return [
    `You get texts from ${business.name} only when you tick the box for them, which no booking needs. Beside it stands: \
"${site.texts.sms_consent}"`,
    `To end the texts, reply STOP. For help, reply HELP or call ${phoneName(business)}.`,
  ];
}

function changeLine({ bookings: { self_service }, business }: Shop): string {
  const call = `call ${phoneName(business)}`;
  if (!self_service.enabled) return `To move or cancel an appointment, ${call}.`;
  const hours = counted(self_service.cutoff_hours, "hour");
  return `You can move or cancel your appointment without charge up to ${hours} before it begins, with your code and your phone number or \
e-mail address. Later, ${call}.`;
}

function contact({ business }: Shop): string {
  return `Phone ${phoneName(business)}, e-mail ${business.email}.`;
}
