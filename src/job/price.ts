/** What a job costs: today's price, or that of the estimate it names, which holds it and fills in the work. Source: contract 12. */
import { isDeepStrictEqual } from "node:util";
import { type KnownModel, modelOf } from "../catalog/models.ts";
import { toLine } from "../catalog/price-list.ts";
import type { Shop } from "../catalog/shop.ts";
import { entryOf } from "../catalog/terms.ts";
import type { LineItem } from "../domain/automotive.ts";
import { planOf, shopDate } from "../domain/schedule.ts";
import type { Verdict } from "../domain/tint-law.ts";
import type { Work } from "../domain/work.ts";
import { ApiError, type InvalidField } from "../errors.ts";
import { defined, pick } from "../lib/fields.ts";
import { formatMoney, toUnits } from "../lib/money.ts";
import {
  digestOf,
  type HeldJob,
  isSigned,
  jobToken,
  type LockTerms,
  type PriceLock,
  readToken,
  tokenFields,
} from "./forms.ts";
import { estimateOf, type Job, type JobRequest, jobOf, nameOf, shadeOf, shadesOf } from "./job.ts";

export interface PricingContext {
  catalog: Shop;
  now: Temporal.Instant;
  /** Null on the command line, whose quotes hold no price. */
  signing: { current: () => Promise<string>; recent: () => Promise<string> } | null;
}

interface JobPrice {
  lines: LineItem[];
  total: number;
  /** The estimate's price holds, whatever today's is. */
  locked: boolean;
  law: Pick<Verdict, "jurisdiction" | "status" | "name" | "checks"> | null;
}

interface ResolvedJob {
  job: Job;
  /** The model that the vehicle type was taken from, where none was given. */
  model?: KnownModel | undefined;
  /** The estimate that it names, with the secret that signed it. */
  held?: { lock: PriceLock; secret: string };
  /** The estimate is in force although the shop has given up the work since; only the estimate knows its price then. */
  isOffList?: boolean;
}

export interface PricedJob extends ResolvedJob {
  /** Null when no vehicle was named. */
  price: JobPrice | null;
}

/** From its estimate where it names one; a known model may count as its type (`readsModel`). Throws BAD_REQUEST, SERVICE_NOT_FOUND. */
export async function resolveJob(asked: JobRequest, ctx: PricingContext, readsModel = true): Promise<ResolvedJob> {
  const { catalog } = ctx;
  if (asked.estimate_id === undefined) {
    const model = readsModel && asked.vehicle_type === undefined ? modelOf(asked, catalog) : undefined;
    return { job: jobOf(model ? { ...asked, vehicle_type: model.vehicleType } : asked, catalog), model };
  }
  const held = await verified(asked.estimate_id, "automotive", ctx);
  const { lock } = held;
  if (lock.kind !== "automotive") return { job: nameJob(asked, lock, catalog), held };
  const request = fillFromEstimate(asked, lock.job, catalog);
  if (isOnPriceList(lock.job, catalog)) return { job: jobOf(request, catalog), held };
  if (shopDate(catalog, ctx.now) > lock.validUntil)
    throw estimateFault("has expired, and the work is no longer on the price list; ask for a new estimate");
  return { job: jobOf(request, catalog, heldWork(lock.job, lock)), held, isOffList: true };
}

/** As `resolveJob`, with its price. @throws ApiError PRICE_CHANGED, too */
export async function priceJob(asked: JobRequest, ctx: PricingContext, readsModel = true): Promise<PricedJob> {
  const { catalog, now } = ctx;
  const resolved = await resolveJob(asked, ctx, readsModel);
  const { job, held, isOffList } = resolved;
  if (!held) return { ...resolved, price: todaysPrice(job, catalog) };
  const { lock } = held;
  if (isOffList && lock.kind === "automotive") return { ...resolved, price: heldPrice(lock.job, lock) };
  const today = todaysPrice(job, catalog);
  if (!today) throw estimateFault("names no vehicle");
  // The lock protects the customer alone: a list that is lower by now wins.
  if (today.total <= lock.total && shopDate(catalog, now) > lock.validUntil) return { ...resolved, price: today };
  if (shopDate(catalog, now) > lock.validUntil) throw priceChanged(job, today, held, ctx);
  return { ...resolved, price: today.total < lock.total ? today : locked(today, lock) };
}

function todaysPrice(job: Job, shop: Shop): JobPrice | null {
  if (job.vehicle_type === undefined) return null;
  const { chosen, law } = estimateOf(job, shop);
  return { lines: chosen.lines, total: chosen.total, locked: false, law };
}

/** The request with what its estimate holds. @throws ApiError that names the field and the estimate where the two differ */
function fillFromEstimate(asked: JobRequest, held: HeldJob, shop: Shop): JobRequest {
  const bookable = shop.bookable.map(({ key }) => key);
  if (!bookable.includes(held.service_type)) {
    const message = "must be a service that can be booked online";
    throw new ApiError(
      "SERVICE_NOT_FOUND",
      `The service of the estimate, ${held.service_type}, cannot be booked online.`,
      { invalid_fields: [{ field: "estimate_id", message, allowed: bookable }] },
    );
  }
  const differing = contradictions(asked, held, shop);
  if (differing.length > 0) throw contradiction(differing);
  return { ...held, ...defined(asked), addons: asked.addons ?? held.addons };
}

/** A job that is too long for its estimate must be named as in it. */
function nameJob(asked: JobRequest, lock: PriceLock, shop: Shop): Job {
  const job = jobOf(asked, shop);
  const digest = asked.vehicle_type !== undefined && digestOf(tokenFields(job, shop.tint_law.home));
  if (lock.kind !== "digest" || digest !== lock.digest)
    throw estimateFault("is of other work; name the work exactly as in the estimate");
  return job;
}

/** The lines of the estimate: today's, at the amounts that were quoted. One line where the shop lists the work otherwise now. */
function locked(today: JobPrice, { total, amounts }: LockTerms): JobPrice {
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
function heldWork(job: HeldJob, { minutes }: LockTerms): Work {
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

function heldPrice(job: HeldJob, { total }: LockTerms): JobPrice {
  const words = [job.film_type, job.vehicle_type, ...job.addons, job.remove_old_film ? REMOVAL : undefined];
  const label = words.filter((word) => word !== undefined).join(", ");
  const line = toLine(job.service_type, label, total);
  return { lines: [line], total, locked: true, law: null };
}

/** PRICE_CHANGED with an estimate of today. */
function priceChanged(
  job: Job,
  { total, lines }: JobPrice,
  { lock, secret }: { lock: PriceLock; secret: string },
  { catalog, now }: PricingContext,
): ApiError {
  const { date, until } = planOf(catalog, shopDate(catalog, now)).priceHolds;
  const amounts = lines.map(({ amount }) => amount);
  const terms = { validUntil: date, total, amounts, minutes: job.work.minutes };
  const money = (cents: number) => formatMoney(cents, catalog.currency);
  return new ApiError(
    "PRICE_CHANGED",
    `The estimate was good until ${lock.validUntil}. The price is now ${money(total)}; it was ${money(lock.total)}.`,
    {
      estimate: {
        total: toUnits(total),
        previous_total: toUnits(lock.total),
        estimate_id: jobToken(job, terms, catalog.tint_law.home, secret).id,
        valid_until: until,
      },
    },
  );
}

// Estimates that a request names.

const UNKNOWN = "is not an estimate of this shop, or was given up since; ask for a new estimate";
const OTHER_KIND = {
  automotive: "is of an estimate for a building; send it with a quote request",
  flat_glass: "is of an estimate for a vehicle",
};
type Kind = keyof typeof OTHER_KIND;

function kindOf(lock: PriceLock): Kind {
  return lock.kind === "digest" ? lock.of : lock.kind;
}

/** An issue that can be found without the secret. @param kind the one that is taken; both without it */
export function tokenIssue(token: string | undefined, kind?: Kind): { message: string } | undefined {
  if (token === undefined) return undefined;
  const lock = readToken(token);
  if (!lock) return { message: UNKNOWN };
  return kind === undefined || kindOf(lock) === kind ? undefined : { message: OTHER_KIND[kind] };
}

/** The terms and the work of an estimate. @throws ApiError BAD_REQUEST unless this shop signed it */
export async function verified(
  token: string,
  kind: Kind | "any",
  { signing }: Pick<PricingContext, "signing">,
): Promise<{ lock: PriceLock; secret: string }> {
  const lock = readToken(token);
  const secret = await signing?.current();
  if (!lock || secret === undefined || !isSigned(token, secret)) throw estimateFault(UNKNOWN);
  if (kind !== "any" && kindOf(lock) !== kind) throw estimateFault(OTHER_KIND[kind]);
  return { lock, secret };
}

/** What an estimate in the address of a page is worth for the job that is chosen there. */
export type Quote =
  /** The estimate of this very job: shade, state and the car's name change no price. */
  | { is: "held"; terms: LockTerms; estimate_id: string }
  /** `isLess` than the work that it is for costs today. */
  | { is: "over" | "of other work"; terms: LockTerms; isLess: boolean }
  | { is: "not ours" };

/** @param token as it is in an address, so perhaps cut off or made up @returns undefined where nothing can be said */
export async function quoteOf(
  token: string,
  job: JobRequest,
  { catalog, now, signing }: PricingContext,
): Promise<Quote | undefined> {
  const terms = readToken(token);
  const secret = await signing?.recent();
  if (secret === undefined) return undefined;
  if (!terms || kindOf(terms) !== "automotive" || !isSigned(token, secret)) return { is: "not ours" };
  const home = catalog.tint_law.home;
  const isOver = terms.validUntil < shopDate(catalog, now);
  if (terms.kind !== "automotive") {
    const asked = jobOf(job, catalog);
    const isSame = terms.kind === "digest" && terms.digest === digestOf(tokenFields(asked, home));
    if (isSame && !isOver) return { is: "held", terms, estimate_id: token };
    // A digest does not tell what other work the estimate is for.
    const isLess = !isSame || terms.total < (todaysPrice(asked, catalog)?.total ?? 0);
    return { is: isOver ? "over" : "of other work", terms, isLess };
  }
  const { job: held, total } = terms;
  const { shade: _, jurisdiction: __, ...work } = job;
  if (isOver || contradictions(work, held, catalog).length > 0) {
    const today = isOnPriceList(held, catalog) ? todaysPrice(jobOf(held, catalog), catalog) : null;
    return { is: isOver ? "over" : "of other work", terms, isLess: !today || total < today.total };
  }
  const isSame =
    Bun.deepEquals(shadesOf({ ...held, ...job, shade: job.shade }), shadesOf(held)) &&
    (job.jurisdiction ?? home) === (held.jurisdiction ?? home) &&
    nameOf(job) === nameOf(held);
  if (isSame) return { is: "held", terms, estimate_id: token };
  const asked = { ...pick(held, "windshield_shade", "factory_glass"), ...job };
  return { is: "held", terms, estimate_id: jobToken(jobOf(asked, catalog), terms, home, secret).id };
}

function estimateFault(message: string): ApiError {
  return new ApiError("BAD_REQUEST", `estimate_id ${message}.`, {
    invalid_fields: [{ field: "estimate_id", message }],
  });
}

/** @param differing the fields of the request, with the estimate's own values */
export function contradiction(differing: readonly { field: string; held: unknown }[]): ApiError {
  const issues = differing.map(
    ({ field, held }): InvalidField => ({
      field,
      message: `contradicts the estimate, which is for ${JSON.stringify(held ?? null)}`,
      ...((typeof held === "string" || typeof held === "number" || typeof held === "boolean") && { allowed: [held] }),
    }),
  );
  const names = differing.map(({ field }) => field).join(", ");
  return new ApiError("BAD_REQUEST", `${names} and estimate_id contradict each other.`, {
    invalid_fields: [...issues, { field: "estimate_id", message: `contradicts ${names}` }],
  });
}

/** The fields in which a request says something else than the estimate. */
export function contradictions(asked: JobRequest, held: HeldJob, shop: Shop): { field: string; held: unknown }[] {
  const [wish, kept] = [shadeOf(shadesOf(asked)), shadeOf(shadesOf(held))];
  const isOtherShade = kept !== undefined && wish !== undefined && !Bun.deepEquals(wish, kept);
  const goes = (code: string) => held.addons.includes(code) || isApplicable(code, held, shop);
  const pairs: [field: string, asked: unknown, held: unknown][] = [
    ["vehicle_type", asked.vehicle_type, held.vehicle_type],
    [asked.service === undefined ? "service_type" : "service", asked.service_type, held.service_type],
    // A service without a choice of film or glass ignores both.
    ["film_type", held.film_type && asked.film_type, held.film_type],
    ["coverage", held.coverage && asked.coverage, held.coverage],
    ["addons", asked.addons && [...new Set(asked.addons.filter(goes))].sort(), held.addons.toSorted()],
    ["remove_old_film", held.film_type && asked.remove_old_film, held.remove_old_film],
    ["shade", isOtherShade ? wish : undefined, kept],
    ["windshield_shade", held.windshield_shade && asked.windshield_shade, held.windshield_shade],
    ["jurisdiction", asked.jurisdiction, held.jurisdiction ?? shop.tint_law.home],
  ];
  return pairs.flatMap(([field, value, own]) =>
    value === undefined || Bun.deepEquals(value, own) ? [] : [{ field, held: own }],
  );
}

/** Whether the shop can still price all of it and check its shade. */
export function isOnPriceList(job: HeldJob, shop: Shop): boolean {
  const { terms, tint_law } = shop;
  return (
    terms.vehicleTypes.includes(job.vehicle_type) &&
    terms.services.includes(job.service_type) &&
    (job.film_type === undefined || terms.films.includes(job.film_type)) &&
    (job.coverage === undefined || terms.coverages.includes(job.coverage)) &&
    job.addons.every((code) => terms.addons.includes(code) && isApplicable(code, job, shop)) &&
    (!job.remove_old_film || terms.removal !== undefined) &&
    Object.hasOwn(tint_law.jurisdictions, job.jurisdiction ?? tint_law.home)
  );
}

function isApplicable(addon: string, { service_type }: HeldJob, { automotive }: Shop): boolean {
  return entryOf(automotive.addons, addon).applies_to.includes(service_type);
}

const HELD_WORDS = ["vehicle_type", "service_type", "film_type", "coverage", "addons", "jurisdiction"] as const;

/** Words that the estimate holds are filled in once its signature is checked: it stays good after the shop gave one of them up. */
export function withoutHeldWords(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { estimate_id: token, ...rest } = body;
  const lock = typeof token === "string" ? readToken(token) : undefined;
  if (lock?.kind !== "automotive") return body;
  const isHeld = (field: string) =>
    HELD_WORDS.some((word) => word === field && isDeepStrictEqual(rest[word], lock.job[word]));
  return Object.fromEntries(Object.entries(body).filter(([field]) => !isHeld(field)));
}
