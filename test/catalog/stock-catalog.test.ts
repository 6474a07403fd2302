/** The catalog that comes with the program, and one without the keys that came later. */
import { describe, expect, test } from "bun:test";
import { faqOf } from "../../src/capabilities/faq.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { catalogSchema } from "../../src/catalog/schema.ts";
import { SHOP_NEWS_KINDS, STOCK_WORDS } from "../../src/catalog/sections/messages.ts";
import { FAQ_CATEGORIES } from "../../src/constants.ts";
import { fileSource } from "../../src/store/catalog/file-source.ts";
import { CATALOG, CATALOG_FILE, CATALOG_TEXT, catalogOf, catalogWith, pricesOf } from "../helpers.ts";
import { CALIFORNIA, CALIFORNIA_FILE } from "../shops.ts";

/** What keys that came after the first release are in a file without them; the texts to the shop are as in the stock catalog. */
const LATER_KEYS: Record<string, unknown> = {
  "services.0.over_night": false,
  "bookings.open_per_customer": 4,
  "bookings.hold_minutes": 0,
  "bookings.self_service.changes_per_day": 5,
  mail_domains: [],
  "synonyms.questions": {},
  "synonyms.requests": expect.objectContaining({ book: ["book", "schedule", "reserve"] }),
  retention_days: null,
  "rate_limits.pages_per_minute": 240,
  "messages.sms_countries": undefined,
  "messages.sms_per_hour": 30,
  "messages.sms_per_day": 150,
  "messages.digest_above_per_hour": 12,
  "messages.emails_per_hour": 60,
  "messages.emails_per_day": 300,
  "messages.emails_per_address_per_day": 5,
  "messages.settle_minutes": 5,
  "messages.sms_consent": "explicit",
  "messages.quiet_from": "21:00",
  "messages.quiet_until": "08:00",
  "messages.quiet_confirmation": "wait",
  "tint_law.brief_disclaimer": undefined,
  "tint_law.not_legal": "warn",
  "alerts.bookings_per_hour": 20,
  "alerts.late_messages_once_in_hours": 24,
  "flat_glass.price_note": undefined,
  "flat_glass.concern_names": CATALOG.flat_glass?.concern_names,
  ...Object.fromEntries(
    Object.entries(CATALOG.messages).flatMap(([key, text]) =>
      /^shop_\w+_sms$/.test(key) ? [[`messages.${key}`, text]] : [],
    ),
  ),
};

test("an older catalog, without the keys that came later, loads with the usual values", () => {
  const older = catalogOf(
    Object.keys(LATER_KEYS).reduce<unknown>(
      (values, path) => {
        const keys = path.split(".");
        const holder = keys.slice(0, -1).reduce((inside, key) => Object(inside)[key], values);
        Reflect.deleteProperty(Object(holder), keys.at(-1) ?? "");
        return values;
      },
      Bun.YAML.parse(CATALOG_TEXT.replace(/\{bookings\.hold_minutes\}/, "")),
    ),
  );
  const valueAt = (path: string) => path.split(".").reduce<unknown>((inside, key) => Object(inside)[key], older);
  for (const [path, usual] of Object.entries(LATER_KEYS)) expect([path, valueAt(path)]).toEqual([path, usual]);
});

describe("the catalog that comes with the program", () => {
  test("has the stock words of the e-mails to the shop", () => {
    for (const kind of SHOP_NEWS_KINDS)
      expect([kind, CATALOG.messages[`shop_${kind}_email`]]).toEqual([kind, STOCK_WORDS[kind].email]);
  });

  test("loads, with the hash of its bytes", () => {
    const { catalog, hash } = loadCatalog(fileSource(CATALOG_FILE));
    expect(catalog).toEqual(CATALOG);
    expect(hash).toBe(new Bun.CryptoHasher("sha256").update(CATALOG_TEXT).digest("hex"));
  });

  test("the second shop of the tests is read as Bun reads it", () => {
    expect(loadCatalog(fileSource(CALIFORNIA_FILE)).catalog).toEqual(CALIFORNIA);
  });

  test("has the 50 states and the District of Columbia, and no law that is made up", () => {
    const states =
      "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY";
    expect(Object.keys(CATALOG.tint_law.jurisdictions).sort()).toEqual(
      states
        .split(" ")
        .map((state) => `US-${state}`)
        .sort(),
    );
    expect(CATALOG.tint_law.home).toBe("US-GA");
  });

  test("answers at least 25 questions over the five categories", () => {
    expect(CATALOG.faq.length).toBeGreaterThanOrEqual(25);
    for (const category of FAQ_CATEGORIES)
      expect(CATALOG.faq.filter((one) => one.category === category).length).toBeGreaterThanOrEqual(3);
    const answers = faqOf(CATALOG)
      .map(({ answer }) => answer)
      .join("\n");
    for (const fact of ["32%", "55%", "93%"]) expect(answers).toContain(fact);
    expect(new Set(CATALOG.faq.map(({ question }) => question)).size).toBe(CATALOG.faq.length);
  });

  test("is frozen to the bottom", () => {
    const thawed: string[] = [];
    const walk = (value: unknown, path: string) => {
      if (typeof value !== "object" || value === null) return;
      if (!Object.isFrozen(value)) thawed.push(path);
      for (const [key, item] of Object.entries(value)) walk(item, `${path}.${key}`);
    };
    for (const [section, values] of Object.entries(CATALOG)) if (section in catalogSchema.shape) walk(values, section);
    expect(thawed).toEqual([]);
    expect(() => Object.assign(pricesOf(CATALOG, "suv", "ceramic"), { full: 1 })).toThrow(TypeError);
  });

  test("cents that floats get wrong are right", () => {
    const cents = { 0.07: 7, 0.29: 29, 1.1: 110, 4.35: 435, 8.2: 820, 1.15: 115, 289.99: 28_999, 1000000: 100_000_000 };
    for (const [dollars, right] of Object.entries(cents)) {
      const catalog = catalogWith({ "automotive.vehicle_types.coupe.clearplex": Number(dollars) });
      expect(catalog.automotive.vehicle_types.coupe?.clearplex).toBe(right);
    }
  });
});
