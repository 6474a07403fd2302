/** Bookings as the owner reads them, with bay, vehicle and price; and as `--json` and `--csv` print them. */
import { storedConfirmation, storedWarnings } from "../../src/capabilities/booking/confirmation.ts";
import { dueOf } from "../../src/capabilities/desk/owed.ts";
import { coverageLabel, placeOf } from "../../src/catalog/terms.ts";
import { OWNER, type PaidBy } from "../../src/constants.ts";
import type { BlockedHours } from "../../src/domain/bays.ts";
import { ALWAYS_YEAR, dayAndDate, weekdayInWords } from "../../src/domain/dates-in-words.ts";
import { type BookingStatus, workEnd } from "../../src/domain/lifecycle.ts";
import { signedAmount, standing, waysOf } from "../../src/domain/payments.ts";
import { isCatalog, rfc3339, type ShopClock, shopDate } from "../../src/domain/schedule.ts";
import { partsIn } from "../../src/domain/slots.ts";
import { MINUTE_MS } from "../../src/lib/durations.ts";
import { toUnits } from "../../src/lib/money.ts";
import { counted, durationInWords, sentence, spaced } from "../../src/lib/text.ts";
import type { DiaryEntry } from "../../src/store/diary-days.ts";
import type { Booking, Deposit } from "../../src/store/store.ts";
import { hasCrm } from "../server/outbox.ts";
import { phoneInCell, type ShopLocale, shopPhone } from "../shop/clock.ts";
import { type Column, LEAST, NAME, table } from "../terminal/columns.ts";
import { csv } from "../terminal/lists.ts";
import { momentInWords, moneyIn, timeInWords } from "../terminal/wording.ts";
import { listPriceOf, moneyInWords, paymentJson } from "./amounts.ts";
import { blockCells, type DiaryRow, isBlock } from "./blocks.ts";
import { depositInWords } from "./deposits.ts";

/** `phone` is drawn only. Work that ends on another day says when, before anything that may be cut. */
export function diaryColumns(catalog: ShopLocale, now: Temporal.Instant): Column<DiaryRow>[] {
  const today = shopDate(catalog, now);
  const known = new WeakMap<DiaryEntry, Facts>();
  const factsOf = (entry: DiaryEntry) => {
    const facts = known.get(entry) ?? entryJson(entry, catalog);
    known.set(entry, facts);
    return facts;
  };
  const blocked = (block: BlockedHours): Partial<Record<string, string>> =>
    isCatalog(catalog) ? blockCells(block, catalog, today) : {};
  const column = (name: string, value: (entry: DiaryEntry) => string, width: Partial<Column<DiaryRow>> = {}) => {
    return { ...width, name, value: (row: DiaryRow) => (isBlock(row) ? (blocked(row.block)[name] ?? "") : value(row)) };
  };
  const totalOf = ({ estimate }: Facts) => (estimate ? moneyIn(estimate.currency)(estimate.total) : "");
  return [
    column("date", ({ booking }) => dayAndDate(booking.date, today)),
    column("time", ({ booking }) => timeInWords(catalog, booking.startAt), { align: "right" }),
    column("bay", ({ bay }) => (bay === null ? "" : String(bay)), { align: "right", drop: 2 }),
    column("customer", ({ booking }) => booking.lead.name, { min: NAME }),
    column("phone", ({ booking }) => shopPhone(booking.lead, catalog)),
    column("vehicle", (entry) => factsOf(entry).vehicle?.description ?? "", { min: LEAST, drop: 4 }),
    column(
      "job",
      (entry) => [overnight(entry.booking, catalog), jobInWords(factsOf(entry), catalog)].filter(Boolean).join(", "),
      { min: 16, drop: 3 },
    ),
    column("code", ({ booking }) => booking.confirmationCode, { drop: 6 }),
    column("price", (entry) => totalOf(factsOf(entry)), { align: "right", drop: 1 }),
    column(
      "status",
      ({ booking }) => (booking.status === "held" ? `held ${timeLeft(booking, now)}` : stateInWords(booking.status)),
      { drop: 5 },
    ),
  ];
}

export function diaryTable(rows: readonly DiaryRow[], catalog: ShopLocale, now: Temporal.Instant): string {
  const printed = diaryColumns(catalog, now).filter(({ name }) => name !== "phone");
  return table(printed, rows);
}

/** `42 min`: so long a hold still lasts. */
function timeLeft({ heldUntil }: Booking, now: Temporal.Instant): string {
  return durationInWords(Math.ceil(((heldUntil ?? 0) - now.epochMilliseconds) / MINUTE_MS));
}

/** `to Tue 2:00 AM` for work that ends on another day than it begins; empty for all other. */
function overnight(booking: Booking, clock: ShopClock): string {
  const endAt = workEnd(booking);
  const end = endInWords({ ...booking, endAt }, clock);
  return end === timeInWords(clock, endAt) ? "" : `to ${end}`;
}

/** `2:00 AM`, or `Tue 2:00 AM` where the work ends on another day than this one: by default, the one on which it begins. */
export function endInWords({ date, endAt }: Pick<Booking, "date" | "endAt">, clock: ShopClock, day = date): string {
  // Midnight is still the end of the day.
  const isThatDay = [shopDate(clock, endAt), shopDate(clock, endAt - 1)].includes(day);
  return `${isThatDay ? "" : `${weekdayInWords(shopDate(clock, endAt))} `}${timeInWords(clock, endAt)}`;
}

export function entryFacts(
  entry: DiaryEntry,
  catalog: ShopLocale,
  now: Temporal.Instant,
  deposit: Deposit | null,
): [string, string | null | undefined][] {
  const { booking } = entry;
  const how =
    deposit?.state === "open"
      ? ` without its deposit: tint deposit ${booking.confirmationCode} --waive`
      : `: tint bookings confirm ${booking.confirmationCode}`;
  const facts = entryJson(entry, catalog);
  const { name, email } = booking.lead;
  return [
    ["Booking", `${booking.confirmationCode}, ${stateInWords(booking.status)}`],
    [
      "Held until",
      booking.status === "held"
        ? `${momentInWords(catalog, booking.heldUntil ?? 0, now)}, ${timeLeft(booking, now)} left; to book it${how}`
        : null,
    ],
    ["When", whenInWords(booking, catalog, shopDate(catalog, now))],
    ["Customer", [name, shopPhone(booking.lead, catalog), email].filter((part) => part !== "").join(", ")],
    ["Vehicle", facts.vehicle?.description],
    ["Job", jobInWords(facts, catalog)],
    ["Tint law", lawInWords(booking, facts, catalog)],
    ["Price", moneyInWords({ ...facts, booking }, catalog.currency ?? "USD")],
    ["Deposit", deposit && depositInWords(deposit, booking, catalog)],
    ["Note", facts.special_requests],
    ["Lead", hasCrm() ? booking.lead.reference : null],
    ["Booked", momentInWords(catalog, booking.createdAt, now)],
    ["Booked by", bookedBy(booking)],
    ["Ended", booking.endedAt === null ? null : momentInWords(catalog, booking.endedAt, now)],
    ["Reason", booking.cancelReason],
  ];
}

/** From when to when, for each day of work that pauses overnight. */
function whenInWords(booking: DiaryEntry["booking"], clock: ShopLocale, today: string): string {
  const parts = partsIn(clock, booking);
  const begins = `${dayAndDate(booking.date, today)}, ${timeInWords(clock, booking.startAt)}`;
  if (parts.length === 1) return `${begins} to ${endInWords(booking, clock)}`;
  const days = parts.map(({ startAt, endAt }) => `${momentInWords(clock, startAt)} to ${timeInWords(clock, endAt)}`);
  return days.join("; ");
}

/** The warning of a shade that is not legal, or may not be, otherwise the verdict; and that the customer knew. */
function lawInWords(
  { answer }: Booking,
  { tint_law: law, accepted_not_legal: isAccepted }: Facts,
  catalog: ShopLocale,
) {
  const told = storedWarnings.parse(answer).warnings.find(({ code }) => LAW_WARNINGS.includes(code));
  // A state that left the catalog keeps its code.
  const state = law && (catalog.tint_law?.jurisdictions[law.jurisdiction]?.name ?? law.jurisdiction);
  const verdict = told?.message ?? (law && `${state}: ${spaced(law.status)}`);
  return isAccepted ? `${sentence(verdict ?? "")} The customer knew, and wanted it.`.trim() : verdict;
}

const LAW_WARNINGS: readonly string[] = ["NOT_LEGAL", "DEPENDS_ON_CLASS"];

function bookedBy({ keyId, network, agentClass }: DiaryEntry["booking"]): string {
  if (agentClass === OWNER) return "the shop";
  const sender = agentClass === null ? "online" : `the assistant ${agentClass}`;
  return [sender, `network ${network}`, ...(keyId === null ? [] : [`key ${keyId}`])].join(", ");
}

/** Says how many jobs of past days nobody has closed. @param open those, the first one first */
export function openInWords(open: readonly Pick<Booking, "date">[]): string {
  const [first] = open;
  const since = first ? `, the first of ${dayAndDate(first.date, ALWAYS_YEAR)}` : "";
  return `${counted(open.length, "job")} of past days ${open.length === 1 ? "is" : "are"} still open${since}`;
}

/** `no-show`, `cancelled by shop`, alone. */
export function stateInWords(state: string): string {
  return state === "no_show" ? "no-show" : spaced(state);
}

/** In the middle of a sentence. */
export function statusInWords(status: BookingStatus): string {
  return status === "no_show" ? "marked as a no-show" : spaced(status).replace(/ by (?=shop|customer)/, " by the ");
}

type Facts = ReturnType<typeof entryJson>;

/** `ceramic tint (front two), 20%, old film off`, or `site visit, residential`. The usual coverage is not named. */
export function jobInWords(facts: Omit<Facts, "bay">, shop: ShopLocale): string {
  const { service, film_type, coverage } = facts;
  // At the customer's, what has no price yet is a look at the place.
  const known = shop.services?.find(({ key }) => key === service);
  const isVisit = facts.estimate === null && known !== undefined && placeOf(known) === "customer";
  const work = service === "automotive" ? "tint" : `${isVisit ? "site visit, " : ""}${spaced(service)}`;
  const isUsual = coverage === null || coverage === (shop.automotive?.defaults.coverage ?? "full");
  const part = isUsual ? null : `(${coverageLabel(coverage, shop)})`;
  const job = [film_type && spaced(film_type), work, part].filter(Boolean).join(" ");
  const extras = [...(facts.remove_old_film ? ["old film off"] : []), ...facts.addons.map(spaced)];
  return [job, shadesInWords(facts), ...extras].filter((part) => part !== "").join(", ");
}

function shadesInWords({ shade, windshield_shade: windshield, accepted_not_legal: isAccepted }: Omit<Facts, "bay">) {
  const sides =
    shade !== null && typeof shade === "object"
      ? Object.entries(shade).map(([position, vlt]) => (vlt === null ? null : `${spaced(position)} ${vlt}%`))
      : [shade === null ? null : `${shade}%`];
  const all = [...sides, windshield === null ? null : `windshield ${windshield}%`, isAccepted ? "not legal" : null];
  return all.filter((one) => one !== null).join(", ");
}

/** Facts are null where another version stored the answer in another form: one such booking must not hide the whole diary. */
export function entryJson({ booking, bay }: DiaryEntry, catalog: ShopClock) {
  const { answer, lead, payments, ...facts } = booking;
  const confirmation = storedConfirmation.safeParse(answer).data;
  const estimate = confirmation?.estimate ?? null;
  const list = estimate && listPriceOf(estimate);
  const due = dueOf(booking);
  return {
    confirmation_code: facts.confirmationCode,
    booking_id: facts.id,
    status: facts.status,
    held_until: facts.heldUntil === null ? null : rfc3339(catalog, facts.heldUntil),
    date: facts.date,
    time: facts.time,
    start: rfc3339(catalog, facts.startAt),
    end: rfc3339(catalog, facts.endAt),
    split: splitJson(booking, catalog),
    bay,
    service: facts.service,
    vehicle: confirmation?.vehicle ?? null,
    film_type: confirmation?.film_type ?? null,
    coverage: confirmation?.coverage ?? null,
    addons: confirmation?.addons ?? [],
    remove_old_film: confirmation?.remove_old_film ?? false,
    shade: confirmation?.shade ?? null,
    windshield_shade: confirmation?.windshield_shade ?? null,
    tint_law: confirmation?.tint_law ?? null,
    accepted_not_legal: confirmation?.accepted_not_legal ?? false,
    estimate,
    list_price: list,
    agreed_price: estimate && estimate.total !== list ? estimate.total : null,
    estimate_id: confirmation?.estimate_id ?? null,
    special_requests: confirmation?.special_requests ?? null,
    customer: { name: lead.name, phone: lead.phone, phone_extension: lead.extension || null, email: lead.email },
    lead: { id: lead.id, reference: lead.reference },
    booked_by: { key_id: facts.keyId, network: facts.network, agent_class: facts.agentClass },
    booking_request_id: confirmation?.booking_request_id ?? null,
    created_at: rfc3339(catalog, facts.createdAt),
    ended_at: facts.endedAt === null ? null : rfc3339(catalog, facts.endedAt),
    changes: facts.changes,
    paid: paidJson(booking),
    due: due === null ? null : toUnits(due),
    payments: payments.map((payment) => paymentJson(payment, catalog)),
    cancel_reason: facts.cancelReason,
  };
}

/** All that was paid, less what was paid back; the way where there is one. */
function paidJson({ payments }: Booking): { amount: number; by: PaidBy | null } | null {
  const stand = standing(payments);
  const [way = null, ...others] = waysOf(stand);
  const amount = toUnits(stand.reduce((sum, one) => sum + signedAmount(one), 0));
  return way && { amount, by: others.length === 0 ? way : null };
}

/** The days of work that pauses overnight; null for work in one piece. */
function splitJson(booking: DiaryEntry["booking"], clock: ShopClock) {
  const parts = partsIn(clock, booking);
  if (parts.length === 1) return null;
  return parts.map(({ startAt, endAt }) => ({ start: rfc3339(clock, startAt), end: rfc3339(clock, endAt) }));
}

const COLUMNS = [
  ...["date", "time", "bay", "status", "code", "name", "phone", "email", "vehicle", "service", "film", "coverage"],
  ...["addons", "price", "currency", "note", "agent", "booked_at", "tax", "price_with_tax"],
  ...["paid", "paid_by", "list_price", "agreed_price", "phone_extension"],
];

export function diaryCsv(entries: readonly DiaryEntry[], catalog: ShopLocale): string {
  const rows = entries.map((entry) => {
    const { customer, vehicle, estimate, booked_by, ...facts } = entryJson(entry, catalog);
    const ways = waysOf(standing(entry.booking.payments)).join("; ");
    return [
      ...[facts.date, facts.time, facts.bay, facts.status, facts.confirmation_code],
      ...[customer.name, phoneInCell(customer, catalog), customer.email, vehicle?.description ?? null],
      ...[facts.service, facts.film_type, facts.coverage, facts.addons.join("; ")],
      ...[estimate?.total ?? null, estimate?.currency ?? null, facts.special_requests],
      ...[booked_by.agent_class, facts.created_at, estimate?.tax?.amount ?? null, estimate?.total_with_tax ?? null],
      ...[facts.paid?.amount ?? null, ways, facts.list_price, facts.agreed_price, customer.phone_extension],
    ];
  });
  return csv(COLUMNS, rows);
}
