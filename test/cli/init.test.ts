/** `tint init`: the answers, accepted and refused ones, and the catalog that they make. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type Answers, asCommand, QUESTIONS, readAnswers } from "../../cli/catalog/init-questions.ts";
import { lawQuestions } from "../../cli/catalog/new-catalog.ts";
import toConfirm from "../../cli/catalog/questions-to-confirm.json" with { type: "json" };
import { knownStates } from "../../cli/catalog/terms.ts";
import { fillReferences } from "../../src/capabilities/faq.ts";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { CATALOG, CATALOG_TEXT } from "../helpers.ts";
import { shopFolder } from "../process/server.ts";
import { openTerminal } from "../screens/tmux.ts";
import { ANSWERS, FLAGS as LEAST } from "./init-flags.ts";
import { issuesOfNewShop, newShops } from "./new-shops.ts";
import { expectRefusals, tint } from "./run.ts";

setDefaultTimeout(60_000);

const FLAGS = {
  ...{ name: "Lakeside Tint: #1", phone: "512-555-0142", email: "hello@lakeside.example" },
  ...{ street: "12 Main Street, Suite 3", city: "Austin", state: "texas", zip: "78701", timezone: "America/Chicago" },
  hours: "mon-fri 9-18, sat 10:00-12:00, sat 13-15",
  ...{ "price-level": "110", bays: "3", "alerts-to": "(512) 555-0143" },
};
const flagsOf = (flags: Record<string, string>) =>
  Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
const NEW = ["--catalog", "new.yaml"];

test("flags alone make a good catalog: notes stay, facts of the example shop go", async () => {
  using folder = shopFolder();
  const { status, stdout, stderr } = await tint(folder, ["init", ...NEW, ...flagsOf(FLAGS)]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  expect(stderr).toContain("\nUntil tint setup nobody in alerts.to hears of bookings: texts are off\n");
  expect(stderr).toContain("\n2 questions of the example shop left out; yours: tint faq add.\n");
  expect(stderr).toMatch(/\n {2}2\. .*: tint faq\n {2}3\. What is still missing, .*: tint doctor\n$/);
  // What these steps lead to names what is only counted here.
  expect((await tint(folder, ["faq", ...NEW])).stdout).toContain("Which area do you serve?");
  const found = (await tint(folder, ["doctor", ...NEW])).stdout;
  expect(found).toMatch(/ still examples: business\.url .*, site\.url .*, site\.base_url .*, business\.geo /);
  const text = readFileSync(join(folder.path, "new.yaml"), "utf8");
  const { business, automotive, tint_law, faq, ...rest } = parseCatalog(Buffer.from(text), "new.yaml");
  expect(business).toMatchObject({
    name: FLAGS.name,
    phone: "+1-512-555-0142",
    address: { street: FLAGS.street, locality: "Austin", region: "TX", postal_code: "78701" },
    timezone: "America/Chicago",
    special_hours: [],
    credentials: [],
  });
  expect(business.hours.saturday).toEqual([
    { opens: "10:00", closes: "12:00" },
    { opens: "13:00", closes: "15:00" },
  ]);
  expect(tint_law.home).toBe("US-TX");
  expect(automotive.vehicle_types.suv).toMatchObject({ ceramic: { full: 65_900 } });
  // Amounts with cents stay so, and a note stays in its column where there is room.
  expect(text).toContain("ballpark_per_sqft: {low: 17.60, high: 19.80} ");
  expect(text).toContain('  name: "Lakeside Tint: #1"        # shown on every answer');
  // The claims of the example are not the new shop's.
  expect(rest).toMatchObject({
    site: { facts: [], reviews: null, photos: [] },
    bookings: { open_per_customer: 4 },
    rate_limits: { registrations_per_hour: 3 },
    messages: { sms_countries: ["US"], sms_per_hour: 30, sms_per_day: 150, digest_above_per_hour: 12 },
    alerts: { to: ["+15125550143"], bookings_per_hour: 20 },
    retention_days: null,
  });
  for (const key of ["open_per_customer", "retention_days", "sms_countries", "digest_above_per_hour", "alerts"])
    expect(text).toContain(`${key}:`);
  expect(rest.scheduling.bays).toBe(3);
  expect(text).not.toMatch(/404-?555|[Mm]arlow|Fictional|Marietta|Atlanta|Cobb|30060/);
  for (const { question, answer } of faq) expect(question + answer).not.toMatch(/Georgia|US-GA/);
  const notes = (yaml: string) => yaml.match(/#.*/g)?.length ?? 0;
  // A few notes belong to lines that only the example shop has.
  expect(notes(text)).toBeGreaterThan(notes(CATALOG_TEXT) - 5);

  await expectRefusals(folder, [
    [["init", ...NEW, ...flagsOf(FLAGS)], 1, "never overwritten"],
    [["init", ...NEW], 1, "never overwritten"],
  ]);
  expect(readFileSync(join(folder.path, "new.yaml"), "utf8")).toBe(text);
});

test("the new shop is asked for its own claims", async () => {
  using folder = shopFolder();
  const site = async (more: Record<string, string>, name: string) => {
    const made = await tint(folder, ["init", "--catalog", name, ...flagsOf({ ...FLAGS, ...more })]);
    return { ...made, site: parseCatalog(readFileSync(join(folder.path, name)), name).site };
  };
  const said = await site(
    { facts: "Lifetime warranty; Since 2009", reviews: "4.9, 212, Google, https://maps.google.com/?cid=1" },
    "said.yaml",
  );
  expect(said.site.facts).toEqual(["Lifetime warranty", "Since 2009"]);
  expect(said.site.reviews).toMatchObject({ rating: 4.9, count: 212, source: "Google" });
  const wrong = ["init", "--catalog", "x.yaml", ...flagsOf({ ...FLAGS, reviews: "great" })];
  await expectRefusals(folder, [[wrong, 2, "--reviews must be stars, how many, the site and its address"]]);
});

describe("services that the shop does not sell", () => {
  const made = async (services: string) => {
    using folder = shopFolder();
    const { status, stderr } = await tint(folder, ["init", ...NEW, ...flagsOf({ ...FLAGS, services })]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining("is made for") });
    const text = readFileSync(join(folder.path, "new.yaml"), "utf8");
    return { text, catalog: parseCatalog(Buffer.from(text), "new.yaml") };
  };
  const keysOf = ({ services }: Shop) => services.map(({ key }) => key);

  test("without work on buildings nothing of it is left, and what is left is as it was", async () => {
    const { text, catalog } = await made("Automotive, film-removal, clearplex");
    expect(keysOf(catalog)).toEqual(["automotive", "film_removal", "clearplex"]);
    expect(catalog.flat_glass).toBeUndefined();
    expect(catalog.terms.faqCategories).toEqual(["automotive", "general"]);
    const answers = catalog.faq.map(({ question, answer }) => question + answer).join("\n");
    expect(answers).not.toMatch(/per square foot|building|house|security film|coating|flat_glass/i);
    expect(text).not.toMatch(/^ *# (residential|commercial|security)$/m);
    // Every line is a line of the catalog with all services, in the same order.
    const lines = (await made(keysOf(CATALOG).join())).text.split("\n");
    let at = 0;
    const isWhole = (line: string) => !/default_minutes|site_types:/.test(line);
    for (const line of text.split("\n").filter(isWhole)) {
      at = lines.indexOf(line, at) + 1;
      expect({ line, isThere: at > 0 }).toEqual({ line, isThere: true });
    }
  });

  test("with one kind of building, the section and the questions of that kind stay", async () => {
    const { catalog } = await made("automotive,residential");
    expect(Object.keys(catalog.flat_glass?.rates_per_sqft ?? {})).toEqual(["residential"]);
    expect(new Set(catalog.faq.map(({ category }) => category))).toEqual(
      new Set(["automotive", "residential", "general"]),
    );
    for (const row of Object.values(catalog.automotive.vehicle_types))
      expect(Object.keys(row)).toEqual(Object.keys(CATALOG.automotive.films));
    expect(catalog.scheduling.default_minutes).toEqual({ "1": 270, "2": 60 });
  });

  test.each([
    ["residential", "must include automotive: films are sold by it"],
    ["automotive,residental", "did you mean residential?"],
  ])("%s is refused", async (services, reason) => {
    using folder = shopFolder();
    await expectRefusals(folder, [[["init", ...NEW, ...flagsOf({ ...FLAGS, services })], 2, reason]]);
    expect(existsSync(join(folder.path, "new.yaml"))).toBe(false);
  });
});

test("without a terminal all missing flags are named, and all wrong answers", async () => {
  using folder = shopFolder();
  const missing =
    /^--geo must be .*\nMissing: .*--phone, --email, --street, --city, --state, --zip, --timezone, --hours, --price-level/;
  await expectRefusals(folder, [[["init", ...NEW, "--name", "X", "--geo", "north"], 2, missing]]);
  const slips = { phone: "12", state: "Texs", timezone: "America/Chcago", hours: "whenever", "price-level": "5" };
  const more = { zip: "ABC", geo: "north", website: "lakeside" };
  const wrong = await tint(folder, ["init", ...NEW, ...flagsOf({ ...FLAGS, ...slips, ...more })]);
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain("did you mean TX, Texas?");
  expect(wrong.stderr).toContain("did you mean America/Chicago?");
  for (const flag of [...Object.keys(slips), ...Object.keys(more)]) expect(wrong.stderr).toContain(`--${flag} `);
  expect(existsSync(join(folder.path, "new.yaml"))).toBe(false);
});

test("without a terminal the zone of the state is used, and said", async () => {
  using folder = shopFolder();
  const { timezone: _, ...flags } = FLAGS;
  const { status, stderr } = await tint(folder, ["init", ...NEW, ...flagsOf(flags)]);
  expect([status, stderr.split("\n")[0]]).toEqual([
    0,
    "Note: the time zone is America/Chicago, the usual one of the state; --timezone names another.",
  ]);
  expect(readFileSync(join(folder.path, "new.yaml"), "utf8")).toContain("timezone: America/Chicago");
});

test("a time zone that the catalog refuses is named by its flag, and nothing is written", async () => {
  using folder = shopFolder();
  const line = ["init", ...NEW, ...flagsOf({ ...FLAGS, timezone: "UTC" })];
  await expectRefusals(folder, [[line, 2, /^--timezone must be the time zone of a place/]]);
  expect(existsSync(join(folder.path, "new.yaml"))).toBe(false);
});

test("every state has a usual time zone that the catalog takes", () => {
  const question = QUESTIONS.find(({ key }) => key === "timezone");
  const zones = new Set([...knownStates().keys()].map((state) => question?.usual?.({ state })));
  for (const zone of zones) {
    expect(zone).toInclude("/");
    expect({ zone, issue: zone && question?.issue(zone) }).toEqual({ zone, issue: undefined });
  }
  expect(question?.usual?.({ state: "texas" })).toBe("America/Chicago");
});

test("on a terminal the zone of the state is offered; stopped halfway, the answers are handed back", async () => {
  using folder = shopFolder();
  await using terminal = await openTerminal(folder, { columns: 120, rows: 40 });
  const flags =
    "--name Lakeside --phone 512-555-0142 --email a@example.com --street 'O Street' --city Austin --zip 78701";
  await terminal.run(`TZ=UTC tint init --catalog new.yaml ${flags}`);
  // The flags have answered six of the 18.
  await terminal.see("1 of 12  State, for the address");
  await terminal.run("NY").see("2 of 12  Time zone");
  // ← goes back to the question before, which offers what was answered.
  await terminal.press("Left").see(/1 of 12 {2}State.*\[NY\]/);
  // Lines that are pasted answer the questions to come.
  await terminal.press("TX", "C-m", "UTC", "C-m").see("[America/Chicago]");
  await terminal.see("That must be the time zone of a place");
  await terminal.press("C-c").see("tint init goes on from here.");
  expect(existsSync(join(folder.path, "new.yaml"))).toBe(false);
  const kept = await Bun.file(join(folder.path, "new.yaml.answers.json")).json();
  expect(kept).toMatchObject({ street: "O Street", state: "TX" });
});

/** `bun run torture shops` tries hundreds. */
test("nothing of the example shop is left, whatever the answers", async () => {
  const shops = fc.asyncProperty(newShops, async (shop) => expect(await issuesOfNewShop(shop)).toEqual([]));
  await fc.assert(shops, { numRuns: 1 });
});

test("every state's law is told in true sentences", () => {
  for (const [key, law] of Object.entries(CATALOG.tint_law.jurisdictions)) {
    const told = lawQuestions(key, law).map(({ question, answer }) => ({
      question,
      answer: fillReferences(answer, CATALOG),
    }));
    for (const { question, answer } of told) {
      expect(question).toContain(law.name);
      expect(answer).toMatch(/^[A-Z][^{}]*\.$/);
    }
  }
  const answers = (key: string) => {
    const law = CATALOG.tint_law.jurisdictions[key];
    return law ? lawQuestions(key, law).map(({ answer }) => fillReferences(answer, CATALOG)) : [];
  };
  const together = "of light must pass through glass and film together.";
  expect(answers("US-TX").slice(0, 3)).toEqual([
    `At least 25% ${together}`,
    `Rear side windows: At least 25% ${together} Rear window: Any darkness is allowed.`,
    "Only a strip at the top is allowed, at most 5 inches or down to the AS-1 line marked on the glass.",
  ]);
  expect(answers("US-AL")[1]).toBe(
    `On a passenger car at least 32% ${together} On a multipurpose vehicle (the label on the door jamb says so) any darkness is allowed.`,
  );
  expect(answers("US-NJ").slice(0, 3)).toEqual([
    "Film is not allowed.",
    "Any darkness is allowed.",
    "Film is not allowed.",
  ]);
  expect(answers("US-AL")[3]).toBe("Yes. Ask the authority how to apply.");
});

test("the questions that an owner must confirm are the template's", () => {
  const questions = CATALOG.faq.map(({ question }) => question);
  for (const one of toConfirm) expect(questions).toContain(one);
  // Prices in an answer are places of the catalog, so that they follow the price level.
  for (const { answer } of CATALOG.faq) expect(answer).not.toMatch(/\$ ?\d|\d dollars/);
});

describe("answers", () => {
  test.each([
    ["zip", ["78701", "78701-1234"], ["7870", "787011", "78701-", "ABCDE"]],
    ["price-level", ["10", "1000", "110%"], ["9", "1001", "0", "-10", "99999", "1.5"]],
    ["geo", ["90,180", "-90,-180", " 30.2672 , -97.7431 "], ["90.1,0", "0,180.5", "30.2672", "north,west", "-91,0"]],
    [
      "website",
      ["https://a.example", "http://a.example/", "a.example"],
      ["a", "https://a.example/b", "ftp://a.example"],
    ],
    ["bays", ["1", "50"], ["0", "51", "1.5", "two", "-1"]],
    ["alerts-to", ["512-555-0142", "+15125550142; a@b.example"], ["555-0142", "a@b.example, http://b.example", ","]],
    ["phone", ["512-555-0142", "+15125550142"], ["555-0142", "x"]],
    ["state", ["TX", "tx", "Texas", "texas"], ["T", "Texs", ""]],
    ["timezone", ["America/Denver", "Central", "pacific time", "ET"], ["Middle", "UTC"]],
    ["name", ["X", "x".repeat(100), "two\nlines"], ["", "x".repeat(101)]],
  ])("--%s takes %j and refuses %j", (flag, right, wrong) => {
    const question = QUESTIONS.find((one) => one.flag === flag);
    expect(right.map((answer) => question?.issue(answer))).toEqual(right.map(() => undefined));
    for (const answer of wrong)
      expect([answer, question?.issue(answer)]).toEqual([answer, expect.stringMatching(/^must/)]);
  });

  test("what a bare Enter answers is right, and fits the answers before", () => {
    const usual = QUESTIONS.flatMap(({ flag, usual, issue }) => {
      const answer = usual?.({ state: "TX", phone: "512-555-0142" });
      return answer === undefined ? [] : [{ flag, answer, issue: issue(answer) }];
    });
    expect(usual.map(({ issue }) => issue)).toEqual(usual.map(() => undefined));
    expect(usual).toContainEqual({ flag: "timezone", answer: "America/Chicago", issue: undefined });
    expect(usual).toContainEqual({ flag: "alerts-to", answer: "512-555-0142", issue: undefined });
  });

  test("answers as a command are quoted for a shell", () => {
    expect(asCommand({ name: "O'Neil's", bays: "2" })).toBe(`tint init --name 'O'\\''Neil'\\''s' --bays '2'`);
  });

  test("answers become a shop; what is left out stays open", () => {
    const bare = { phone: "+15125550142", state: "TX", priceLevel: 100, website: undefined, geo: undefined };
    expect(readAnswers(ANSWERS)).toMatchObject(bare);
    const every = CATALOG.services.map(({ key }) => key);
    const CASES: [Partial<Answers>, object][] = [
      [{ website: "lakeside.example/" }, { website: "https://lakeside.example" }],
      [{ services: "auto, Film Removal and tint" }, { services: ["automotive", "film_removal"] }],
      [{ services: "All" }, { services: every }],
      [{ timezone: "Central" }, { timezone: "America/Chicago" }],
      [
        { website: "https://a.example/", geo: "30.5,-97.25" },
        { website: "https://a.example", geo: { latitude: 30.5 } },
      ],
    ];
    for (const [answer, read] of CASES) expect(readAnswers({ ...ANSWERS, ...answer })).toMatchObject(read);
  });

  test.each([
    ["12 main st marietta ga", "12 main st"],
    ["12 Main St, Marietta, Georgia 30060", "12 Main St"],
    ["12 Main St, GA", "12 Main St"],
    ["12 Old Marietta", "12 Old Marietta"],
    ["12 Marietta St", "12 Marietta St"],
  ])("the street %s is %s in Marietta", (street, alone) => {
    expect(readAnswers({ ...ANSWERS, street, city: "Marietta", state: "GA", zip: "30060" })).toMatchObject({
      street: alone,
    });
  });

  /** Makes a catalog with more flags than the required ones. */
  async function init(more: readonly string[]) {
    using folder = shopFolder();
    const run = await tint(folder, ["init", "--catalog", "new.yaml", ...LEAST, ...more]);
    return { ...run, catalog: parseCatalog(readFileSync(join(folder.path, "new.yaml")), "new.yaml") };
  }

  test("website and place are asked, and may wait", async () => {
    expect((await init([])).catalog.business.geo).toEqual({ latitude: 0, longitude: 0 });
    const { business } = (await init(["--website", "https://lakeside.example", "--geo", "30.2672,-97.7431"])).catalog;
    expect([business.url, business.geo]).toEqual([
      "https://lakeside.example",
      { latitude: 30.2672, longitude: -97.7431 },
    ]);
  });

  test("the questions to read and those that were left out are counted, and named in JSON", async () => {
    const near = await init(["--state", "GA", "--json"]);
    expect(near.stderr).toMatch(
      /Your answers to customers, \d+ of them about your work and your state's law: tint faq/,
    );
    expect(near.stderr).not.toContain("left out");
    expect(JSON.parse(near.stdout).questions_to_read).toContain("Which area do you serve?");
    const far = await init(["--json"]);
    expect(far.stderr).toContain("2 questions of the example shop left out; yours: tint faq add.");
    const { questions_to_read: read, questions_left_out: out } = JSON.parse(far.stdout);
    expect(read).toContain("How dark can the rear windows be under the tint law of Texas?");
    expect(out.every((question: string) => question.includes("Georgia"))).toBe(true);
  });

  test("alerts go to the shop's phone and one bay is assumed, unless the owner says otherwise", async () => {
    const bare = await init([]);
    expect(bare.catalog).toMatchObject({ alerts: { to: ["+15125550142"] }, scheduling: { bays: 1 } });
    expect(bare.stderr).toContain("One bay is assumed");
    const told = await init(["--bays", "4", "--alerts-to", "512 555 0143, pat@example.com, https://ntfy.example/a"]);
    expect(told.catalog).toMatchObject({
      alerts: { to: ["+15125550143", "pat@example.com", "https://ntfy.example/a"] },
      scheduling: { bays: 4 },
    });
    expect(told.stderr).not.toContain("One bay");
  });
});
