/** Rules of `services`, with the defaults and lengths of work that belong to a service. */
import { oneOf } from "../../schema/explain.ts";
import { AUTOMOTIVE_SERVICES, VEHICLE_TYPES } from "../../vocabulary.ts";
import type { Fault } from "../path.ts";
import type { CatalogSource } from "../schema.ts";
import { type Rule, repeated } from "./rule.ts";

export const serviceRules: Rule[] = [
  { needs: ["services"], check: idsAndKeysAreUsedOnce },
  { needs: ["services", "automotive.defaults"], check: defaultServiceIsBookable },
  { needs: ["services"], check: bookableServicesHaveAPrice },
  { needs: ["services"], check: vehiclePricesExist },
  { needs: ["services", "scheduling.default_minutes"], check: estimatedServicesHaveMinutes },
  { needs: ["services", "scheduling.default_minutes"], check: minutesBelongToAService },
  {
    needs: ["services", "scheduling.default_minutes", "scheduling.job_minutes"],
    check: defaultMinutesHoldTheLongestTint,
  },
];

/** Bookings and callers name a service by its id or its key. */
function idsAndKeysAreUsedOnce({ services }: CatalogSource): Fault[] {
  return (["id", "key"] as const).flatMap((name) =>
    repeated(services, (service) => service[name]).map(({ item, index }) => ({
      path: ["services", index, name],
      message: `is used twice: ${item[name]}`,
    })),
  );
}

/** A request that names no service is priced and booked as the default one. */
function defaultServiceIsBookable({ services, automotive: { defaults } }: CatalogSource): Fault[] {
  const isBookable = services.some(({ key, bookable }) => bookable && key === defaults.service);
  return isBookable
    ? []
    : [{ path: ["automotive", "defaults", "service"], message: "must be the key of a bookable service" }];
}

const ONLY_THESE = `only ${oneOf(AUTOMOTIVE_SERVICES)} can have vehicle prices`;

/** `automotive.vehicle_types` has a column for these services and no others. */
function hasVehiclePrices(key: string): boolean {
  return (AUTOMOTIVE_SERVICES as readonly string[]).includes(key);
}

/** A booking confirms a price, so there must be one for the vehicle. */
function bookableServicesHaveAPrice({ services }: CatalogSource): Fault[] {
  return services.flatMap(({ key, bookable, estimate }, i) => {
    if (!bookable || (hasVehiclePrices(key) && estimate === "automotive")) return [];
    const why = hasVehiclePrices(key) ? `the estimate is ${estimate}` : ONLY_THESE;
    return [{ path: ["services", i, "bookable"], message: `must be false: ${key} has no price to book at (${why})` }];
  });
}

/** An estimate by vehicle needs a price for the vehicle; the rule above covers bookable services. */
function vehiclePricesExist({ services }: CatalogSource): Fault[] {
  return services.flatMap(({ key, bookable, estimate }, i) =>
    !bookable && estimate === "automotive" && !hasVehiclePrices(key)
      ? [{ path: ["services", i, "estimate"], message: `must be flat_glass or quote_only: ${ONLY_THESE}` }]
      : [],
  );
}

/** Every estimate by vehicle says how long the work takes. */
function estimatedServicesHaveMinutes({ services, scheduling }: CatalogSource): Fault[] {
  return services
    .filter(({ id, estimate }) => estimate === "automotive" && scheduling.default_minutes[id] === undefined)
    .map(({ id, name }) => ({
      path: ["scheduling", "default_minutes"],
      message: `must have an entry for service ${id} (${name}): an estimate says how long the service takes`,
    }));
}

/** Minutes under a mistyped id would never be used. */
function minutesBelongToAService({ services, scheduling }: CatalogSource): Fault[] {
  return Object.keys(scheduling.default_minutes)
    .filter((id) => !services.some((service) => String(service.id) === id))
    .map((id) => ({ path: ["scheduling", "default_minutes", id], message: "is not the id of a service", at: "key" }));
}

/** A slot for an unnamed vehicle must be long enough for any vehicle. */
function defaultMinutesHoldTheLongestTint({ services, scheduling }: CatalogSource): Fault[] {
  const { default_minutes: defaults, job_minutes: work } = scheduling;
  const tinting = services.find(({ key }) => key === "automotive");
  const minutes = tinting && defaults[tinting.id];
  if (!tinting || minutes === undefined) return [];
  const longest = Math.max(work.front2, ...VEHICLE_TYPES.map((type) => work.full[type] + work.ceramic_extra));
  return minutes >= longest
    ? []
    : [
        {
          path: ["scheduling", "default_minutes", String(tinting.id)],
          message: `must be at least ${longest}, the longest tint job, so that a time offered to anyone fits every vehicle`,
        },
      ];
}
