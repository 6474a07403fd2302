/** Amounts, dates, names, bookings and opening hours as customers read them, in the way of the shop's country. */
import type { Confirmation } from "../../../capabilities/booking/confirmation.ts";
import type { Context } from "../../../capabilities/core/capability.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { entryOf, vehicleInWords } from "../../../catalog/terms.ts";
import type { Drawing, Position } from "../../../constants.ts";
import { addonPositions } from "../../../domain/automotive.ts";
import { addDays, momentOf, rfc3339, shopDate } from "../../../domain/schedule.ts";
import { endOfWork, partsOf, type Start } from "../../../domain/slots.ts";
import { GLASS_NAMES, type GlassCheck, isBarred, type Verdict } from "../../../domain/tint-law.ts";
import { mayStayOverNight } from "../../../domain/work.ts";
import { SIDES } from "../../../job/job.ts";
import { MINUTE_MS } from "../../../lib/durations.ts";
import { pick } from "../../../lib/fields.ts";
import { type Html, type HtmlPart, html } from "../../../lib/html.ts";
import { phoneInWords } from "../../../lib/phone.ts";
import { capitalized, spaced } from "../../../lib/text.ts";
import { serviceName } from "../../../messages/words.ts";
import { joinWithAnd } from "../../../schema/explain.ts";
import { kit } from "./assets.ts";
import { startOfMoment } from "./paths.ts";
import { FACTS, UNITS } from "./texts.ts";

/** @param units of the currency, as in answers of the API */
export function amount(units: number, catalog: Shop): string {
  const { whole, exact } = kit(catalog).formats;
  return (Number.isInteger(units) ? whole : exact).format(units);
}

/** `$599 – $649`, or one amount where both ends are the same. Units of the currency, as in answers of the API. */
export function amounts(min: number, max: number, catalog: Shop): string {
  return min === max ? amount(min, catalog) : `${amount(min, catalog)} – ${amount(max, catalog)}`;
}

/** @param date like `2026-11-24` */
export function dayIn(form: "day" | "longDay" | "weekday" | "dayOfMonth", date: string, catalog: Shop): string {
  return kit(catalog).formats[form].format(Date.parse(`${date}T00:00:00Z`));
}

function clock(time: string, catalog: Shop, form: "time" | "fullHour" = "time"): string {
  // A plain space: some fonts lack the narrow one that the format writes.
  return kit(catalog)
    .formats[form].format(Date.parse(`1970-01-01T${time}:00Z`))
    .replace(/\s/g, " ");
}

/** As short as the clock allows: `9 AM`, `9:30 AM`, `13:00`. */
export function shortClock(time: string, catalog: Shop): string {
  return clock(time, catalog, time.endsWith(":00") ? "fullHour" : "time");
}

/** `Tue, Nov 24, 9:00 AM`. */
export function moment({ date, time }: Start, catalog: Shop): string {
  return `${dayIn("day", date, catalog)}, ${clock(time, catalog)}`;
}

/** `Tuesday, November 24, 9:00 AM`. */
export function longMoment({ date, time }: Start, catalog: Shop): string {
  return `${dayIn("longDay", date, catalog)}, ${clock(time, catalog)}`;
}

/** The last moment for a change: `3:30 PM today`, or as `moment` says it. */
export function untilMoment(epochMs: number, { catalog, now }: Pick<Context, "catalog" | "now">): string {
  const last = startOfMoment(rfc3339(catalog, epochMs));
  const isToday = last.date === shopDate(catalog, now);
  return isToday ? UNITS.atToday(clock(last.time, catalog)) : moment(last, catalog);
}

/** `today` or `tomorrow`; undefined for any other day. @param today the date at the shop */
export function nearDay(date: string, today: string): string | undefined {
  if (date === today) return UNITS.today;
  return date === addDays(today, 1) ? UNITS.tomorrow : undefined;
}

/** When the vehicle is ready, to the half hour after the work: `1 PM`, or `Tue, Nov 24, 11 AM` on another day than it begins. */
export function readyAbout({ date }: Pick<Start, "date">, endAt: number, catalog: Shop): string {
  const ready = startOfMoment(rfc3339(catalog, Math.ceil(endAt / HALF_AN_HOUR) * HALF_AN_HOUR));
  const clock = shortClock(ready.time, catalog);
  return ready.date === date ? clock : `${dayIn("day", ready.date, catalog)}, ${clock}`;
}

export function endOf(
  { date, time }: Start,
  work: { service: string; duration_minutes: number },
  catalog: Shop,
): number {
  const { service, duration_minutes: minutes } = work;
  return endOfWork(catalog, momentOf(catalog, date, time), { minutes, overNight: mayStayOverNight(catalog, service) });
}
const HALF_AN_HOUR = 30 * MINUTE_MS;

/** `3½ hours`, `50 minutes`. */
export function duration(minutes: number): string {
  if (minutes < 90 && minutes !== 60) return UNITS.minutes(minutes);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts: Record<number, string> = { 0: "", 15: "¼", 30: "½", 45: "¾" };
  const part = parts[rest];
  if (part === undefined) return UNITS.hoursAndMinutes(hours, rest);
  return (minutes === 60 ? UNITS.hour : UNITS.hours)(`${hours}${part}`);
}

export function capital(word: string): string {
  return capitalized(spaced(word));
}

export function vehicleName(type: string, catalog: Pick<Shop, "automotive">): string {
  return capitalized(vehicleInWords(type, catalog));
}

export function drawingOf(type: string | undefined, { automotive, tint_law }: Shop): Drawing {
  if (type === undefined) return "car";
  return automotive.drawings[type] ?? (entryOf(tint_law.vehicle_class, type) === "passenger" ? "car" : "tall");
}

export function phoneAddress({ phone }: Shop["business"]): string {
  return `tel:${phone.replace(/[^\d+]/g, "")}`;
}

export function phoneName({ phone, address }: Shop["business"]): string {
  return phoneInWords(phone, address.country);
}

export function phoneLink(business: Shop["business"]): Html {
  return html`<a class="phone" href="${phoneAddress(business)}">${phoneName(business)}</a>`;
}

/** The number under which a shade of a film is sold. What the film lets through, which the API speaks of, can differ by some points. */
export function shadeLabel(vlt: number, film: string | null | undefined, { automotive }: Shop): number {
  return automotive.films[film ?? ""]?.shades.find((shade) => shade.vlt === vlt)?.label ?? vlt;
}

type Fact = readonly [term: string, text: HtmlPart];

export function factList(...facts: (Fact | false | null | undefined)[]): Html {
  return html`<dl class="summary">${facts.map((fact) => fact && html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>`)}</dl>`;
}

interface TicketHead extends Record<"title" | "sign" | "text", string> {
  /** Whether it is good for something, and then the text is shown. */
  isOn: boolean;
  attributes?: Html | false;
}

/** What is kept after a request: a title, a code, and what it is for. @param code its name, and the code */
export function ticket(head: TicketHead, code: Fact | "" | undefined, content: Html): Html {
  const { title, sign, isOn, text, attributes } = head;
  return html`<article class="ticket${!isOn && " over"}"${attributes}><header>
<p class="tick" aria-hidden="true">${sign}</p><h1>${title}</h1>
${isOn && html`<p>${text}</p>`}</header>
${code && html`<p class="code"><span class="code-label">${code[0]}</span><b>${code[1]}</b></p>`}
${content}</article>`;
}

/** A price with its tax; older bookings have none. */
type Priced = Pick<NonNullable<Confirmation["estimate"]>, "total" | "tax" | "total_with_tax">;

function priceFacts({ total, tax, total_with_tax: all }: Priced, catalog: Shop): Fact[] {
  const price = [FACTS.price, amount(total, catalog)] as const;
  if (all === undefined) return [price];
  return [price, [taxName(catalog), amount(tax?.amount ?? 0, catalog)], [FACTS.inAll, amount(all, catalog)]];
}

/** What is paid in all: beside the price of the list, it says that the tax is in it. */
export function wholePrice({ total, total_with_tax: all }: Priced, catalog: Shop): Html {
  const tax = all !== undefined && ` ${FACTS.withTax(taxName(catalog))}`;
  return html`<b class="amount">${amount(all ?? total, catalog)}</b>${tax}`;
}

export function taxName({ tax }: Shop): string {
  return tax.label ?? FACTS.tax;
}

type Law = Pick<Verdict, "name" | "checks">;

/** `Not legal in Georgia on the front side windows; the darkest that is: 50%`. @param film whose shades are judged */
export function lawText({ name, checks }: Law, film: string | null, catalog: Shop): string | undefined {
  const glass = (some: readonly GlassCheck[]) => joinWithAnd(some.map(({ position }) => GLASS_NAMES[position]));
  const unsure = checks.filter(({ status }) => status === "borderline");
  const [byClass = [], byGlass = []] = [true, false].map((is) =>
    unsure.filter(({ reason }) => (reason === "depends_on_class") === is),
  );
  const instead = ({ darkest_legal_shade: vlt, rule }: GlassCheck) =>
    vlt === null ? (FACTS.ruled[rule] ?? "") : FACTS.darkest(shadeLabel(vlt, film, catalog));
  const texts = [
    ...[...Map.groupBy(checks.filter(isBarred), instead)].map(([tail, of]) => FACTS.notLegal(name, glass(of)) + tail),
    ...(byGlass.length === 0 ? [] : [FACTS.unsure(glass(byGlass))]),
    ...(byClass.length === 0 ? [] : [FACTS.unsureClass(glass(byClass))]),
  ];
  const bare = undecided(checks);
  const legal = checks.filter(({ status }) => status === "legal");
  if (texts.length === 0 && legal.length > 0) {
    // Nothing is said of glass whose shade is open.
    const isWhole = checks.every(({ reason }) => reason !== "no_shade_given");
    texts.push(isWhole ? FACTS.legal(name) : FACTS.legalOn(name, glass(legal)));
  }
  return [...texts, ...(bare.length === 0 ? [] : [FACTS.noFilm(name, glass(bare))])].join(". ") || undefined;
}

/** Glass of the job whose shade is decided at the shop, and on which no film is legal. */
export function undecided(checks: readonly GlassCheck[]): GlassCheck[] {
  return checks.filter(({ reason, rule }) => reason === "no_shade_given" && rule === "no_film");
}

/** Words of the catalog, some of which the shop may have given up since. */
type Job = Pick<Confirmation, "service" | "film_type" | "coverage"> & { vehicle: { type: string | null } };
type Extras = Pick<Confirmation, "addons" | "remove_old_film" | "shade" | "windshield_shade">;

/** The work, the car, what was chosen, what the law says of it, and the price. */
export function factsOfJob(
  job: Job & Extras,
  { car, law, price }: { car: string; law?: Law | undefined; price?: Priced | null | undefined },
  catalog: Shop,
): Fact[] {
  const verdict = law && lawText(law, job.film_type, catalog);
  return [
    [FACTS.what, workName(job, catalog)],
    ...(car === "" ? [] : [[FACTS.car, car] as const]),
    ...jobFacts(job, catalog),
    ...(verdict === undefined ? [] : [[FACTS.law, verdict] as const]),
    ...(price ? priceFacts(price, catalog) : []),
  ];
}

export function readyFact(start: Start, endAt: number, catalog: Shop): Fact {
  const work = { startAt: momentOf(catalog, start.date, start.time), endAt };
  const said = partsOf(catalog, work).length > 1 ? FACTS.readyAfterNight : FACTS.readyAbout;
  return [FACTS.ready, said(readyAbout(start, endAt, catalog))];
}

/** `Ceramic IR film, SUV, all side and rear windows`. */
export function workName({ service, film_type: film, coverage, vehicle }: Job, { automotive, services }: Shop): string {
  return [
    film === null ? serviceName(service, { services }) : (automotive.films[film]?.name ?? capital(film)),
    ...(vehicle.type === null ? [] : [vehicleName(vehicle.type, { automotive })]),
    ...(coverage === null ? [] : [automotive.coverages[coverage]?.name ?? capital(coverage)]),
  ].join(", ");
}

/** The car as it was typed; empty where it was not. */
export function carName({ year, make, model }: Confirmation["vehicle"]): string {
  return [year, make, model].filter((part) => part !== null).join(" ");
}

function jobFacts({ film_type: film, addons, remove_old_film, ...job }: Job & Extras, catalog: Shop): Fact[] {
  const {
    terms: { removal },
    automotive,
  } = catalog;
  const extras = [
    ...addons.map((word) => automotive.addons[word]?.name ?? capital(word)),
    ...(remove_old_film ? [catalog.services.find(({ key }) => key === removal)?.name ?? FACTS.oldFilm] : []),
  ];
  const { shade, windshield_shade: windshield } = job;
  const sides = typeof shade === "object" ? shade : { front_side: shade, rear_side: shade, rear_window: shade };
  const covered: readonly string[] = automotive.coverages[job.coverage ?? ""]?.positions ?? SIDES;
  const tinted = sides && pick(sides, ...SIDES.filter((side) => covered.includes(side)));
  const hasWindshield = addonPositions(catalog, addons).includes("windshield");
  const darkness = darknessOf({ ...tinted, ...(hasWindshield && { windshield }) }, film, catalog);
  return [
    ...(darkness === "" ? [] : [[FACTS.darkness, darkness] as const]),
    ...(extras.length === 0 ? [] : [[FACTS.extras, extras.join(", ")] as const]),
  ];
}

type Percents = { [Glass in Position]?: number | null | undefined };

/** `front 50%, rear 15%`, by the numbers under which the film is sold; nothing where none is chosen. */
export function darknessOf(percents: Percents, film: string | null, catalog: Shop): string {
  const { front_side: front, rear_side: side, rear_window: window, windshield } = percents;
  const said = (vlt: number | null | undefined, inWords: (label: number) => string) =>
    vlt ? [inWords(shadeLabel(vlt, film, catalog))] : [];
  const rear =
    side === window ? said(side, FACTS.rear) : [...said(side, FACTS.rearSides), ...said(window, FACTS.rearWindow)];
  const isAlike = front && front === side && front === window;
  const sides = isAlike ? said(front, FACTS.allRound) : [...said(front, FACTS.front), ...rear];
  return [...sides, ...said(windshield, FACTS.windshield)].join(", ");
}
