/** Catalogs with any words: those that load price everything they list, and those that do not say where the fault is. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { deskContext } from "../../cli/estimates/desk.ts";
import { invoke } from "../../src/capabilities/core/invoke.ts";
import { offered } from "../../src/capabilities/index.ts";
import { checkValues } from "../../src/catalog/checks/check-values.ts";
import { CatalogError } from "../../src/catalog/load/document.ts";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import type { WrittenCatalog } from "../../src/catalog/schema.ts";
import { coverageLabel, entryOf } from "../../src/catalog/terms.ts";
import { estimateAutomotive } from "../../src/domain/automotive.ts";
import { catalogOf, NOW } from "../helpers.ts";
import { californiaSource } from "../shops.ts";
import { CATALOG_TEXT as SMALL_TEXT } from "../small-shop.ts";

const smallSource = () => Bun.YAML.parse(SMALL_TEXT) as WrittenCatalog;

/** The faults of a catalog, as `line:column: message`; none when it loads. */
function issuesOf(source: WrittenCatalog): string[] {
  if ("catalog" in checkValues(source)) return [];
  // The text is read only for the places, because reading takes long.
  try {
    parseCatalog(Buffer.from(Bun.YAML.stringify(source, null, 2)), "catalog.yaml");
  } catch (error) {
    if (error instanceof CatalogError) return error.issues.map((issue) => issue.split("\n")[0] ?? "");
    throw error;
  }
  throw new Error("the values have faults, and their text has none");
}

const PLACE = /^catalog\.yaml:\d+:\d+: \S/;

describe("removing one word", () => {
  const groups: [string, (source: WrittenCatalog) => object][] = [
    ["vehicle type", ({ automotive }) => automotive.vehicle_types],
    ["film", ({ automotive }) => automotive.films],
    ["coverage", ({ automotive }) => automotive.coverages ?? {}],
    ["add-on", ({ automotive }) => automotive.addons],
    ["kind of site", ({ flat_glass: flat }) => flat?.rates_per_sqft ?? {}],
    ["step", ({ flat_glass: flat }) => Object.values(flat?.rates_per_sqft ?? {})[0] ?? {}],
    ["class of a vehicle", ({ tint_law }) => tint_law.vehicle_class],
    ["minutes", ({ scheduling }) => scheduling.job_minutes],
    ["flat-glass film", ({ flat_glass: flat }) => flat?.films ?? {}],
  ];
  // The small shop's text takes longer to read: of it, the words that California has none of.
  const flat = /^(kind of site|step|flat-glass film)$/;
  const shops = [
    ["the small shop", smallSource, groups.filter(([kind]) => flat.test(kind))],
    ["California", californiaSource, groups],
  ] as const;
  for (const [shop, read, kinds] of shops) {
    for (const [kind, group] of kinds) {
      for (const word of Object.keys(group(read()))) {
        test(`${shop}: the ${kind} ${word} loads, or faults with its place`, () => {
          const source = read();
          Reflect.deleteProperty(group(source), word);
          for (const issue of issuesOf(source)) expect(issue).toMatch(PLACE);
        });
      }
    }
    test.each(read().services.map(({ key }) => key))(
      `${shop}: the service %s loads, or faults with its place`,
      (key) => {
        const source = read();
        source.services = source.services.filter((service) => service.key !== key);
        for (const issue of issuesOf(source)) expect(issue).toMatch(PLACE);
      },
    );
  }
});

describe("what is missing is named, all at once", () => {
  test.each<[string, (source: WrittenCatalog) => void, string[]]>([
    [
      "a film without prices",
      ({ automotive: { films } }) => {
        films.smoke = { ...entryOf(films, "dyed") };
      },
      ["smoke has no price for kei.", "smoke has no price for micro_truck.", "brow has no price with smoke."],
    ],
    [
      "a vehicle type alone",
      ({ automotive: { vehicle_types: rows } }) => {
        rows.bus = {};
      },
      [
        "dyed has no price for bus.",
        "headlights has no price for bus.",
        "vehicle_class.bus is missing",
        "bus is missing",
      ],
    ],
    [
      "an add-on without minutes",
      ({ automotive: { addons } }) => Reflect.deleteProperty(entryOf(addons, "brow"), "minutes"),
      ["automotive.addons.brow.minutes is missing."],
    ],
    [
      "an add-on for an unknown service",
      ({ automotive: { addons } }) => {
        entryOf(addons, "screen").applies_to = ["tnt"];
      },
      ["tnt is not; did you mean tint?"],
    ],
    [
      "a service that is priced but not listed",
      (source) => {
        source.services = source.services.filter(({ key }) => key !== "headlights");
      },
      ["automotive.vehicle_types.kei.headlights has a price, but", "scheduling.default_minutes.13 is not the id"],
    ],
    [
      "words that law and samples refer to",
      ({ tint_law, automotive }) => {
        tint_law.confirm_class = ["offroadr"];
        automotive.example = { vehicle_type: "saloon", film_type: "carbn" };
        automotive.defaults.coverage = "fronts2";
      },
      ["offroadr is not; did you mean offroader?", "carbn is not; did you mean carbon?", "did you mean fronts?"],
    ],
    [
      "two reference films, and a fault of another kind at the same time",
      ({ automotive: { films }, scheduling }) => {
        entryOf(films, "dyed").reference = true;
        scheduling.job_minutes.velvet_extra = 3;
      },
      ["carbon.reference must be left out: dyed is the reference", "velvet_extra"],
    ],
  ])("%s", (_, change, messages) => {
    const source = californiaSource();
    change(source);
    const issues = issuesOf(source);
    for (const issue of issues) expect(issue).toMatch(PLACE);
    for (const message of messages) expect(issues.join("\n")).toContain(message);
  });
});

/** Any shop: its films, vehicle types, coverages and add-ons, with prices in cents. */
const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/).map((text) => `w${text}`);
const list = (minLength: number, maxLength: number) => fc.uniqueArray(word, { minLength, maxLength });
const shop = fc.record({
  films: list(1, 5),
  vehicles: list(1, 6),
  coverages: list(1, 4),
  addons: list(0, 5),
  reference: fc.nat(9),
  prices: fc.infiniteStream(fc.integer({ min: 0, max: 999_999 })),
  minutes: fc.integer({ min: 1, max: 200 }),
});

test("for any words, every sample is valid and every price is the sum of its parts", async () => {
  await fc.assert(
    fc.asyncProperty(shop, async ({ films, vehicles, coverages, addons, reference, prices, minutes }) => {
      const next = () => Number(prices.next().value) / 100;
      const each = <T>(keys: readonly string[], value: (key: string, i: number) => T) =>
        Object.fromEntries(keys.map((key, i) => [key, value(key, i)]));
      const source = californiaSource();
      const { automotive, scheduling, tint_law } = source;
      const film = entryOf(automotive.films, "dyed");
      automotive.defaults = { service: "tint", film_type: films[0] ?? "", coverage: coverages[0] ?? "" };
      automotive.coverages = each(coverages, (name) => ({ name, positions: ["front_side"] }));
      automotive.films = each(films, (_, i) => ({ ...film, ...(i === reference && { reference: true }) }));
      automotive.vehicle_types = each(vehicles, () => ({
        ...each(films, () => each(coverages, next)),
        stripping: each(coverages, next),
        headlights: next(),
      }));
      automotive.addons = each(addons, (name) => ({
        name,
        price: each(films, next),
        applies_to: ["tint", "stripping"],
        minutes: 5,
        position: null,
      }));
      scheduling.job_minutes = each(coverages, (_, i) => (i % 2 === 0 ? each(vehicles, () => minutes) : minutes));
      tint_law.vehicle_class = each(vehicles, (_, i) => (i % 2 === 0 ? "passenger" : "multipurpose"));
      tint_law.confirm_class = [];
      source.faq = [];
      // Some of the prices are 0.
      source.services = source.services.map((service) => ({ ...service, free: true }));
      const catalog = catalogOf(source);

      for (const capability of offered(catalog)) {
        const sample = capability.sample(catalog, NOW);
        expect([capability.id, capability.input(catalog).safeParse(sample).error]).toEqual([capability.id, undefined]);
      }
      const cents = (dollars: number) => Math.round(dollars * 100);
      for (const vehicle_type of vehicles) {
        for (const coverage of coverages) {
          const { options } = estimateAutomotive(catalog, { vehicle_type, coverage, addons });
          expect(options.map(({ filmType }) => filmType)).toEqual(films);
          for (const { filmType, total, lines } of options) {
            const base = Object(automotive.vehicle_types[vehicle_type]?.[filmType ?? ""])[coverage];
            const extras = addons.map((code) => automotive.addons[code]?.price[filmType ?? ""] ?? Number.NaN);
            expect(total).toBe([base, ...extras].reduce((sum, price) => sum + cents(price), 0));
            expect(lines).toHaveLength(1 + addons.length);
          }
        }
      }
      expect(catalog.terms.vehicleTypes).toEqual(vehicles);
      const estimate = offered(catalog).find(({ id }) => id === "automotive_estimate");
      if (!estimate) throw new Error("no estimates");
      const { body } = await invoke(estimate, { vehicle_type: vehicles[0], addons }, deskContext(catalog, NOW));
      expect(() => estimate.output(catalog).parse(body.data)).not.toThrow();
      expect(body.success).toBe(true);
    }),
    { numRuns: 15 },
  );
});

test("a coverage is listed by its label; one of a file without a label by its short name, or by its word", () => {
  const labelOf = (coverage: string, name: string, label?: string) => {
    const coverages = { [coverage]: { name, positions: [], ...(label && { label }) } };
    return coverageLabel(coverage, { automotive: { coverages } });
  };
  expect(labelOf("full", "every window but the windshield", "every window")).toBe("every window");
  expect(labelOf("front2", "front two windows")).toBe("front two");
  expect(labelOf("back_half", "back")).toBe("back");
  expect(labelOf("back_half", "back half of the windows")).toBe("back half");
});
