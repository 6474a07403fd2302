/** The work that a booking asks for and its price: today's, or the price of the estimate that it names. */
import { toLine } from "../../catalog/price-list.ts";
import type { Shop } from "../../catalog/shop.ts";
import type { LineItem } from "../../domain/automotive.ts";
import { formatMoney, toUnits } from "../../domain/money.ts";
import { bookableServices, shopDate } from "../../domain/schedule.ts";
import type { Verdict } from "../../domain/tint-law.ts";
import type { KnownModel } from "../../domain/vehicle-class.ts";
import { resolveWork, type Work } from "../../domain/work.ts";
import { defined } from "../../lib/fields.ts";
import type { Context } from "../core/capability.ts";
import type { Warning } from "../core/envelope.ts";
import { jobWarnings, lawWarnings } from "../estimate/job-warnings.ts";
import { modelOf, noPriceWarnings, typeWarnings, understoodType } from "../estimate/vehicle-warnings.ts";
import { contradictions, type HeldJob, isOnPriceList, toFields, toJob } from "../lock/job-fields.ts";
import { digestOf, type PriceLock, toToken, validityOf } from "../lock/token.ts";
import { failContradiction, failEstimate, verified } from "../lock/verified.ts";
import { estimateOfJob, type JobRequest } from "../shared/job.ts";
import type { VehicleFields } from "../shared/vehicle.ts";
import type { BookingRequest } from "./shapes.ts";

/** For bookings, and for changes of them. */
export type PricingContext = Context<"SERVICE_NOT_FOUND" | "PRICE_CHANGED">;

/** A request that asks for work on a vehicle: a booking, or open times. */
export type AskedJob = Partial<JobRequest> &
  VehicleFields &
  Partial<Pick<HeldJob, "service_type" | "film_type" | "coverage">> & { estimate_id?: string | undefined };

interface ResolvedJob<Asked> {
  /** The request, with its missing fields filled in from its estimate. */
  input: Asked;
  work: Work;
  /** The estimate that it names, with the secret that signed it. */
  held?: { lock: PriceLock; secret: string };
  /** The estimate is in force although the shop has given up the work since; only the estimate knows its price then. */
  offList?: HeldJob;
  /** The model that the vehicle type was taken from, where none was given. */
  model?: KnownModel | undefined;
}

export interface PricedJob {
  /** The request, with its missing fields filled in from its estimate. */
  input: BookingRequest;
  work: Work;
  /** Null when no vehicle was named. */
  price: BookingPrice | null;
  /** The estimate holds, although the shop has given up the work since. */
  isOffList?: boolean;
  /** The model that the vehicle type was taken from, where none was given. */
  model?: KnownModel | undefined;
}

export interface BookingPrice {
  lines: LineItem[];
  total: number;
  /** The estimate's price holds, whatever today's is. */
  locked: boolean;
  law: Pick<Verdict, "jurisdiction" | "status" | "name" | "checks"> | null;
}

/**
 * The work of a request, from its estimate where it names one.
 * @param readsModel a known model without a type counts as its type
 * @throws ApiError BAD_REQUEST for an estimate that is not this shop's, or of other work
 */
export async function resolvedJob<Asked extends AskedJob>(
  asked: Asked,
  ctx: Context<"SERVICE_NOT_FOUND">,
  readsModel = true,
): Promise<ResolvedJob<Asked>> {
  const { catalog } = ctx;
  if (asked.estimate_id === undefined) {
    const model = readsModel && asked.vehicle_type === undefined ? modelOf(asked, catalog) : undefined;
    const input = model ? { ...asked, vehicle_type: model.vehicleType } : asked;
    return { input, work: workOf(input, catalog), model };
  }
  const held = await verified(asked.estimate_id, "automotive", ctx);
  const { lock } = held;
  const input = filled(asked, lock, ctx);
  const job = lock.fields && toJob(lock.fields);
  if (!job || isOnPriceList(job, catalog)) return { input, work: workOf(input, catalog), held };
  if (shopDate(catalog, ctx.now) > lock.validUntil)
    failEstimate(ctx, "has expired, and the work is no longer on the price list; ask for a new estimate");
  return { input, work: heldWork(job, lock), held, offList: job };
}

/** As `resolvedJob`, with its price. @throws ApiError PRICE_CHANGED, too */
export async function pricedJob(asked: BookingRequest, ctx: PricingContext, readsModel = true): Promise<PricedJob> {
  const { catalog } = ctx;
  const { input, work, held, offList, model } = await resolvedJob(asked, ctx, readsModel);
  if (!held) return { input, work, price: todaysPrice(input, work, catalog), model };
  const { lock } = held;
  if (offList) return { input, work, price: heldPrice(offList, lock), isOffList: true };
  const today = todaysPrice(input, work, catalog);
  if (!today) return failEstimate(ctx, "names no vehicle");
  // The lock protects the customer alone: a list that is lower by now wins.
  if (shopDate(catalog, ctx.now) <= lock.validUntil)
    return { input, work, price: today.total < lock.total ? today : locked(today, lock) };
  if (today.total > lock.total) refuseOldPrice(input, work, today, held, ctx);
  return { input, work, price: today };
}

/** What the customer should know of the work. There are none for work that is no longer on the price list. */
export function pricedWarnings({ input, work, price, isOffList = false, model }: PricedJob, catalog: Shop): Warning[] {
  if (isOffList) return [];
  const job = { ...input, service: work.service };
  return [
    ...(model ? [understoodType(model, job, catalog)] : []),
    ...noPriceWarnings(input),
    ...jobWarnings(work, input, catalog),
    ...typeWarnings(job, catalog),
    ...(price?.law ? lawWarnings(price.law) : []),
  ];
}

/** @throws Error when the service has no price; the check of `service_type` refuses such a service */
function workOf({ service_type: key, ...input }: AskedJob, catalog: Shop): Work {
  return resolveWork(catalog, { ...defined(input), ...(key !== undefined && { service: key }) });
}

function todaysPrice(input: BookingRequest, { service }: Work, catalog: Shop): BookingPrice | null {
  const { vehicle_type } = input;
  if (vehicle_type === undefined) return null;
  const { chosen, law } = estimateOfJob(catalog, { ...input, vehicle_type, service });
  const { lines, total } = chosen;
  return { lines, total, locked: false, law };
}

/** @throws ApiError BAD_REQUEST that names the field and the estimate where the two differ */
function filled<Asked extends AskedJob>(asked: Asked, lock: PriceLock, ctx: Context<"SERVICE_NOT_FOUND">): Asked {
  const { catalog } = ctx;
  if (!lock.fields) {
    const { vehicle_type = "" } = asked;
    const named =
      vehicle_type !== "" && digestOf(toFields({ ...asked, vehicle_type }, workOf(asked, catalog), catalog));
    if (named !== lock.digest) failEstimate(ctx, "is of other work; name the work exactly as in the estimate");
    return asked;
  }
  const job = toJob(lock.fields);
  if (!bookableServices(catalog).some(({ key }) => key === job.service_type)) {
    const message = "must be a service that can be booked online";
    ctx.fail("SERVICE_NOT_FOUND", `The service of the estimate, ${job.service_type}, cannot be booked online.`, {
      invalid_fields: [{ field: "estimate_id", message, allowed: bookableServices(catalog).map(({ key }) => key) }],
    });
  }
  const differing = contradictions(asked, job, catalog);
  if (differing.length > 0) failContradiction(ctx, differing);
  return { ...job, ...defined(asked), addons: asked.addons ?? job.addons };
}

/** The lines of the estimate: today's, at the amounts that were quoted. One line where the shop lists the work otherwise now. */
function locked(today: BookingPrice, { total, amounts }: PriceLock): BookingPrice {
  if (today.total === total) return { ...today, locked: true };
  const isAlike = amounts.length === today.lines.length;
  const lines = today.lines.map((line, i) => {
    const amount = amounts[i] ?? 0;
    return toLine(line.code, line.label, amount);
  });
  const [first] = today.lines;
  const whole = toLine(first?.code ?? "job", first?.label ?? "", total);
  return { ...today, lines: isAlike ? lines : [whole], total, locked: true };
}

/** Stands for the service that takes old film off, which the shop may have given up. */
const REMOVAL = "remove_old_film";

/** Work that the price list no longer has. */
function heldWork(job: HeldJob, { minutes }: PriceLock): Work {
  return {
    service: job.service_type,
    filmType: job.film_type ?? null,
    coverage: job.coverage ?? null,
    assumed: [],
    addons: job.addons,
    notApplicable: [],
    removal: job.remove_old_film ? REMOVAL : null,
    minutes,
    overNight: false,
  };
}

function heldPrice(job: HeldJob, { total }: PriceLock): BookingPrice {
  const words = [job.film_type, job.vehicle_type, ...job.addons, job.remove_old_film ? REMOVAL : undefined];
  const label = words.filter((word) => word !== undefined).join(", ");
  const line = toLine(job.service_type, label, total);
  return { lines: [line], total, locked: true, law: null };
}

/** @throws ApiError PRICE_CHANGED with an estimate of today */
function refuseOldPrice(
  { vehicle_type = "", ...input }: BookingRequest,
  work: Work,
  { total, lines }: BookingPrice,
  { lock, secret }: { lock: PriceLock; secret: string },
  ctx: PricingContext,
): never {
  const { catalog, now } = ctx;
  const { date, until } = validityOf(catalog, shopDate(catalog, now));
  const fields = toFields({ ...input, vehicle_type }, work, catalog);
  const amounts = lines.map(({ amount }) => amount);
  const terms = { kind: "automotive" as const, validUntil: date, total, amounts, minutes: work.minutes };
  const money = (cents: number) => formatMoney(cents, catalog.currency);
  return ctx.fail(
    "PRICE_CHANGED",
    `The estimate was good until ${lock.validUntil}. The price is now ${money(total)}; it was ${money(lock.total)}.`,
    {
      estimate: {
        total: toUnits(total),
        previous_total: toUnits(lock.total),
        estimate_id: toToken(terms, fields, secret),
        valid_until: until,
      },
    },
  );
}
