/**
 * Rules of the catalog that span several keys. They read the file as the owner wrote it, and a rule is skipped while
 * one of the keys it needs is faulty, so that every fault is reported at once and none twice.
 */

import { toE164 } from "../../lib/phone.ts";
import { didYouMean, oneOf } from "../../schema/explain.ts";
import { AUTOMOTIVE_SERVICES, CONCERNS, FILM_TYPES, SITE_TYPES, TIERS, VEHICLE_TYPES } from "../../vocabulary.ts";
import type { Fault, Path } from "../path.ts";
import { referenceFault, referencesIn } from "../references.ts";
import type { CatalogSource } from "../schema.ts";

interface Rule {
  /** Dotted prefixes of the keys the rule reads. */
  needs: string[];
  /** @param isSound whether nothing at a dotted path, above or below it is faulty */
  check: (catalog: CatalogSource, isSound: (dotted: string) => boolean) => Fault[];
}

const RULES: Rule[] = [
  {
    needs: ["flat_glass.recommend", "flat_glass.films"],
    check: ({ flat_glass: { recommend, films } }) =>
      CONCERNS.flatMap((concern) =>
        TIERS.filter((tier) => !Object.hasOwn(films, recommend[concern][tier])).map((tier) => ({
          path: ["flat_glass", "recommend", concern, tier],
          message: unknownName("a film of flat_glass.films", recommend[concern][tier], Object.keys(films)),
        })),
      ),
  },
  {
    needs: ["flat_glass.recommend", "flat_glass.films"],
    check: ({ flat_glass: { recommend, films } }) =>
      CONCERNS.flatMap((concern) => worseningTiers(concern, recommend, films)),
  },
  {
    needs: ["flat_glass.ballpark_per_sqft", "flat_glass.rates_per_sqft"],
    check: ({ flat_glass: { ballpark_per_sqft: ballpark, rates_per_sqft: rates } }) =>
      (ballpark.low > ballpark.high ? [] : SITE_TYPES).flatMap((site) =>
        TIERS.filter((tier) => rates[site][tier] < ballpark.low || rates[site][tier] > ballpark.high).map((tier) => ({
          path: ["flat_glass", "rates_per_sqft", site, tier],
          message: `must lie between ${ballpark.low} and ${ballpark.high}, the ballpark_per_sqft that customers are told first`,
        })),
      ),
  },
  {
    needs: ["flat_glass.ballpark_per_sqft"],
    check: ({ flat_glass: { ballpark_per_sqft: range } }) =>
      ascending(range, ["flat_glass", "ballpark_per_sqft", "high"]),
  },
  {
    needs: ["flat_glass.removal_per_sqft"],
    check: ({ flat_glass: { removal_per_sqft: range } }) =>
      ascending(range, ["flat_glass", "removal_per_sqft", "high"]),
  },
  {
    needs: ["services"],
    check: ({ services }) =>
      (["id", "key"] as const).flatMap((name) =>
        services.flatMap((service, i) =>
          services.findIndex((other) => other[name] === service[name]) < i
            ? [{ path: ["services", i, name], message: `is used twice: ${service[name]}` }]
            : [],
        ),
      ),
  },
  {
    needs: ["services", "automotive.defaults"],
    check: ({ services, automotive: { defaults } }) =>
      services.some(({ key, bookable }) => bookable && key === defaults.service)
        ? []
        : [{ path: ["automotive", "defaults", "service"], message: "must be the key of a bookable service" }],
  },
  {
    needs: ["services"],
    check: ({ services }) =>
      services.flatMap(({ key, bookable, estimate }, i) => {
        const isPriced = (AUTOMOTIVE_SERVICES as readonly string[]).includes(key);
        const only = `only ${oneOf(AUTOMOTIVE_SERVICES)} can have vehicle prices`;
        if (bookable && !(isPriced && estimate === "automotive")) {
          const why = isPriced ? `its estimate is ${estimate}` : only;
          return [
            { path: ["services", i, "bookable"], message: `must be false: ${key} has no price to book at (${why})` },
          ];
        }
        return estimate === "automotive" && !isPriced
          ? [{ path: ["services", i, "estimate"], message: `must be flat_glass or quote_only: ${only}` }]
          : [];
      }),
  },
  {
    needs: ["services", "scheduling.default_minutes"],
    check: ({ services, scheduling: { default_minutes: defaults } }) => [
      ...services
        .filter(({ id, estimate }) => estimate === "automotive" && defaults[id] === undefined)
        .map(({ id, name }) => ({
          path: ["scheduling", "default_minutes"],
          message: `must have an entry for service ${id} (${name}): every estimate of it says how long it takes`,
        })),
      ...Object.keys(defaults)
        .filter((id) => !services.some((service) => String(service.id) === id))
        .map((id) => ({
          path: ["scheduling", "default_minutes", id],
          message: "is not the id of a service",
          at: "key" as const,
        })),
    ],
  },
  {
    needs: ["services", "scheduling.default_minutes", "scheduling.job_minutes"],
    check: ({ services, scheduling: { default_minutes: defaults, job_minutes: jobs } }) => {
      const tinting = services.find(({ key }) => key === "automotive");
      const longest = Math.max(jobs.front2, ...VEHICLE_TYPES.map((type) => jobs.full[type] + jobs.ceramic_extra));
      const minutes = tinting && defaults[tinting.id];
      return tinting && minutes !== undefined && minutes < longest
        ? [
            {
              path: ["scheduling", "default_minutes", String(tinting.id)],
              message: `must be at least ${longest}, the longest tint job, so that a time offered to anyone fits every vehicle`,
            },
          ]
        : [];
    },
  },
  {
    needs: ["business.phone", "business.address.country"],
    check: ({ business: { phone, address } }) =>
      isDialable(phone, address.country)
        ? []
        : [{ path: ["business", "phone"], message: "must be a number that can be called, like +1-404-555-0142" }],
  },
  {
    needs: ["business.special_hours"],
    check: ({ business: { special_hours: days = [] } }) =>
      days.flatMap((day, i) => {
        const path: Path = ["business", "special_hours", i];
        if (days.findIndex((other) => other.date === day.date) < i)
          return [{ path, message: `gives ${day.date} a second time` }];
        if (day.closed && day.hours?.length)
          return [{ path, message: "must be either closed or have hours, not both" }];
        if (!day.closed && !day.hours?.length) return [{ path, message: "must have hours, or closed: true" }];
        return [];
      }),
  },
  {
    needs: ["tint_law.home", "tint_law.jurisdictions"],
    check: ({ tint_law: { home, jurisdictions } }) =>
      Object.hasOwn(jurisdictions, home)
        ? []
        : [
            {
              path: ["tint_law", "home"],
              message: unknownName("a key of tint_law.jurisdictions", home, Object.keys(jurisdictions)),
            },
          ],
  },
  {
    needs: ["automotive.films"],
    check: ({ automotive: { films } }) =>
      FILM_TYPES.flatMap((film) =>
        films[film].shades.flatMap((shade, i, all) =>
          all.findIndex((other) => other.label === shade.label) < i
            ? [
                {
                  path: ["automotive", "films", film, "shades", i, "label"],
                  message: `is listed twice: ${shade.label}`,
                },
              ]
            : [],
        ),
      ),
  },
  {
    needs: ["faq"],
    check: (catalog, isSound) =>
      catalog.faq.flatMap(({ answer }, i) =>
        referencesIn(answer)
          .filter(isSound)
          .flatMap((dotted) => {
            const message = referenceFault(dotted, catalog);
            return message === undefined ? [] : [{ path: ["faq", i, "answer"], message }];
          }),
      ),
  },
];

/** The faults of the rules whose keys are sound, given the paths that the schema found faulty. */
export function crossCheck(source: CatalogSource, faulty: Path[]): Fault[] {
  const dotted = faulty.map((path) => path.join("."));
  const overlaps = (a: string, b: string) => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
  const isSound = (place: string) => !dotted.some((path) => path === "" || overlaps(path, place));
  return RULES.filter(({ needs }) => needs.every(isSound)).flatMap(({ check }) => check(source, isSound));
}

/** The usual North American form is known at a glance, so that a quick quote need not load the world's numbering plans. */
function isDialable(phone: string, country: string): boolean {
  return /^\+1[2-9]\d{9}$/.test(phone.replace(/[ ().-]/g, "")) || toE164(phone, country) !== undefined;
}

function unknownName(what: string, name: string, known: string[]): string {
  const guess = didYouMean(name, known);
  const hint = guess ? `did you mean ${guess}?` : known.length <= 15 ? `known are ${oneOf(known)}` : "";
  return `must be ${what}, and ${name} is not${hint && `; ${hint}`}`;
}

function ascending(range: { low: number; high: number }, path: Path): Fault[] {
  return range.low > range.high ? [{ path, message: "must not be less than low" }] : [];
}

/** The one figure a concern is about: it must not get worse from good to best. */
const METRIC = {
  heat: { key: "tser", worse: -1 },
  energy: { key: "tser", worse: -1 },
  leed: { key: "tser", worse: -1 },
  glare: { key: "glare", worse: -1 },
  uv: { key: "uv", worse: -1 },
  privacy: { key: "vlt", worse: 1 },
} as const;

function worseningTiers(
  concern: (typeof CONCERNS)[number],
  recommend: CatalogSource["flat_glass"]["recommend"],
  films: CatalogSource["flat_glass"]["films"],
): Fault[] {
  if (concern === "security") return [];
  const { key, worse } = METRIC[concern];
  const figures = TIERS.map((tier) => films[recommend[concern][tier]]?.[key]);
  return TIERS.flatMap((tier, i) => {
    const before = figures[i - 1];
    const here = figures[i];
    return before != null && here != null && (here - before) * worse > 0
      ? [
          {
            path: ["flat_glass", "recommend", concern, tier],
            message: `must not do worse at ${concern} than the step before it (${key} ${here} after ${before})`,
          },
        ]
      : [];
  });
}
