/** What a caller should know of a job: wishes without a place, shades, law and what it permits, and which type the car counts as. */
import type { KnownModel } from "../catalog/models.ts";
import type { Shop } from "../catalog/shop.ts";
import { entryOf } from "../catalog/terms.ts";
import type { Position } from "../constants.ts";
import { tintedPositions } from "../domain/automotive.ts";
import { GLASS_NAMES, isBarred, type Shades, type Verdict } from "../domain/tint-law.ts";
import { ApiError } from "../errors.ts";
import { pick } from "../lib/fields.ts";
import { formatMoney } from "../lib/money.ts";
import { capitalized, durationInWords, spaced } from "../lib/text.ts";
import { joinWithAnd, oneOf } from "../schema/explain.ts";
import { jobToken, toRequest } from "./forms.ts";
import { estimateOf, type Job, type JobRequest, jobOf, otherVehicleIssue, SIDES, shadeOf } from "./job.ts";
import type { PricedJob } from "./price.ts";

/** A brief answer has few words. */
export type View = "full" | "brief";

interface JobWarning {
  code:
    | "FIELD_IGNORED"
    | "ADDON_NOT_APPLICABLE"
    | "SHADE_NOT_STOCKED"
    | "SHADE_NOT_APPLICABLE"
    | "NOT_LEGAL"
    | "LAW_BORDERLINE"
    | "DEPENDS_ON_CLASS"
    | "VEHICLE_TYPE_CHECK"
    | "NO_PRICE"
    | "UNDERSTOOD";
  field: string;
  message: string;
}

/** About the work alone: what was asked for and is not used, not charged, not in stock, or not checked. */
export function workWarnings(job: Job, shop: Shop, view: View = "full"): JobWarning[] {
  const { work } = job;
  const found: JobWarning[] = [];
  const warn = (code: JobWarning["code"], field: string, message: string) => found.push({ code, field, message });
  if (job.film_type !== undefined && work.filmType === null)
    warn("FIELD_IGNORED", "film_type", `film_type was not used: ${work.service} has no choice of film.`);
  if (job.coverage !== undefined && work.coverage === null)
    warn("FIELD_IGNORED", "coverage", `coverage was not used: ${work.service} always covers the same glass.`);
  if (work.notApplicable.length > 0 || (job.remove_old_film && work.removal === null))
    found.push(...notCharged(job, shop, view));
  if (job.shade === undefined && job.windshield_shade === undefined) return found;
  const tinted = tintedPositions(shop, work);
  if (work.filmType !== null) found.push(...notStocked(job, work.filmType, tinted, shop, view));
  found.push(...notChecked(job, tinted, shop, view));
  return found;
}

/** About what does not go with the service. */
function notCharged({ work, remove_old_film }: Job, { automotive }: Shop, view: View): JobWarning[] {
  const { service, notApplicable: codes } = work;
  const warning = (field: string, what: string): JobWarning => ({
    code: "ADDON_NOT_APPLICABLE",
    field,
    message: `${service} does not go with ${what}, so nothing is charged for that.`,
  });
  const isShort = view === "brief" && codes.length > 1;
  const named = codes.map((code) => `${entryOf(automotive.addons, code).name} (${code})`);
  return [
    ...(isShort ? [joinWithAnd(codes)] : named).map((what) => warning("addons", what)),
    ...(remove_old_film && work.removal === null ? [warning("remove_old_film", "removing old film")] : []),
  ];
}

/** About wished shades that the film does not come in, with the nearest two. Source: contract 15. */
function notStocked(
  { shades }: Job,
  filmType: string,
  tinted: ReturnType<typeof tintedPositions>,
  { priceList }: Shop,
  view: View,
): JobWarning[] {
  const listed = priceList.films.get(filmType);
  // One shade for all glass is wished at several positions, and one warning is enough.
  const found: { field: string; nearest: string; vlts: number[] }[] = [];
  for (const position of tinted) {
    const vlt = shades[position];
    const words = vlt === undefined ? null : listed?.nearest[vlt];
    if (vlt === undefined || !words) continue;
    const field = position === "windshield" ? "windshield_shade" : "shade";
    const nearest = words[view];
    // In few words, shades with the same neighbors share a warning.
    const told = found.find((one) =>
      view === "brief" ? one.nearest === nearest : one.field === field && one.vlts.includes(vlt),
    );
    if (!told) found.push({ field, nearest, vlts: [vlt] });
    else if (!told.vlts.includes(vlt)) told.vlts.push(vlt);
  }
  const warnings: JobWarning[] = [];
  for (const { field, nearest, vlts } of found) {
    const wished = `${vlts.join("%, ")}%`;
    const message =
      view === "full"
        ? `${listed?.film.name} does not come in ${wished}; the nearest are ${nearest}.`
        : `No ${wished}: ${nearest}.`;
    warnings.push({ code: "SHADE_NOT_STOCKED", field, message });
  }
  return warnings;
}

/** About wished shades of glass that gets no film. */
function notChecked(job: Job, tinted: ReturnType<typeof tintedPositions>, shop: Shop, view: View): JobWarning[] {
  const { work, shade, windshield_shade } = job;
  const warning = (field: string, message: string): JobWarning => ({
    code: "SHADE_NOT_APPLICABLE",
    field,
    message: view === "brief" ? "No film is ordered there: not checked." : message,
  });
  if (work.filmType === null)
    return (["shade", "windshield_shade"] as const)
      .filter((field) => job[field] !== undefined)
      .map((field) => warning(field, `No tint film is applied with ${work.service}, so the shade was not checked.`));
  const found: JobWarning[] = [];
  const bare =
    typeof shade === "object" ? SIDES.filter((side) => shade[side] !== undefined && !tinted.includes(side)) : [];
  if (bare.length > 0) {
    const glass = joinWithAnd(bare.map((one) => GLASS_NAMES[one]));
    const message = `No film is applied to the ${glass} with this coverage, so that shade was not checked.`;
    found.push(warning("shade", message));
  }
  if (windshield_shade !== undefined && !tinted.includes("windshield")) {
    const films = shop.terms.addons.filter((code) => shop.priceList.addons.get(code)?.position === "windshield");
    const how = films.length > 0 ? `: it is the add-on ${oneOf(films)}` : "";
    found.push(warning("windshield_shade", `Not checked, because no film for the full windshield was priced${how}.`));
  }
  return found;
}

type Check = Verdict["checks"][number];

/** About glass whose film the law does not permit: what it asks, and the darkest shade in stock that is legal. Source: contract 2. */
export function lawWarnings(law: Pick<Verdict, "name" | "checks">, view: View = "full"): JobWarning[] {
  const barred: Check[] = [];
  const unsure: Check[] = [];
  const borderline: Check[] = [];
  for (const check of law.checks) {
    if (check.status === "borderline" && check.reason !== "depends_on_class") borderline.push(check);
    if (isBarred(check)) barred.push(check);
    if (check.reason === "depends_on_class") unsure.push(check);
  }
  const found = barred.length > 0 ? notLegal(law.name, barred, view) : [];
  if (borderline.length > 0) found.push(mayFail(law.name, borderline, view));
  const [one] = unsure;
  if (!one) return found;
  // Both kinds of glass behind the driver have the same rule in nearly every state; each check has its own.
  const glass = unsure.length > 1 ? "the glass behind the driver" : `the ${GLASS_NAMES[one.position]}`;
  const least =
    one.min_vlt === null ? "film may not be permitted there" : `at least ${one.min_vlt}% of light may have to pass`;
  const message =
    view === "brief"
      ? `${capitalized(glass)}: see the door-jamb TYPE.`
      : `Whether film on ${glass} is legal in ${law.name} depends on the class that the vehicle counts as, so ${least}: check the TYPE on the door-jamb label.`;
  found.push({ code: "DEPENDS_ON_CLASS", field: "vehicle_type", message });
  return found;
}

/** About glass of which nobody knows without a meter whether the shade passes. */
function mayFail(state: string, checks: readonly Check[], view: View): JobWarning {
  const message =
    view === "brief"
      ? `Borderline, have it metered: ${briefly(checks)}.`
      : `Borderline in ${state}, it depends on the glass or the meter, so have the glass metered first: ${joinWithAnd(checks.map(shortVerdict))}.`;
  return { code: "LAW_BORDERLINE", field: "shade", message };
}

function notLegal(state: string, barred: readonly Check[], view: View): JobWarning[] {
  const fieldOf = ({ position }: Check) =>
    position === "windshield" && (view === "full" || barred.length === 1) ? "windshield_shade" : "shade";
  return [...Map.groupBy(barred, fieldOf)].map(([field, checks]) => ({
    code: "NOT_LEGAL",
    field,
    message: `Not legal in ${state}: ${view === "brief" ? briefly(checks) : joinWithAnd(checks.map(shortVerdict))}.`,
  }));
}

/** `5% on the front side windows is not legal in Georgia`, and what the law asks; null when all are legal. */
export function barredInWords({ name, checks }: Pick<Verdict, "name" | "checks">, labelOf = (vlt: number) => vlt) {
  const barred = checks.filter(isBarred);
  if (barred.length === 0) return null;
  const glass = (checks: readonly Check[]) => joinWithAnd(checks.map(({ position }) => GLASS_NAMES[position]));
  const shades = [...Map.groupBy(barred, ({ film_vlt: vlt }) => vlt)].map(
    ([vlt, on]) => `${vlt === null ? "film" : `${labelOf(vlt)}%`} on the ${glass(on)}`,
  );
  return {
    which: `${capitalized(joinWithAnd(shades))} is not legal in ${name}`,
    asks: [...Map.groupBy(barred, lawAsks)].map(([asks, of]) => capitalized(`${glass(of)}: ${asks}.`)),
  };
}

/** Glass of which the law asks the same stands together: `front side and rear side (at least 32% light; darkest 50)`. */
function briefly(checks: readonly Check[]): string {
  const glassBy = new Map<string, string[]>();
  for (const { position, rule, min_vlt: least, darkest_legal_shade: darkest } of checks) {
    const film = rule === "no_film" ? "no film" : "strip only";
    const asks =
      (least === null ? film : `at least ${least}% light`) + (darkest === null ? "" : `; darkest ${darkest}`);
    glassBy.set(asks, [...(glassBy.get(asks) ?? []), spaced(position)]);
  }
  const said: string[] = [];
  for (const [asks, glass] of glassBy) said.push(`${joinWithAnd(glass)} (${asks})`);
  return said.join(", ");
}

function shortVerdict(check: Check): string {
  return `${GLASS_NAMES[check.position]} (${lawAsks(check)})`;
}

function lawAsks({ rule, min_vlt: least, darkest_legal_shade: darkest }: Check): string {
  const film = rule === "no_film" ? "no film is permitted" : "only a strip at the top is permitted";
  const asks = least === null ? film : `at least ${least}% of light must pass`;
  return asks + (darkest === null ? "" : `; the darkest in stock that is: ${darkest}`);
}

/** A make and model that the catalog lists under another type, with its price and length. Throws for a vehicle without a price. */
export function typeWarnings(job: Job, shop: Shop, view: View = "full"): JobWarning[] {
  const { vehicle_type: type, vehicle_model: model } = job;
  const known = type === undefined || model === undefined ? undefined : job.known;
  const other = known || !/\p{L}{2}/u.test(model ?? "") ? undefined : otherVehicleIssue(type, shop, job);
  if (other) {
    const { code, ...issue } = other;
    const invalid_fields = [{ field: "vehicle_type", ...issue }];
    throw new ApiError(code, `vehicle_type ${issue.message}.`, { invalid_fields });
  }
  if (!known || known.vehicleType === type) return [];
  const counts = countsAs(known, job, shop);
  const advice = `Use ${known.vehicleType} unless the customer's vehicle differs.`;
  const message = view === "brief" ? counts : `${counts} ${advice}`;
  return [{ code: "VEHICLE_TYPE_CHECK", field: "vehicle_type", message }];
}

/** About a request that names a known model and no type. */
export function understoodType(known: KnownModel, job: Job, shop: Shop): JobWarning {
  const message = `${countsAs(known, job, shop)} That type was taken: name another one if the customer's vehicle differs.`;
  return { code: "UNDERSTOOD", field: "vehicle_type", message };
}

/** What a model costs and how long it takes, as the type that it is. */
function countsAs({ name, vehicleType }: KnownModel, job: Job, shop: Shop): string {
  const { chosen, work } = estimateOf(job, shop, vehicleType);
  const price = formatMoney(chosen.total, shop.currency);
  return `A ${name} counts as ${vehicleType} here: ${price}, ${durationInWords(work.minutes)}.`;
}

const NO_PRICE: JobWarning = {
  code: "NO_PRICE",
  field: "vehicle_type",
  message:
    "No type of vehicle was given, so this booking has no price, and the longest work is assumed. Name the vehicle to have both exact.",
};

/** What the customer should know of a booking. There are none for work that is no longer on the price list. */
export function bookingWarnings({ job, price, isOffList = false, model }: PricedJob, shop: Shop): JobWarning[] {
  if (isOffList) return [];
  return [
    ...(model ? [understoodType(model, job, shop)] : []),
    ...(job.vehicle_type === undefined ? [NO_PRICE] : []),
    ...workWarnings(job, shop),
    ...typeWarnings(job, shop),
    ...(price?.law ? lawWarnings(price.law) : []),
  ];
}

type Law = Pick<Verdict, "checks">;

interface LegalJob {
  /** The fields in which it differs from the job that was asked for; those to be left out are undefined. */
  changes: Partial<JobRequest>;
  /** The same for a request that names an estimate: one that holds the same price where only shades differ, or all of the work. */
  request: Partial<JobRequest>;
}

/** @returns undefined where the shop has no such job */
export function legalInstead({ job, price, held }: PricedJob, shop: Shop): LegalJob | undefined {
  const changes = price?.law && changesFor(job, price.law, shop);
  if (!changes) return undefined;
  const { work, estimate_id } = job;
  const legal = jobOf({ ...job, service_type: work.service, ...changes }, shop);
  if (isBarred(estimateOf(legal, shop).law)) return undefined;
  if (estimate_id === undefined || !held) return { changes, request: changes };
  const isSameWork = !Object.hasOwn(changes, "addons") && changes.coverage === undefined;
  const id = isSameWork ? jobToken(legal, held.lock, shop.tint_law.home, held.secret).id : undefined;
  const named = isSameWork ? {} : toRequest(legal, undefined);
  return { changes, request: { ...named, ...changes, estimate_id: id } };
}

function changesFor(job: Job, { checks }: Law, shop: Shop): Partial<JobRequest> | undefined {
  const tinted = tintedPositions(shop, job.work);
  const shades = { ...job.shades };
  const bare: Position[] = [];
  let dropsStrip = false;
  for (const check of checks) {
    if (!isBarred(check)) continue;
    const { position, darkest_legal_shade: darkest } = check;
    if (!tinted.includes(position)) dropsStrip = true;
    else if (darkest !== null) shades[position] = darkest;
    else {
      bare.push(position);
      delete shades[position];
    }
  }
  const covered = (code: string) => shop.priceList.addons.get(code)?.position ?? null;
  const isKept = (position: ReturnType<typeof covered>) =>
    !(position === "windshield_strip" && dropsStrip) && !bare.some((one) => one === position);
  const addons = job.work.addons.filter((code) => isKept(covered(code)));
  const coverage = coverageWithout(bare, job, shop);
  if (coverage === undefined) return undefined;
  const { windshield, ...sides } = shades;
  const { windshield: _, ...before } = job.shades;
  return {
    ...(!Bun.deepEquals(sides, before) && { shade: shadeFor(sides, job.shade, tinted) }),
    ...(windshield !== job.shades.windshield && { windshield_shade: windshield }),
    ...(addons.length < job.work.addons.length && { addons: addons.length > 0 ? addons : undefined }),
    ...(coverage !== null && coverage !== job.work.coverage && { coverage }),
  };
}

/** The shade of the glass that gets film: one where one was wished and one is legal. */
function shadeFor(sides: Shades, wished: JobRequest["shade"], tinted: readonly Position[]): JobRequest["shade"] {
  if (typeof wished !== "number") return shadeOf(sides);
  const used = SIDES.filter((side) => tinted.includes(side) && sides[side] !== undefined);
  const [one, ...others] = new Set(used.map((side) => sides[side]));
  return others.length === 0 ? one : shadeOf(pick(sides, ...used));
}

/** The coverage of the most glass of the job that leaves some out; its own where it does; undefined where there is none. */
function coverageWithout(bare: readonly Position[], { work }: Job, { priceList }: Shop): string | null | undefined {
  const own = (work.coverage !== null && priceList.coverages.get(work.coverage)) || [];
  const kept = own.filter((position) => !bare.includes(position));
  if (work.filmType === null || kept.length === own.length) return work.coverage;
  let best: string | undefined;
  for (const [key, positions] of priceList.coverages) {
    const isIn = positions.length > 0 && positions.every((position) => kept.includes(position));
    const most = best === undefined ? 0 : (priceList.coverages.get(best)?.length ?? 0);
    if (isIn && positions.length > most) best = key;
  }
  return best;
}
