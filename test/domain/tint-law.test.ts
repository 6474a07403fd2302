/** Tint law, compared with a second implementation of the rules over every jurisdiction, vehicle and shade. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Jurisdiction, TintRule } from "../../src/catalog/schema.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { entryOf } from "../../src/catalog/terms.ts";
import { POSITIONS, type Position } from "../../src/constants.ts";
import { estimateAutomotive } from "../../src/domain/automotive.ts";
import {
  checkTintLaw,
  type GlassCheck,
  type GlassStatus,
  type LawReason,
  type LawStatus,
  type Shades,
} from "../../src/domain/tint-law.ts";
import { parseShade } from "../../src/domain/work.ts";
import { CATALOG, catalogWith, WORDS } from "../helpers.ts";

const JURISDICTIONS = Object.keys(CATALOG.tint_law.jurisdictions);
/** One vehicle type of each class, sure and unsure: the law knows no more of a vehicle. */
const VEHICLES = [
  ...Map.groupBy(WORDS.vehicleTypes, (type) =>
    JSON.stringify([CATALOG.tint_law.vehicle_class[type], CATALOG.tint_law.confirm_class.includes(type)]),
  ).values(),
].flatMap(([first]) => first ?? []);
const GRAVITY: Record<GlassStatus, number> = { not_checked: 0, legal: 1, borderline: 2, illegal: 3, not_permitted: 4 };

interface Opinion {
  position: Position;
  film_vlt: number | null;
  net_vlt: number | null;
  glass_vlt: number | null;
  rule: GlassCheck["rule"];
  min_vlt: number | null;
  status: GlassStatus;
  reason: LawReason;
  darkest_legal_shade: number | null;
}

/** Validates one glass. Light is in hundredths of a percent, so that glass x film is a whole number. */
function verdictOf(
  law: Jurisdiction,
  rule: TintRule,
  [glass, clearest]: readonly [number, number],
  film: number,
): Pick<Opinion, "status" | "reason"> {
  if (rule.rule === "any") return { status: "legal", reason: "any_shade_permitted" };
  if (rule.rule === "prohibited") return { status: "not_permitted", reason: "prohibited" };
  if (rule.rule === "strip") return { status: "not_permitted", reason: "strip_only" };
  const through = law.measure === "film" ? 100 * film : glass * film;
  const forgiven = 100 * (rule.vlt - (law.tolerance ?? 0));
  if (through >= 100 * rule.vlt) return { status: "legal", reason: "meets_minimum" };
  if (through >= forgiven) return { status: "borderline", reason: "within_tolerance" };
  if (law.measure !== "film" && clearest * film >= forgiven)
    return { status: "borderline", reason: "depends_on_glass" };
  return { status: "illegal", reason: "below_minimum" };
}

interface Question {
  jurisdiction: string;
  vehicleType: string;
  shades: Shades;
  available: readonly number[];
}

/** A vehicle in `confirm_class` is judged in both classes: borderline where one lets the film pass and the other does not. */
function oracle(
  catalog: Shop,
  question: Question,
  positions: readonly Position[],
): { status: LawStatus; checks: Opinion[] } {
  const usual = entryOf(catalog.tint_law.vehicle_class, question.vehicleType);
  const isUnsure = catalog.tint_law.confirm_class.includes(question.vehicleType);
  const other = usual === "passenger" ? "multipurpose" : "passenger";
  const first = opinionsAs(usual, catalog, question, positions);
  const second = isUnsure ? opinionsAs(other, catalog, question, positions) : first;
  const isBarred = ({ status }: Opinion) => GRAVITY[status] >= GRAVITY.illegal;
  const checks = first.map((one, i): Opinion => {
    const [milder, graver] = [one, second[i] ?? one].sort((a, b) => GRAVITY[a.status] - GRAVITY[b.status]);
    if (!milder || !graver) throw new Error("no opinion");
    const shades = [milder.darkest_legal_shade, graver.darkest_legal_shade];
    const darkest_legal_shade = shades.includes(null) ? null : Math.max(...shades.map(Number));
    if (milder.status === graver.status) return { ...one, darkest_legal_shade };
    if (isBarred(milder)) return { ...milder, darkest_legal_shade };
    return { ...graver, status: "borderline", reason: "depends_on_class", darkest_legal_shade };
  });
  const least = String(Math.max(...checks.map(({ status }) => GRAVITY[status])));
  const gravest = (Object.keys(GRAVITY) as GlassStatus[]).find((one) => String(GRAVITY[one]) === least);
  const isPartial = least === "1" && checks.some(({ status }) => status === "not_checked");
  return { status: isPartial ? "partly_checked" : (gravest ?? "not_checked"), checks };
}

function opinionsAs(
  vehicleClass: "passenger" | "multipurpose",
  catalog: Shop,
  question: Question,
  positions: readonly Position[],
): Opinion[] {
  const law = catalog.tint_law.jurisdictions[question.jurisdiction];
  if (!law) throw new Error("no such jurisdiction");
  const glass = catalog.tint_law.glass_vlt[vehicleClass];
  const clearest = catalog.tint_law.clearest_glass_vlt;
  const ways = (law.classes[vehicleClass] ?? law.classes.passenger).map((rules) => {
    const checks = positions.map((position): Opinion => {
      const rule = rules[position];
      const film = question.shades[position];
      const darkest = [...question.available]
        .sort((a, b) => a - b)
        .find((vlt) => verdictOf(law, rule, [glass[position], clearest], vlt).status === "legal");
      return {
        position,
        film_vlt: film ?? null,
        net_vlt:
          film === undefined
            ? null
            : law.measure === "film"
              ? film
              : Number(`${(BigInt(glass[position] * film) + 5n) / 10n}e-1`),
        glass_vlt: law.measure === "film" ? null : glass[position],
        rule: RULE_WORDS[rule.rule],
        min_vlt: rule.rule === "min_vlt" ? rule.vlt : null,
        ...(film === undefined
          ? ({ status: "not_checked", reason: "no_shade_given" } as const)
          : verdictOf(law, rule, [glass[position], clearest], film)),
        darkest_legal_shade: darkest ?? null,
      };
    });
    // One digit for each position, the worst first: the smaller text is the milder result.
    const rank = checks
      .map(({ status }) => GRAVITY[status])
      .sort()
      .reverse()
      .join("");
    return { checks, rank };
  });
  const least = ways.map(({ rank }) => rank).sort()[0] ?? "";
  const way = ways.find(({ rank }) => rank === least);
  if (!way) throw new Error("no rules");
  return way.checks;
}

const RULE_WORDS = { min_vlt: "minimum", any: "none", prohibited: "no_film", strip: "see_reason" } as const;

const vlt = fc.integer({ min: 1, max: 100 });
const shades: fc.Arbitrary<Shades> = fc.record(
  { front_side: vlt, rear_side: vlt, rear_window: vlt, windshield: vlt },
  { requiredKeys: [] },
);
const somewhere = fc.constantFrom(...JURISDICTIONS);
const vehicle = fc.constantFrom(...WORDS.vehicleTypes);
const somePositions = fc.subarray([...POSITIONS], { minLength: 1 });
const AVAILABLE = entryOf(CATALOG.automotive.films, "ceramic").shades.map((shade) => shade.vlt);

const DARK_GLASS = catalogWith({
  "tint_law.glass_vlt.multipurpose": { front_side: 72, rear_side: 20, rear_window: 18, windshield: 71 },
});

test("agrees with the oracle on every jurisdiction, class of vehicle and shade", () => {
  for (const jurisdiction of JURISDICTIONS) {
    for (const vehicleType of VEHICLES) {
      for (let film = 1; film <= 100; film++) {
        const question = {
          jurisdiction,
          vehicleType,
          positions: POSITIONS,
          strip: false,
          shades: Object.fromEntries(POSITIONS.map((position) => [position, film])),
          available: AVAILABLE,
        };
        const { status, checks } = checkTintLaw(CATALOG, question);
        const expected = oracle(CATALOG, question, POSITIONS);
        const found = checks.map(({ explanation: _, ...check }) => check);
        const what = { jurisdiction, vehicleType, film };
        if (status !== expected.status || !Bun.deepEquals(found, expected.checks))
          expect({ ...what, status, checks: found }).toEqual({ ...what, ...expected });
      }
    }
  }
});

test("agrees with the oracle on mixed shades, missing shades, other glass and any positions", () => {
  fc.assert(
    fc.property(somewhere, vehicle, shades, somePositions, fc.boolean(), (jurisdiction, vehicleType, ...rest) => {
      const [mixed, positions, dark] = rest;
      const catalog = dark ? DARK_GLASS : CATALOG;
      const question = { jurisdiction, vehicleType, positions, strip: false, shades: mixed, available: AVAILABLE };
      const verdict = checkTintLaw(catalog, question);
      const expected = oracle(catalog, question, positions);
      expect(verdict.status).toBe(expected.status);
      expect(verdict.checks.map(({ explanation: _, ...check }) => check) as Opinion[]).toEqual(expected.checks);
      const { name, citation, confidence, reviewed_on, measure } = verdict;
      const facts = { name, citation, confidence, reviewed_on, measure };
      expect(CATALOG.tint_law.jurisdictions[jurisdiction]).toMatchObject(facts);
      expect(verdict.disclaimer).toBe(CATALOG.tint_law.disclaimer);
    }),
    { numRuns: 300 },
  );
});

describe("the law in an estimate", () => {
  test("judges only the glass that gets film", () => {
    fc.assert(
      fc.property(
        vehicle,
        fc.constantFrom("full" as const, "front2" as const),
        shades,
        fc.constantFrom("automotive" as const, "film_removal" as const, "clearplex" as const),
        fc.boolean(),
        (vehicle_type, coverage, wished, service, windshield) => {
          const { law } = estimateAutomotive(CATALOG, {
            vehicle_type,
            service,
            coverage,
            shades: wished,
            addons: windshield ? ["windshield"] : [],
          });
          const sides = coverage === "front2" ? ["front_side"] : ["front_side", "rear_side", "rear_window"];
          const front = windshield || wished.windshield !== undefined ? ["windshield"] : [];
          expect(law.checks.map(({ position }) => position as string)).toEqual(
            service === "automotive" ? [...sides, ...front] : [],
          );
          if (service === "automotive" && windshield) {
            expect(law.checks.at(-1)?.film_vlt).toBe(wished.windshield ?? 70);
            expect(law.status).toBe("not_permitted");
          } else if (service === "automotive") {
            // A shade for glass without film is not validated, and the verdict says so.
            const { windshield: asked, ...sides } = wished;
            const { status } = estimateAutomotive(CATALOG, { vehicle_type, coverage, shades: sides }).law;
            expect(law.status).toBe(status === "legal" && asked !== undefined ? "partly_checked" : status);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  const STRIP = "windshield_strip";
  test.each<[asked: object, status: LawStatus, reason: string | undefined, edits?: object]>([
    [{ addons: [STRIP] }, "not_checked", "strip_permitted"],
    [{ addons: [STRIP], shades: { windshield: 20 } }, "not_checked", "strip_permitted"],
    [{ shades: { windshield: 20 } }, "not_checked", "no_film_priced"],
    [{ shades: { front_side: 50, windshield: 20 } }, "partly_checked", "no_film_priced"],
    [{ addons: ["windshield"] }, "not_permitted", "strip_only"],
    // Where no film is permitted.
    [{ addons: [STRIP], jurisdiction: "US-MN" }, "not_permitted", "prohibited"],
    [{ addons: [STRIP], jurisdiction: "US-NJ", shades: { windshield: 90 } }, "not_permitted", "prohibited"],
    // The catalog says on which glass an add-on is.
    [{ addons: ["sunroof"] }, "not_permitted", "strip_only", { "automotive.addons.sunroof.position": "windshield" }],
    [{ addons: ["windshield"] }, "not_checked", undefined, { "automotive.addons.windshield.position": null }],
  ])("the windshield: %j is %s: %p", (asked, status, reason, edits = {}) => {
    const { law } = estimateAutomotive(catalogWith({ ...edits }), { vehicle_type: "sedan", ...asked });
    const windshield = law.checks.find(({ position }) => position === "windshield");
    expect({ status: law.status, reason: windshield?.reason as string | undefined }).toEqual({ status, reason });
  });
});

describe("single states", () => {
  type Row = [key: string, vehicle: string, position: Position, shade: number, status: LawStatus, reason: string];
  const ROWS: Row[] = [
    ["US-GA", "sedan", "rear_side", 40, "borderline", "within_tolerance"],
    ["US-GA", "suv", "rear_side", 5, "legal", "any_shade_permitted"],
    ["US-TX", "sedan", "front_side", 34, "legal", "meets_minimum"],
    ["US-TX", "sedan", "front_side", 27, "borderline", "within_tolerance"],
    ["US-TX", "sedan", "front_side", 26, "borderline", "depends_on_glass"],
    ["US-TX", "sedan", "front_side", 23, "illegal", "below_minimum"],
    ["US-CA", "sedan", "front_side", 93, "borderline", "depends_on_glass"],
    ["US-CA", "sedan", "front_side", 94, "legal", "meets_minimum"],
    ["US-CA", "sedan", "front_side", 82, "illegal", "below_minimum"],
    ["US-ID", "sedan", "front_side", 35, "legal", "meets_minimum"],
    ["US-ID", "sedan", "front_side", 32, "borderline", "within_tolerance"],
    ["US-ID", "sedan", "front_side", 31, "illegal", "below_minimum"],
    ["US-KY", "van", "rear_side", 8, "legal", "meets_minimum"],
    ["US-IN", "sedan", "front_side", 39, "borderline", "depends_on_glass"],
    ["US-MI", "sedan", "front_side", 70, "not_permitted", "strip_only"],
    ["US-NJ", "coupe", "front_side", 100, "not_permitted", "prohibited"],
    ["US-MN", "sedan", "windshield", 90, "not_permitted", "prohibited"],
    ["US-LA", "sedan", "rear_window", 16, "legal", "meets_minimum"],
    ["US-LA", "sedan", "rear_window", 15, "borderline", "depends_on_glass"],
    ["US-DC", "suv", "rear_side", 67, "legal", "meets_minimum"],
  ];
  test.each(ROWS)("%s %s %s %d: %s", (jurisdiction, vehicleType, position, film, status, reason) => {
    const question = { jurisdiction, vehicleType, positions: [position], strip: false, available: AVAILABLE };
    const { checks } = checkTintLaw(CATALOG, { ...question, shades: { [position]: film } });
    expect(checks[0]).toMatchObject({ status, reason: reason as "prohibited" });
  });

  test("Colorado: front film is judged by the first alternative, no front film by the second", () => {
    const ask = (wished: Shades) =>
      checkTintLaw(CATALOG, {
        jurisdiction: "US-CO",
        vehicleType: "sedan",
        positions: ["front_side", "rear_side", "rear_window"],
        strip: false,
        shades: wished,
        available: AVAILABLE,
      }).checks.map(({ min_vlt, status }) => `${min_vlt} ${status}`);
    expect(ask({ front_side: 50, rear_side: 50, rear_window: 50 })).toEqual(["27 legal", "27 legal", "27 legal"]);
    // The worst is illegal under the first alternative, and not permitted under the second.
    expect(ask({ front_side: 50, rear_side: 5, rear_window: 5 })).toEqual(["27 legal", "27 illegal", "27 illegal"]);
    expect(ask({ rear_side: 5, rear_window: 5 })).toEqual(["null not_checked", "null legal", "null legal"]);
  });

  test("Colorado: when the worst position is equal under both alternatives, the next worst decides", () => {
    const { law } = estimateAutomotive(CATALOG, {
      vehicle_type: "sedan",
      jurisdiction: "US-CO",
      shades: { rear_side: 5, rear_window: 5 },
      addons: ["windshield"],
    });
    expect(law.status).toBe("not_permitted");
    expect(law.checks.map(({ status }) => status)).toEqual(["not_checked", "legal", "legal", "not_permitted"]);
  });
});

describe("in words", () => {
  const EXPLANATIONS: [jurisdiction: string, shade: number | undefined, explanation: string][] = [
    ["US-GA", undefined, "No shade was given; at least 32% of visible light (VLT) must pass."],
    ["US-GA", 50, "50% film on 75% glass lets 37.5% of light through; the minimum is 32%."],
    ["US-GA", 40, "is within the tolerance of the meter"],
    ["US-GA", 35, "On clearer glass it can pass, so it depends on the glass"],
    ["US-GA", 5, "the minimum is 32%. Even the clearest factory glass (85%) does not make it legal."],
    ["US-ID", 35, "The film lets 35% of light through, and the law measures the film alone; the minimum is 35%."],
    ["US-ID", 33, "The film lets 33% of light through, and the law measures the film alone; the minimum is 35%, and"],
    ["US-ID", 31, "The film lets 31% of light through, and the law measures the film alone; the minimum is 35%."],
    ["US-NJ", 70, "Not permitted: no film is permitted here."],
    ["US-MI", 70, "Not permitted: only a strip is permitted here, down to 4 inches."],
  ];
  test.each(EXPLANATIONS)("%s, shade %p", (jurisdiction, film, explanation) => {
    const shades: Shades = film === undefined ? {} : { front_side: film };
    const { law } = estimateAutomotive(CATALOG, { vehicle_type: "sedan", coverage: "front2", jurisdiction, shades });
    expect(law.checks[0]?.explanation).toContain(explanation);
    // A law that measures the film alone does not mention the glass.
    if (law.measure === "film") expect(law.checks[0]?.explanation).not.toContain("glass");
  });

  test("glass that is often dark behind the driver makes a shade depend on it", () => {
    const asked = { vehicle_type: "suv", jurisdiction: "US-DC", shades: { rear_side: 70 } };
    const { law } = estimateAutomotive(CATALOG, asked);
    const rear = law.checks.find(({ position }) => position === "rear_side");
    expect(rear).toMatchObject({ status: "borderline", reason: "depends_on_glass" });
    expect(rear?.explanation).toContain("on the 20% glass that such vehicles often have behind the driver only 14%");
  });

  test("the notes hold the facts of the catalog and nothing else", () => {
    const notes = (jurisdiction: string, vehicle_type: string = "sedan") =>
      estimateAutomotive(CATALOG, { vehicle_type, jurisdiction }).law.notes.join("\n");
    expect(notes("US-GA")).toContain("Reflectance may be at most 20% (front side, rear side, rear window)");
    expect(notes("US-GA")).toContain("Restricted colors: red, amber.");
    expect(notes("US-GA")).toContain("fee $10, renewed every 4 years, carried in the vehicle");
    expect(notes("US-CT")).toContain("at most 21% (front side);");
    expect(notes("US-CT")).toContain("at most 27% (rear side, rear window);");
    expect(notes("US-AL")).toContain("There is a medical exemption; ask the authority.");
    expect(notes("US-IN")).toContain("not known whether this law measures the film alone");
    expect(notes("US-CA", "wagon")).toContain("check the TYPE on the door-jamb label");
    expect(notes("US-CA")).toBe("");
  });
});

test("a shade is a percentage from 1 to 100 or a word of the catalog, and nothing else", () => {
  fc.assert(
    fc.property(vlt, (shade) => {
      for (const text of [String(shade), `${shade}%`]) expect(parseShade(text, CATALOG)).toBe(shade);
    }),
  );
  for (const wrong of ["0", "101", "35.5", "-5", "35%%", "0x10", "1e1", "", "%", "black", "constructor", "__proto__"])
    expect(parseShade(wrong, CATALOG)).toBeUndefined();
});
