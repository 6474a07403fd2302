/** New shops of every kind, and what of the example shop is left in their catalog, documents, answers and messages. */
import fc from "fast-check";
import type { NewShop } from "../../cli/catalog/init-questions.ts";
import { newCatalog } from "../../cli/catalog/new-catalog.ts";
import type { WeekHours } from "../../cli/catalog/opening-times.ts";
import { readTemplate } from "../../cli/catalog/terms.ts";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import { referencesIn } from "../../src/catalog/path.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { WEEKDAYS } from "../../src/constants.ts";
import { NO_EXAMPLES } from "../../src/discovery/openapi/examples.ts";
import { documents } from "../../src/pages/documents.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { testApp } from "../app.ts";
import { API, BOOKING, QUOTE } from "../fixed-day.ts";

const TEMPLATE = readTemplate();
const STATES = {
  TX: "America/Chicago",
  CA: "America/Los_Angeles",
  FL: "America/New_York",
  NY: "America/New_York",
  AK: "America/Anchorage",
  HI: "Pacific/Honolulu",
  DC: "America/New_York",
  AZ: "America/Phoenix",
  MI: "America/Detroit",
  GA: "America/New_York",
} as const;

const line = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .filter((text) => text.trim() === text && text !== "" && !/[\p{C}\p{Z}]/u.test(text.replaceAll(" ", "")));
const clock = (quarters: number) =>
  `${String(Math.floor(quarters / 4)).padStart(2, "0")}:${String((quarters % 4) * 15).padStart(2, "0")}`;
/** One or two spans of a day, from a quarter of an hour to the whole day; or none. */
const day = fc
  .uniqueArray(fc.integer({ min: 0, max: 96 }), { minLength: 2, maxLength: 4 })
  .map((cuts) => cuts.sort((a, b) => a - b))
  .map((cuts) =>
    Array.from({ length: Math.floor(cuts.length / 2) }, (_, i) => ({
      opens: clock(cuts[2 * i] ?? 0),
      closes: clock(cuts[2 * i + 1] ?? 96),
    })),
  );
const hours = fc.record(Object.fromEntries(WEEKDAYS.map((name) => [name, fc.oneof(day, fc.constant([]))])));

export const newShops: fc.Arbitrary<NewShop> = fc
  .record({
    name: line,
    street: line,
    city: line,
    state: fc.constantFrom(...(Object.keys(STATES) as (keyof typeof STATES)[])),
    hours: hours.map((week) => week as WeekHours),
    priceLevel: fc.integer({ min: 10, max: 1000 }),
    bays: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
    alertsTo: fc.constantFrom(undefined, ["+12125550188"], ["+12125550188", "pat@example.com"]),
    website: fc.constantFrom(undefined, "https://shop.test"),
    services: fc.option(
      fc
        .subarray(TEMPLATE.services.map(({ key }) => key).filter((key) => key !== "automotive"))
        .map((some) => ["automotive", ...some]),
      { nil: undefined },
    ),
  })
  .map((shop) => ({
    ...shop,
    phone: "+12125550142",
    email: "desk@shop.test",
    zip: "10001",
    timezone: STATES[shop.state],
  }));

const { business, site, tint_law: law } = TEMPLATE;
/** Words that only the example shop has. */
const TRACES = new RegExp(
  [
    business.name,
    business.address.street,
    business.address.locality,
    business.address.postal_code,
    business.phone,
    business.phone.replaceAll("-", ""),
    ...business.service_area.counties,
    "Atlanta",
    "Fictional",
    new URL(site.url).hostname,
    String(business.geo.latitude),
  ]
    .map(RegExp.escape)
    .join("|"),
);

/** Sentences about what is wrong with the catalog of a new shop; none when all is well. */
export async function issuesOfNewShop(shop: NewShop): Promise<string[]> {
  const { text, questionsToRead } = newCatalog(shop, "catalog.yaml", "2026-11-21");
  const catalog = parseCatalog(Buffer.from(text), "catalog.yaml");
  const served = await everythingServed(catalog);
  const all = new Map([["catalog.yaml", text], ...served]);
  return [
    ...[...all].flatMap(([place, body]) => {
      // A make and model is no place.
      const [trace] = TRACES.exec(body.replaceAll(/Jeep(?: Grand)?\s+(?:Grand\s+)?Cherokee/g, "")) ?? [];
      return trace === undefined ? [] : [`${place} speaks of ${trace}`];
    }),
    ...[...served].flatMap(([place, body]) => speaksOfOtherState(shop, body).map((issue) => `${place} ${issue}`)),
    ...catalog.faq.flatMap(({ question, answer }) => [
      ...speaksOfOtherState(shop, question + answer).map((issue) => `${question}: ${issue}`),
      ...referencesIn(answer)
        .filter((place) => place.startsWith("tint_law.jurisdictions.") && !place.includes(`US-${shop.state}.`))
        .map((place) => `${question}: names ${place}`),
    ]),
    ...questionsToRead
      .filter((question) => !catalog.faq.some((entry) => entry.question === question))
      .map((question) => `${question}: is to be read, and is not there`),
    ...(String(catalog.alerts.to) === String(shop.alertsTo ?? [shop.phone]) ? [] : ["alerts go to somebody else"]),
    ...(String(catalog.services.map(({ key }) => key)) ===
    String(shop.services ?? TEMPLATE.services.map(({ key }) => key))
      ? []
      : ["other services"]),
    ...(catalog.scheduling.bays === (shop.bays ?? 1) ? [] : ["another number of bays"]),
  ];
}

/** Every state is named in lists. The example shop's may be named no more often than another one. */
function speaksOfOtherState({ state }: NewShop, body: string): string[] {
  if (`US-${state}` === law.home) return [];
  const count = (words: RegExp) => body.match(words)?.length ?? 0;
  return count(/Georgia|US-GA\b/g) > count(/Wyoming|US-WY\b/g) ? ["speaks of Georgia"] : [];
}

async function everythingServed(catalog: Shop): Promise<Map<string, string>> {
  const { messages, ...rest } = structuredClone(catalog);
  for (const message of Object.values(messages))
    if (typeof message === "object" && message !== null && "enabled" in message) message.enabled = true;
  await using store = disposable(openSqliteStore(":memory:"));
  const app = testApp({ catalog: { ...rest, messages }, store });
  const served = new Map<string, string>();
  const paths = [
    ...documents(async () => NO_EXAMPLES).map(({ path }) => path),
    "/server.json",
    "/.well-known/mcp.json",
    "/.well-known/agent-card.json",
  ];
  for (const path of [
    ...paths.filter((one) => !/explorer|icon/.test(one)),
    ...["/openapi.json", "/services", "/location", "/faq", "/availability", "/estimates"].map((path) => API + path),
  ]) {
    const { status, text } = await app.get(path, { from: `192.0.2.${served.size}` });
    if (status === 200) served.set(path, text);
    else served.set(path, `status ${status}`);
  }
  const consent = { confirmed_by_user: true, statement: "yes" };
  const [slot] =
    JSON.parse(served.get(`${API}/availability`) ?? "{}").data?.days?.flatMap(
      (one: { slots: { available: boolean }[] }) => one.slots.filter(({ available }) => available),
    ) ?? [];
  const answers = [
    await app.post(`${API}/bookings`, { ...BOOKING, ...(slot && { date: slot.date, time: slot.time }), consent }),
    await app.post(`${API}/quote-request`, { ...QUOTE, service_type: "automotive", consent }),
    await app.post(`${API}/estimates`, { vehicle_type: "suv", shade: 20 }),
    await app.post(`${API}/bookings`, {}),
  ];
  served.set("answers", answers.map(({ text }) => text).join("\n"));
  served.set("messages", JSON.stringify(await store.waitingJobs(100)));
  return served;
}

function disposable<T extends { close: () => Promise<void> }>(store: T): T & AsyncDisposable {
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}
