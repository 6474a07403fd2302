/** The last step: a summary, who comes, the button that books, and whether this tab booked already. */
import { depositAmount, depositNote } from "../../../capabilities/booking/deposit.ts";
import { type Shop, textsOf } from "../../../catalog/shop.ts";
import { BOOKING_TEXTS, DEPOSIT_TEXTS } from "../../../constants.ts";
import type { Start } from "../../../domain/slots.ts";
import { isBarred } from "../../../domain/tint-law.ts";
import { barredInWords } from "../../../job/warnings.ts";
import { type Html, html } from "../../../lib/html.ts";
import { toCents } from "../../../lib/money.ts";
import { joinWithAnd } from "../../../schema/explain.ts";
import { LIMITS } from "../../../schema/fields.ts";
import { consentBox, formAfter, hidden, type Sent } from "../shell/forms.ts";
import { DETAILS, FACTS, TIMES } from "../shell/texts.ts";
import {
  amount,
  dayIn,
  duration,
  endOf,
  factList,
  factsOfJob,
  longMoment,
  moment,
  phoneLink,
  readyAbout,
  readyFact,
  shadeLabel,
  shortClock,
  wholePrice,
} from "../shell/wording.ts";
import { pricedChoices, shadesBySide } from "./choices.ts";
import { heading, type Offer } from "./offer.ts";
import { legalButton } from "./shades.ts";

export function details(offer: Offer, sent: Sent | undefined, number: number): Html {
  const { choices, estimate, catalog } = offer;
  const { business, bookings } = catalog;
  const section = (content?: Html, more?: Html) =>
    html`<section class="details${more && " sheet"}" id="details"${more}>${content}</section>`;
  if (bookings.require_api_key)
    return section(html`<h2>${DETAILS.byPhone}</h2><p>${DETAILS.phoneOnly} ${phoneLink(business)}.</p>`);
  const { start } = choices;
  if (!start && !sent) return section();
  const { typed, issue, id, line, phone, email, note } = formAfter(sent, "booking_request_id");
  const hasMore = ["postal_code", "special_requests"].some((name) => typed.get(name) || issue(name));
  const carried = {
    priced: estimate.estimate_id ?? "",
    shown: pricedChoices(choices, catalog),
    booked: "",
    [SURE]: typed.get(SURE) ?? "",
  };
  const content = html`${heading("details", DETAILS.title, number)}
${sent?.about}
${start && atAGlance(start, offer)}
${id}${Object.entries(carried).map(([name, value]) => hidden(name, value))}
<div class="fields">
${line("customer_name", DETAILS.name, { autocomplete: "name", required: true, maxlength: LIMITS.name })}
${phone("customer_phone")}
${email("customer_email")}
</div>
${start ? lastButton(start, offer, typed) : html`<p class="notice">${TIMES.pickFirst}</p>`}
<details class="more-fields"${hasMore && html` open`}><summary>${DETAILS.more} <span class="aside">${DETAILS.optional}</span></summary>
<div class="fields">
${line("postal_code", DETAILS.zip, { autocomplete: "postal-code", maxlength: 12 })}
${note("special_requests", DETAILS.note, LIMITS.text - LONGEST_REASON)}
</div></details>
${start && html`<details><summary>${DETAILS.all}</summary>${appointment(start, offer)}</details>`}`;
  return section(content, html` aria-labelledby="details-title"`);
}

/** `Mon, Nov 30, 11 AM · ready about 2 PM · $499 · pay at the shop`. */
function atAGlance(start: Start, { estimate, catalog }: Offer): Html {
  const ready = FACTS.readyShort(readyAbout(start, endOf(start, estimate, catalog), catalog));
  const { pay } = textsOf(estimate.service, catalog);
  // As it is within a line.
  const paid = pay.charAt(0).toLowerCase() + pay.slice(1);
  const when = `${dayIn("day", start.date, catalog)}, ${shortClock(start.time, catalog)}`;
  return html`<p class="at"><b>${when}</b> · ${ready} · ${wholePrice(estimate, catalog)} · ${paid}</p>`;
}

/** What the box for texts says; empty where the shop sends none. */
export function bookingTexts({ messages, site, deposit }: Shop): string {
  const kinds = deposit ? [...BOOKING_TEXTS, ...DEPOSIT_TEXTS] : BOOKING_TEXTS;
  const isOn = kinds.some((kind) => messages[kind]?.enabled);
  return isOn ? site.texts.sms_consent : "";
}

/** The button is the consent to the booking, so its sentence stands with it. Texts have a box of their own (contract 18). */
function lastButton(start: Start, { estimate, legal, catalog }: Offer, typed: URLSearchParams): Html {
  const { site, tint_law: law } = catalog;
  const price = amount(estimate.total_with_tax ?? estimate.total, catalog);
  const due = depositAmount(estimate.service, toCents(estimate.total), catalog);
  const box = bookingTexts(catalog) !== "" && consentBox("consent_sms", bookingTexts(catalog), typed);
  const act = (name: string, value: string, kind = "act") => html`${box}
<button class="${kind}" name="do" value="${value}" data-busy="${DETAILS.booking}" aria-describedby="consent">${name}</button>
<p class="soft" id="consent">${due !== null && `${depositNote(due, catalog)} `}${site.texts.consent}</p>`;
  const isAsked = isBarred(estimate.tint_law) && law.not_legal !== "warn";
  const { hold_minutes: minutes, self_service } = catalog.bookings;
  // Held, it is confirmed on the page that changes bookings.
  const holdFor = DETAILS.hold(minutes === 60 ? DETAILS.anHour : duration(minutes));
  const hold =
    minutes > 0 &&
    self_service.enabled &&
    html`<button class="act quiet" name="do" value="book_hold" data-busy="${DETAILS.holding}">${holdFor}</button>
<p class="soft">${DETAILS.holdNote}</p>`;
  if (!isAsked) return html`${act(DETAILS.book(moment(start, catalog), price), "book")}${hold}`;
  const labelOf = (vlt: number) => shadeLabel(vlt, estimate.film_type, catalog);
  const barred = estimate.tint_law.checks.filter(isBarred).map(({ film_vlt: vlt }) => vlt);
  const shades = [...new Set(barred)].map((vlt) => (vlt === null ? DETAILS.anyFilm : `${labelOf(vlt)}%`));
  const which = barredInWords(estimate.tint_law, labelOf)?.which;
  const reasons = Object.entries(DETAILS.reasons).map(([reason, words]) => {
    const checked = typed.get("not_legal_reason") === reason && html` checked`;
    return html`<label class="reason">
<input type="radio" id="reason-${reason}" name="not_legal_reason" value="${reason}" required${checked}>${words}</label>`;
  });
  const anyway = html`<fieldset><legend>${DETAILS.why}</legend>${reasons}</fieldset>
${act(DETAILS.anyway(joinWithAnd(shades)), "book_anyway", "act quiet")}`;
  return html`<div class="not-legal"><p><b>${which}.</b> ${site.texts.illegal}</p>
${legal && legalButton(legal, "#details", "wide")}${law.not_legal === "ask" && anyway}</div>`;
}

/** The field that says which slip was asked about. */
export const SURE = "sure";

/** Room for the reason why a shade that is not legal is wanted; it stands before the customer's own note. */
const LONGEST_REASON = 60;

function appointment(start: Start, { choices, estimate, until, catalog }: Offer): Html {
  const { address, name, links } = catalog.business;
  const { map } = links;
  const place = `${name}, ${address.street}, ${address.locality}`;
  const { addons, remove_old_film, windshield } = choices;
  const { front_side = null, rear_side = null, rear_window = null } = shadesBySide(choices);
  const shade = estimate.film_type === null ? null : { front_side, rear_side, rear_window };
  const job = { ...estimate, addons, shade, windshield_shade: windshield ?? null, remove_old_film };
  return factList(
    [FACTS.when, longMoment(start, catalog)],
    readyFact(start, endOf(start, estimate, catalog), catalog),
    ...factsOfJob(job, { car: choices.car ?? "", law: estimate.tint_law, price: estimate }, catalog),
    [FACTS.pay, textsOf(estimate.service, catalog).payment],
    until !== null && [FACTS.changes, FACTS.freeUntil(until)],
    [FACTS.where, map ? html`<a href="${map}" target="_blank">${place}</a>` : place],
  );
}
