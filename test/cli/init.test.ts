/** `tint init` and `tint completion`. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { knownStates, type NewShop, newCatalog } from "../../cli/new-catalog.ts";
import { readWeekHours, type WeekHours } from "../../cli/opening-times.ts";
import { parseCatalog } from "../../src/catalog/load.ts";
import { CATALOG, CATALOG_TEXT } from "../helpers.ts";
import { shopFolder } from "../process/server.ts";
import { tint } from "./run.ts";

setDefaultTimeout(30_000);

const FLAGS = {
  name: "Lakeside Tint: #1",
  phone: "512-555-0142",
  email: "hello@lakeside.example",
  street: "12 Main Street, Suite 3",
  city: "Austin",
  state: "texas",
  zip: "78701",
  timezone: "America/Chicago",
  hours: "mon-fri 9-18, sat 10:00-12:00, sat 13-15",
  "price-level": "110",
};
const flagsOf = (flags: Record<string, string>) =>
  Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
const NEW = ["--catalog", "new.yaml"];

test("flags alone make a good catalog; notes stay, the example shop's own facts go", async () => {
  using folder = shopFolder();
  const { status, stdout, stderr } = await tint(folder, ["init", ...NEW, ...flagsOf(FLAGS)]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  expect(stderr).toContain("Which area do you serve?");
  expect(stderr).toContain("still say example.com");
  const text = readFileSync(join(folder.path, "new.yaml"), "utf8");
  const { business, automotive, tint_law, faq } = parseCatalog(Buffer.from(text), "new.yaml");
  expect(business).toMatchObject({
    name: FLAGS.name,
    phone: "+15125550142",
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
  expect(automotive.vehicle_types.suv.ceramic.full).toBe(65_900);
  expect(text).not.toMatch(/Marlow|Fictional|Marietta|Atlanta|Cobb|30060/);
  for (const { question, answer } of faq) expect(question + answer).not.toMatch(/Georgia|dollar|per square foot/);
  const notes = (yaml: string) => yaml.match(/#.*/g)?.length ?? 0;
  // One note belonged to a line of the example shop's own.
  expect(notes(text)).toBeGreaterThan(notes(CATALOG_TEXT) - 5);

  const again = await tint(folder, ["init", ...NEW, ...flagsOf(FLAGS)]);
  expect(again).toMatchObject({ status: 1, stdout: "" });
  expect(again.stderr).toContain("never overwritten");
  expect(readFileSync(join(folder.path, "new.yaml"), "utf8")).toBe(text);
});

test("without a terminal, what is missing is named; what is wrong too, all at once", async () => {
  using folder = shopFolder();
  const missing = await tint(folder, ["init", ...NEW, "--name", "X"]);
  expect(missing).toMatchObject({ status: 2, stdout: "" });
  expect(missing.stderr).toContain(
    "--phone, --email, --street, --city, --state, --zip, --timezone, --hours, --price-level",
  );
  const wrong = await tint(folder, [
    "init",
    ...NEW,
    ...flagsOf({
      ...FLAGS,
      phone: "12",
      state: "Texs",
      timezone: "America/Chcago",
      hours: "whenever",
      "price-level": "5",
      zip: "ABC",
      geo: "north",
      website: "lakeside",
    }),
  ]);
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain("did you mean TX, Texas?");
  expect(wrong.stderr).toContain("did you mean America/Chicago?");
  for (const flag of ["phone", "state", "zip", "timezone", "hours", "price-level", "website", "geo"])
    expect(wrong.stderr).toContain(`--${flag} `);
  expect(existsSync(join(folder.path, "new.yaml"))).toBe(false);
});

test("any shop's answers make a good catalog", () => {
  const shop: NewShop = {
    name: "A",
    phone: "+15125550142",
    email: "a@example.com",
    street: "1",
    city: "B",
    zip: "78701",
    state: "TX",
    timezone: "America/Chicago",
    hours: readWeekHours("mon-sun 09:00-24:00") as WeekHours,
    priceLevel: 100,
  };
  const line = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
    .filter((text) => text.trim() === text && text !== "" && !/[\p{C}\p{Z}]/u.test(text.replaceAll(" ", "")));
  fc.assert(
    fc.property(
      fc.record({
        name: line,
        street: line,
        city: line,
        state: fc.constantFrom(...knownStates().keys()),
        priceLevel: fc.integer({ min: 10, max: 1000 }),
        website: fc.constantFrom(undefined, "https://shop.example"),
      }),
      (given) => {
        const { text } = newCatalog({ ...shop, ...given }, "new.yaml", "2026-11-21");
        const { business, tint_law } = parseCatalog(Buffer.from(text), "new.yaml");
        expect(business.name).toBe(given.name);
        expect(business.address.street).toBe(given.street);
        expect(tint_law.home).toBe(`US-${given.state}`);
      },
    ),
    { numRuns: 25 },
  );
  // The same prices in the same state: only the town's own answers go.
  const { questionsLeftOut } = newCatalog({ ...shop, state: "GA" }, "new.yaml", "2026-11-21");
  expect(questionsLeftOut).toEqual(["Which area do you serve?"]);
  // All but the example of another country.
  expect(knownStates().size).toBe(Object.keys(CATALOG.tint_law.jurisdictions).length - 1);
});

test("hours as an owner says them", () => {
  const closed = { monday: [], tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [], sunday: [] };
  const day = [{ opens: "09:00", closes: "17:30" }];
  expect(readWeekHours("Tuesday 9 - 17:30")).toEqual({ ...closed, tuesday: day });
  expect(readWeekHours("sat-mon 09:00-17:30")).toEqual({ ...closed, saturday: day, sunday: day, monday: day });
  for (const wrong of ["", "mon", "m 9-17", "mon 9-25", "mon 17-9", "mon-fry 9-17", "mon 9-17;tue 9-17"])
    expect(typeof readWeekHours(wrong)).toBe("string");
});

test("completion for bash, zsh and fish, of commands, flags and their words", async () => {
  using folder = shopFolder();
  for (const shell of ["bash", "zsh", "fish"]) {
    const { status, stdout, stderr } = await tint(folder, ["completion", shell]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("tint completion complete --");
  }
  const complete = async (...words: string[]) => {
    const { stdout } = await tint(folder, ["completion", "complete", "--", ...words]);
    return stdout.split("\n").map((row) => row.split("\t")[0]);
  };
  expect(await complete("book")).toContain("bookings");
  expect(await complete("")).not.toContain("complete");
  expect(await complete("bookings", "")).toContain("no-show");
  expect(await complete("leads", "list", "--status", "")).toContain("quoted");
  expect(await complete("keys", "issue", "--")).toContain("--email");
  expect((await tint(folder, ["completion", "tcsh"])).status).toBe(2);
});
