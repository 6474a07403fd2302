/** The next steps after days without an open time. Each of them can work. Source: contract 5. */
import type { Shop } from "../../catalog/shop.ts";
import { addDays, laterDate } from "../../domain/schedule.ts";
import { pricedByOf, resolveWork, type WorkRequest } from "../../domain/work.ts";
import type { Suggestion } from "../core/capability.ts";

/** Days shown where the caller asked for fewer. */
const A_WEEK = 7;

export interface EmptyDays {
  /** The first and the last day of the answer. */
  first: string;
  last: string;
  today: string;
  /** A vehicle whose work fits on these days, when none was named. */
  vehicleThatFits: string | undefined;
  /** The first day up to the horizon with a time for this work, if there is one. */
  firstOpen: string | undefined;
  /** Fields of the query that each step repeats: the work, and how the days are shown. */
  repeated: object;
  mostDays: number;
}

export function hintsFor(
  { first, last, today, vehicleThatFits, firstOpen, repeated, mostDays }: EmptyDays,
  catalog: Shop,
): Suggestion[] {
  const horizon = addDays(today, catalog.scheduling.horizon_days);
  const days = (from: string, count: number, description: string): Suggestion => ({
    action: "check_availability",
    description,
    input: { ...repeated, from, days: Math.min(count, mostDays, daysBetween(from, horizon) + 1) },
  });
  const count = Math.max(A_WEEK, daysBetween(first, last) + 1);
  const next = laterDate(firstOpen ?? today, addDays(last, 1));
  const isLater = firstOpen !== undefined && next <= horizon;
  return [
    ...(vehicleThatFits
      ? [
          {
            action: "check_availability" as const,
            description: "Only the longest work does not fit here: name the vehicle to see the times for it.",
            input: {
              ...repeated,
              vehicle_type: vehicleThatFits,
              ...(first === last ? { date: first } : { from: first, days: count }),
            },
          },
        ]
      : []),
    ...(isLater ? [days(next, count, "No time is open here: these are the next days.")] : []),
    ...(firstOpen !== undefined && first > horizon
      ? [
          days(
            laterDate(today, addDays(horizon, 1 - A_WEEK)),
            A_WEEK,
            `Online booking reaches to ${horizon}: these are the last days.`,
          ),
        ]
      : []),
    ...(isLater ? [] : [CALL]),
  ];
}

const CALL: Suggestion = {
  action: "business_location",
  description: "No later time can be booked online: call the shop.",
  input: {},
};

function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(to).days;
}

/** The vehicle with the shortest work, and how long it takes; undefined where the vehicle makes no difference. */
export function shortestWork(catalog: Shop, request: WorkRequest & { service: string }) {
  if (request.vehicle_type !== undefined || pricedByOf(catalog, request.service) !== "film") return undefined;
  const works = catalog.terms.vehicleTypes.map((vehicle) => ({
    vehicle,
    work: resolveWork(catalog, { ...request, vehicle_type: vehicle }),
  }));
  return works.reduce((least, one) => (one.work.minutes < least.work.minutes ? one : least));
}
