/** The answers of `tint init`: accepted and refused ones, and the catalog that they make. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Answers, asCommand, QUESTIONS, readAnswers } from "../../cli/catalog/init-questions.ts";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import { CATALOG } from "../helpers.ts";
import { shopFolder } from "../process/server.ts";
import { ANSWERS, FLAGS } from "./init-flags.ts";
import { tint } from "./run.ts";

setDefaultTimeout(30_000);

test.each([
  ["zip", ["78701", "78701-1234"], ["7870", "787011", "78701-", "ABCDE"]],
  ["price-level", ["10", "1000", "110%"], ["9", "1001", "0", "-10", "99999", "1.5"]],
  ["geo", ["90,180", "-90,-180", " 30.2672 , -97.7431 "], ["90.1,0", "0,180.5", "30.2672", "north,west", "-91,0"]],
  ["website", ["https://a.example", "http://a.example/", "a.example"], ["a", "https://a.example/b", "ftp://a.example"]],
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
  const run = await tint(folder, ["init", "--catalog", "new.yaml", ...FLAGS, ...more]);
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
  expect(near.stderr).toMatch(/Your answers to customers, \d+ of them about your work and your state's law: tint faq/);
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
