/**
 * The forms in which a job travels, and back: the body of a request, the query of open times, the address of the customers' page,
 * and the token of an estimate (`estimate_id`), which holds its terms and what was asked, signed. Nothing about an estimate is
 * stored. Source: contract 12, 21.
 */
import type { Shop } from "../catalog/shop.ts";
import type { FlatGlassEstimate, FlatGlassRequest, Glazing, WindowRow } from "../domain/flat-glass.ts";
import type { Start } from "../domain/slots.ts";
import { DAY_MS } from "../lib/durations.ts";
import { pick } from "../lib/fields.ts";
import { type Cents, hundredthsOf } from "../lib/money.ts";
import { JOB_FIELDS, type Job, type JobRequest, nameOf, shadesOf, type Vehicle } from "./job.ts";

/** A job that was priced, as the fields of a request: with what the shop filled in, and without what does not go with it. */
export function toRequest(job: Job, estimateId: string | undefined): JobRequest {
  const { work } = job;
  return {
    service_type: work.service,
    vehicle_type: job.vehicle_type,
    vehicle_year: job.vehicle_year,
    vehicle_make: job.vehicle_make,
    vehicle_model: job.vehicle_model,
    film_type: work.filmType ?? undefined,
    coverage: work.coverage ?? undefined,
    addons: work.addons.length > 0 ? work.addons : undefined,
    remove_old_film: work.removal ? true : undefined,
    shade: job.shade,
    windshield_shade: job.windshield_shade,
    factory_glass: job.factory_glass,
    jurisdiction: job.jurisdiction,
    estimate_id: estimateId,
  };
}

/** The fields of a booking. @param service by default the shop's */
export function toBody(request: JobRequest, service: string) {
  const { vehicle_type, estimate_id } = request;
  return {
    // An estimate that holds the vehicle holds the service, too.
    ...((vehicle_type || !estimate_id) && { service_type: request.service_type ?? service }),
    ...pick(request, ...JOB_FIELDS, "factory_glass"),
  };
}

/** The fields of a query for open times. @param service its id; undefined where the estimate names it */
export function jobQuery(request: JobRequest, service: number | undefined) {
  return { ...(service !== undefined && { service }), ...pick(request, ...JOB_FIELDS) };
}

// Addresses of the customers' pages. Nothing in them is about a person.

/** The page where a person books this job. @param from first day of the times shown @returns undefined where it is switched off */
export function bookUrl(job: JobRequest, shop: Shop, from?: string): string | undefined {
  const base = shop.pages.book;
  if (base === undefined) return undefined;
  const { vehicle_type, estimate_id } = job;
  const { front_side, rear_side, rear_window = "none", windshield } = shadesOf(job);
  const name = nameOf(job) || undefined;
  return withQuery(base, [
    // Without a vehicle the estimate holds the work.
    ["service_type", estimate_id && !vehicle_type ? undefined : job.service_type],
    ["car", name],
    // The page takes the class of a car that was just named; here it was chosen.
    ["car_before", vehicle_type && name],
    ["vehicle_type", vehicle_type],
    ["film_type", job.film_type],
    ["coverage", job.coverage],
    ["front_shade", front_side],
    ["rear_shade", rear_side],
    // Only where it differs from the rear sides.
    ["rear_window_shade", rear_window === (rear_side ?? "none") ? undefined : rear_window],
    ["windshield_shade", windshield],
    ["addons", job.addons],
    ["remove_old_film", job.remove_old_film || undefined],
    ["jurisdiction", job.jurisdiction],
    ["from", from],
    ["estimate_id", estimate_id],
  ]);
}

export function withStart(page: string | undefined, start: Start): string | undefined {
  return page && withQuery(page, [["start", startText(start)]]);
}

/** A start in an address: `2026-11-24T09:00`. */
export function startText({ date, time }: Start): string {
  return `${date}T${time}`;
}

interface LinkedGlass extends Omit<FlatGlassRequest, "film_goals" | "primary_concern"> {
  primary_concern?: string | undefined;
  /** What the windows add up to. */
  glazing?: Pick<Glazing, "blocked" | "curtain"> | null;
  estimate_id?: string | undefined;
}

export const MOST_ROWS = 40;
/** The most that an address holds: one with more would take most of a brief answer. */
const MOST_LINKED_ROWS = 12;

/** Asks for a quote for these windows: `mostRows` of them, else their area. Undefined where the shop switched it off. */
export function glassUrl(
  { windows = [], glazing, total_sqft, ...glass }: LinkedGlass,
  shop: Shop,
  mostRows = MOST_LINKED_ROWS,
): string | undefined {
  const base = shop.pages.glass;
  const rows = windows.length > mostRows ? [] : windows;
  // Rows that are left out take their marks along.
  const counted = rows.length === 0 ? glazing : null;
  return (
    base &&
    withQuery(base, [
      ["site_type", glass.site_type],
      ["primary_concern", glass.primary_concern],
      ["floors", glass.floors],
      ...rows.flatMap(rowInAddress),
      ["total_sqft", rows.length === 0 ? total_sqft : undefined],
      ["needs_ladder", glass.needs_ladder],
      ["blocked_windows", glass.blocked_windows ?? (counted?.blocked || undefined)],
      ["curtain_windows", glass.curtain_windows ?? (counted?.curtain || undefined)],
      ["existing_film_sqft", glass.existing_film_sqft],
      ["estimate_id", glass.estimate_id],
    ])
  );
}

function rowInAddress({ width_in, height_in, quantity, blocked, curtain }: WindowRow, i: number): Pair[] {
  return [
    ["width", width_in],
    ["height", height_in],
    ["quantity", quantity],
    ["blocked", blocked ? i : undefined],
    ["curtain", curtain ? i : undefined],
  ];
}

type Pair = readonly [name: string, value: string | number | boolean | readonly string[] | undefined];

function withQuery(base: string, pairs: readonly Pair[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of pairs) {
    if (Array.isArray(value)) for (const one of value) query.append(name, one);
    else if (value !== undefined) query.append(name, String(value));
  }
  if (query.size === 0) return base;
  // A colon may be in a query as it is (RFC 3986, 3.4), and so a time stays readable.
  return `${base}${base.includes("?") ? "&" : "?"}${query.toString().replaceAll("%3A", ":")}`;
}

// The token of an estimate.

export interface LockTerms {
  /** The last day of the shop's calendar on which the price holds. */
  validUntil: string;
  total: Cents;
  /** Of each line, in the order of the quote; for flat glass the lowest and the highest total. Empty where they are not known. */
  amounts: readonly Cents[];
  /** Length of the work; 0 where that is not known. */
  minutes: number;
}

/** The work of an estimate for a vehicle, as the fields of a booking. */
export interface HeldJob extends JobRequest {
  vehicle_type: string;
  service_type: string;
  addons: string[];
  remove_old_film: boolean;
}

/** The work of an estimate for glass. Rows of windows do not fit: it holds their area, and how many are blocked or have curtains. */
interface HeldGlass {
  site_type: string;
  square_footage: number;
  primary_concern: string;
  needs_ladder: boolean;
  floors: number | undefined;
  blocked_windows: number | undefined;
  curtain_windows: number | undefined;
  existing_film_sqft: number | undefined;
}

export type PriceLock = LockTerms &
  (
    | { kind: "automotive"; job: HeldJob }
    | { kind: "flat_glass"; glass: HeldGlass }
    /** The work was too long to be held: a request must name it, and its digest is compared. */
    | { kind: "digest"; of: "automotive" | "flat_glass"; digest: string }
  );

export const MAX_TOKEN = 255;
/** 80 bits of HMAC-SHA-256, the least that RFC 2104 asks for: an answer holds an estimate up to six times. */
const MAC_BYTES = 10;
const MOST_LISTED = Math.floor((MAX_TOKEN * 3) / 4) - MAC_BYTES;

/** Among the add-ons of a token: old film is taken off first. */
const REMOVAL = "-";

/** A job as the fields of its token. @param home the shop's own state @param name of the car, which can be of any length */
export function tokenFields({ work, ...job }: Job, home: string, name: Vehicle = {}): string[] {
  return [
    job.vehicle_type ?? "",
    work.service,
    work.filmType ?? "",
    work.coverage ?? "",
    [...work.addons, ...(work.removal === null ? [] : [REMOVAL])].join(" "),
    sidesText(job.shades),
    String(name.vehicle_year ?? ""),
    name.vehicle_make ?? "",
    name.vehicle_model ?? "",
    String(job.shades.windshield ?? ""),
    job.jurisdiction === home ? "" : (job.jurisdiction ?? ""),
    sidesText(job.glass),
  ];
}

/** The shade of all side and rear glass, or where it differs of each, like `40 5 5`. */
function sidesText({ front_side: front = "", rear_side: side = "", rear_window: rear = "" }: TextOfSides): string {
  return front === side && side === rear ? String(front) : `${front} ${side} ${rear}`;
}
type TextOfSides = { [Side in keyof Job["shades"]]?: number | "" };

function glassFields(request: FlatGlassRequest, estimate: FlatGlassEstimate): string[] {
  const { floors, blocked_windows, curtain_windows, existing_film_sqft: old } = request;
  const { sqft, concern, ladderRequired, glazing } = estimate;
  const counts = [floors, blocked_windows ?? glazing?.blocked, curtain_windows ?? glazing?.curtain];
  return [
    request.site_type,
    hundredthsOf(sqft).toString(36),
    concern,
    ladderRequired ? "l" : "",
    ...counts.map((count) => String(count || "")),
    old ? hundredthsOf(old).toString(36) : "",
  ];
}

/** A token begins with it; that of a vehicle, which an answer repeats most, with none. */
const LETTERS = { automotive: "", flat_glass: "F" } as const;
/** Begins a token that holds no work. */
const DIGEST = "D";
/** Days are counted from it. */
const FIRST_DAY = Date.parse("2025-01-01");
/** Between the fields of a token; no field holds one. */
const BREAK = "\n";

/** The token of a job, and what it holds: a name can be of any length, and then is beside the estimate. */
interface JobToken {
  id: string;
  holds: "all" | "all but the name" | "digest";
}

/** @param home the shop's own state */
export function jobToken(job: Job, terms: LockTerms, home: string, secret: string): JobToken {
  const whole = listOf("automotive", terms, tokenFields(job, home, job));
  if (Buffer.byteLength(whole) <= MOST_LISTED) return { id: signed(whole, secret), holds: "all" };
  const short = shortOf("automotive", terms, tokenFields(job, home));
  return { id: signed(short, secret), holds: short.startsWith(DIGEST) ? "digest" : "all but the name" };
}

export function glassToken(
  request: FlatGlassRequest,
  estimate: FlatGlassEstimate,
  terms: LockTerms,
  secret: string,
): string {
  return signed(shortOf("flat_glass", terms, glassFields(request, estimate)), secret);
}

/** The list of a token, or where it is too long the digest of the work. */
function shortOf(kind: keyof typeof LETTERS, terms: LockTerms, fields: readonly string[]): string {
  const whole = listOf(kind, terms, fields);
  const fits = Buffer.byteLength(whole) <= MOST_LISTED;
  return fits ? whole : DIGEST + listOf(kind, { ...terms, amounts: [] }, [digestOf(fields)]);
}

function listOf(
  kind: keyof typeof LETTERS,
  { validUntil, total, amounts, minutes }: LockTerms,
  fields: readonly string[],
): string {
  let sum = 0;
  let lines = "";
  for (const amount of amounts) {
    sum += amount;
    lines += `${lines === "" ? "" : " "}${shortAmount(amount)}`;
  }
  const day = ((Date.parse(validUntil) - FIRST_DAY) / DAY_MS).toString(36);
  // An answer holds an estimate up to six times, so a total that the lines add up to takes no room, nor does what is not
  // wished at the end.
  const head = `${LETTERS[kind]}${day} ${minutes.toString(36)}${sum === total ? "" : ` ${shortAmount(total)}`}`;
  return [head, lines, ...fields].join(BREAK).replace(/\n+$/, "");
}

export function holdsWork(token: string): boolean {
  return !payloadOf(token).startsWith(DIGEST);
}

/** The content of a token, with the signature unchecked; undefined for a text that is no token. */
export function readToken(token: string): PriceLock | undefined {
  if (token.length > MAX_TOKEN) return undefined;
  const [head = "", lines = "", ...fields] = payloadOf(token).split(BREAK);
  const [, digest, letter = "", day, minutes, total] = /^(D?)(F?)(\w+) (\w+)(?: ([.\w]+))?$/.exec(head) ?? [];
  const amounts = lines === "" ? [] : lines.split(" ").map(centsIn);
  const cents = total === undefined ? amounts.reduce((sum, amount) => sum + amount, 0) : centsIn(total);
  const [days, length] = [tokenNumber(day), tokenNumber(minutes)];
  if (Number.isNaN(days + cents + length) || amounts.some(Number.isNaN)) return undefined;
  if (days > MOST_DAYS) return undefined;
  const validUntil = new Date(FIRST_DAY + days * DAY_MS).toISOString().slice(0, "YYYY-MM-DD".length);
  const terms = { validUntil, total: cents, amounts, minutes: length };
  const kind = letter === LETTERS.automotive ? "automotive" : "flat_glass";
  if (digest) return { ...terms, kind: "digest", of: kind, digest: fields.join() };
  return kind === "automotive"
    ? { ...terms, kind, job: toHeldJob(fields) }
    : { ...terms, kind, glass: toHeldGlass(fields) };
}

function toHeldJob(fields: readonly string[]): HeldJob {
  const [vehicle = "", service = "", film, coverage, addons = "", shade, ...rest] = fields;
  const [year, make, model, windshield, law, glass] = rest;
  const extras = addons === "" ? [] : addons.split(" ");
  return {
    vehicle_type: vehicle,
    vehicle_year: optionalNumber(year),
    vehicle_make: make || undefined,
    vehicle_model: model || undefined,
    service_type: service,
    film_type: film || undefined,
    coverage: coverage || undefined,
    addons: extras.filter((code) => code !== REMOVAL),
    remove_old_film: extras.includes(REMOVAL),
    shade: sidesIn(shade),
    windshield_shade: optionalNumber(windshield),
    factory_glass: sidesIn(glass),
    // Undefined: the shop's own state.
    jurisdiction: law || undefined,
  };
}

function sidesIn(text = ""): JobRequest["shade"] {
  const [front_side, rear_side, rear_window] = text.split(" ").map(optionalNumber);
  return text.includes(" ") ? { front_side, rear_side, rear_window } : front_side;
}

function toHeldGlass([site = "", area = "", concern = "", ladder, ...rest]: readonly string[]): HeldGlass {
  const [floors, blocked, curtain, old = ""] = rest;
  const sqftIn = (hundredths: string) => Number.parseInt(hundredths, 36) / 100;
  return {
    site_type: site,
    square_footage: sqftIn(area),
    primary_concern: concern,
    needs_ladder: ladder === "l",
    floors: optionalNumber(floors),
    blocked_windows: optionalNumber(blocked),
    curtain_windows: optionalNumber(curtain),
    existing_film_sqft: old ? sqftIn(old) : undefined,
  };
}

/** Most amounts are whole units, which take fewer letters than cents. */
function shortAmount(amount: Cents): string {
  return amount % 100 === 0 ? (amount / 100).toString(36) : `.${amount.toString(36)}`;
}

function centsIn(text: string): Cents {
  return text.startsWith(".") ? tokenNumber(text.slice(1)) : tokenNumber(text) * 100;
}

const MOST_DAYS = 1_000_000;

function tokenNumber(text = ""): number {
  return /^[0-9a-z]{1,9}$/.test(text) ? Number.parseInt(text, 36) : Number.NaN;
}

function optionalNumber(text = ""): number | undefined {
  return text === "" ? undefined : Number(text);
}

/** A text with its signature, in letters that an address takes as they are (base64url). `isSigned` checks it. */
export function signed(payload: string, secret: string): string {
  return Buffer.concat([Buffer.from(payload), computeMac(payload, secret)]).toString("base64url");
}

export function payloadOf(token: string): string {
  return Buffer.from(token, "base64url").subarray(0, -MAC_BYTES).toString();
}

export function isSigned(token: string, secret: string): boolean {
  const bytes = Buffer.from(token, "base64url");
  const given = bytes.subarray(-MAC_BYTES);
  const due = computeMac(payloadOf(token), secret);
  // Only the one text that was given out is the token: base64 can write some bytes in several ways.
  return given.length === due.length && crypto.timingSafeEqual(given, due) && bytes.toString("base64url") === token;
}

function computeMac(payload: string, secret: string): Buffer {
  return Buffer.from(new Bun.CryptoHasher("sha256", secret).update(payload).digest().subarray(0, MAC_BYTES));
}

/** Stands for work that is too long for a token. */
export function digestOf(fields: readonly string[]): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(fields)).digest("base64url").slice(0, 14);
}
