/** Guides: usual tasks, each on one screen. */
import type { Shop } from "../../catalog/shop.ts";
import { CALLING_SITES, type SampleOf, siteUrl } from "../../discovery/common.ts";
import { pick } from "../../lib/fields.ts";
import { sampleRequestOf } from "./requests.ts";
import { sampleHeaders } from "./samples.ts";
import { chapter, fence, list, marked, type Section, section } from "./section.ts";

export function guides(catalog: Shop, sampleOf: SampleOf): Section {
  return {
    ...chapter("guides", "Usual tasks; the programs run as they are."),
    sections: [
      embedding(catalog),
      voiceAgent(catalog),
      ...(catalog.site.cors === "none" ? [] : [priceWidget(catalog)]),
      refusals(catalog, sampleOf),
      newVersions(),
    ],
  };
}

function embedding(catalog: Shop): Section {
  return section(
    "guide-embed",
    "Embed the page",
    `The page where customers see prices, tint law and open times, and book, on a website of your own. \
The shop lists your website under \`site.embed_origins\` of its catalog.`,
    fence("html", `<script src="${siteUrl(catalog, "/book/embed.js")}" defer data-shop></script>`),
    `In the head, the page comes to the end of the body, or to the element that \`data-into\` selects, like \`data-into="#booking"\`. A \
website that the shop does not list shows a link instead. After a booking the frame fires an event that bubbles; nothing about the person \
goes with it.`,
    fence("js", `addEventListener("tintdesk:booked", () => console.log("Somebody booked"));`),
  );
}

function voiceAgent({ business }: Shop): Section {
  const steps = [
    "list_faq with `q`: what callers ask before a price. An empty answer means that the shop has to be asked.",
    `automotive_estimate with \`view: brief\`: the price, the verdict on the shade, and an \`estimate_id\`. Make and model in the \
caller's words are checked against the body type.`,
    "check_availability with `view=compact`, `days` and, for *after work*, `after`: times to read out, two or three at once.",
    "book_appointment with `estimate_id` and `dry_run`: read back date, time, work, total and `price_note`, and ask for a yes.",
    `book_appointment once more without \`dry_run\`, with \`consent\` and a \`booking_request_id\` of your own, so that a call that \
breaks off books nothing twice. Say the code letter by letter.`,
  ];
  return section(
    "guide-voice",
    "A voice agent in five calls",
    "Short answers, one question at a time, and nothing booked without a yes:",
    steps.map((step, i) => `${i + 1}. ${marked(step)}`).join("\n"),
    `Whatever does not fit is for a person: ${business.phone}.`,
  );
}

function priceWidget({ pages, site, terms }: Shop): Section {
  const [said, taken, given] = pages.book
    ? [", and the address to go on", ", book_url", ", href: book_url"]
    : ["", "", ""];
  return section(
    "guide-widget",
    "A price widget",
    `One GET without a key or a preflight, from ${CALLING_SITES[site.cors]}. The answer holds the sentence about tax${said}.`,
    fence(
      "js",
      `async function priceOf(vehicle_type) {
  const query = new URLSearchParams({ vehicle_type, view: "brief" });
  const response = await fetch("${site.base_url}/estimates?" + query);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  const { total, total_with_tax = total, currency, tax${taken} } = answer.data;
  const price = total_with_tax.toLocaleString("en-US", { style: "currency", currency });
  return { text: price + ". " + tax.note${given} };
}

console.log(await priceOf("${terms.example.vehicle_type}"));`,
    ),
  );
}

function refusals({ bookings, site }: Shop, sampleOf: SampleOf): Section {
  return section(
    "guide-refusals",
    "SLOT_TAKEN and PRICE_CHANGED",
    `Between a look and a booking somebody else may take the time, and the price of an old estimate may run out. Both refusals hold what \
to offer instead; neither has booked anything. Ask the customer, then send the same request with the change and a new request id.`,
    fence(
      "js",
      `async function book(request, ask) {
  const response = await fetch("${site.base_url}/bookings", {
    method: "POST",
    headers: ${JSON.stringify(sampleHeaders(bookings.require_api_key))},
    body: JSON.stringify(request),
  });
  const answer = await response.json();
  if (response.ok) return answer.data;
  const { booking_request_id, ...again } = request;
  if (answer.error_code === "SLOT_TAKEN") {
    const { date, time } = await ask("Another time?", answer.alternatives);
    return book({ ...again, date, time }, ask);
  }
  if (answer.error_code === "PRICE_CHANGED") {
    const { estimate_id, total, previous_total } = answer.estimate;
    await ask(\`\${total} instead of \${previous_total}?\`, [answer.estimate]);
    return book({ ...again, estimate_id }, ask);
  }
  throw new Error(answer.message);
}

const request = ${JSON.stringify(pick(Object(sampleRequestOf("book_appointment", sampleOf).sample), ...FIELDS))};
// In place of a person, the first offer is taken.
console.log(await book(request, async (question, [first]) => first));`,
    ),
  );
}

const FIELDS = ["date", "time", "customer_name", "customer_phone", "customer_email", "vehicle_type", "dry_run"];

function newVersions(): Section {
  return section(
    "guide-versions",
    "New versions",
    "Within a version of the API nothing else happens:",
    list(
      "An answer gains a field: ignore those that you do not know.",
      `A list of words, error codes or warning codes gets longer: treat an unknown error by its \`status\` and \`recoverable\`, and show \
the message of an unknown warning.`,
      "A request gains an optional field.",
      "The shop changes its own words: films, vehicle types, coverages. Read them from `list_services` instead of writing them down.",
    ),
  );
}
