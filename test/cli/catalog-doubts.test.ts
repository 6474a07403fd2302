/** Values of a catalog that are allowed and probably not meant: `catalog check` and doctor name them with their lines. */
import { expect, test } from "bun:test";
import { freePort, shopFolder } from "../process/server.ts";
import { CATALOG_TEXT } from "../small-shop.ts";
import { tint } from "./run.ts";

/** The catalog without special days, and with pieces of text replaced. */
function edited(...edits: [from: string, to: string][]): string {
  const calm = CATALOG_TEXT.replace(/^ {2}special_hours: .*\n( {4}- .*\n)+/m, "");
  return edits.reduce((text, [from, to]) => {
    expect([from, text.split(from).length - 1]).toEqual([from, 1]);
    return text.replace(from, () => to);
  }, calm);
}

const DOUBTS: [edit: [from: string, to: string], mark: string, message: string][] = [
  [
    [
      "  reviews: null ",
      '  reviews: {rating: 4.9, count: 212, source: Google, url: "https://g.example", reviewed_on: "2020-01-01"} ',
    ],
    '"2020-01-01"',
    "site.reviews.reviewed_on were read more than 90 days ago: look at https://g.example, and set rating, count and reviewed_on.",
  ],
  [
    ["name: Marlow Ridge Window Film ", "name: Tint shop #1 in town "],
    "Tint shop #1",
    "this text ends before the #: put quotes around it if the rest belongs to it.",
  ],
  [
    ["label: Metro Atlanta", "label: “Metro Atlanta”"],
    "“Metro Atlanta”",
    'these are no quotes of YAML, so that customers see them: write "…".',
  ],
  [
    ["    sunday: []\n", '    sunday: []\n  special_hours:\n    - {date: "2020-12-25", closed: true}\n'],
    '{date: "2020-12-25"',
    "business.special_hours.0 has a day that has passed: 2020-12-25. Take it out, or correct its year.",
  ],
  [
    ["ceramic: {full: 599, front2: 239}", "ceramic: {full: 5990, front2: 239}"],
    "5990",
    "automotive.vehicle_types.suv.ceramic.full is 5990, far above 549, the middle of its column: is a digit too many?",
  ],
  [
    ["ceramic: {full: 599, front2: 239}", "ceramic: {full: 599, front2: 23.9}"],
    "23.9}",
    "automotive.vehicle_types.suv.ceramic.front2 is 23.9, far below 219, the middle of its column: is a digit missing?",
  ],
  [
    ["film_removal: {full: 225, front2: 80}", "film_removal: {full: 80, front2: 225}"],
    "225}",
    "automotive.vehicle_types.suv.film_removal.front2 is dearer than full, which covers more: front two windows 225, all side and rear windows 80.",
  ],
  [
    ["standard: 59, ceramic: 99}", "standard: 59, ceramic: 0}"],
    "ceramic: 0}",
    "automotive.addons.windshield_strip.price.ceramic is 0: customers are told it costs nothing.",
  ],
];

test.each(DOUBTS)("%p is noted at its line, exit 0", async (edit, mark, message) => {
  using folder = shopFolder();
  const text = edited(edit);
  folder.write(text);
  const line = text.slice(0, text.indexOf(mark)).split("\n").length;
  const { status, stderr } = await tint(folder, ["catalog", "check"]);
  expect(status).toBe(0);
  expect(stderr).toMatch(/^Note: .*\n$/);
  expect(stderr).toStartWith(`Note: ${folder.catalog}:${line}:`);
  expect(stderr).toContain(message);
  const json = await tint(folder, ["catalog", "check", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ valid: true, notes: [expect.stringContaining(message)] });
});

test("notes behind a text, and prices of 0 that are meant, are none", async () => {
  using folder = shopFolder();
  folder.write(
    edited(
      ["name: Marlow Ridge Window Film ", "name: Marlow Ridge # our name"],
      ["clearplex: 475}", "clearplex: 0}"],
      ["key: clearplex, ", "key: clearplex, free: true, "],
    ),
  );
  // One price of 0 among others is far from nothing: it is said to be free.
  expect(await tint(folder, ["catalog", "check"])).toMatchObject({ status: 0, stderr: "" });
});

test("doctor warns of the first, with the number of the others", async () => {
  using folder = shopFolder();
  folder.write(edited(...DOUBTS.slice(0, 3).map(([edit]) => edit)));
  const { stdout } = await tint(folder, ["doctor", "--json"], { env: { PORT: String(freePort()) } });
  const { checks } = JSON.parse(stdout);
  expect(checks.find(({ name }: { name: string }) => name === "catalog")).toMatchObject({
    level: "warning",
    message: expect.stringMatching(
      /is good: Tint shop\. But .*catalog\.yaml:\d+:\d+: this text ends .* \(and 2 more\)$/,
    ),
    fix: "tint catalog check names each with its line",
  });
});
