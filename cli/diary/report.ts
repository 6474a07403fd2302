/** The sums of a stretch of days. They use the prices agreed at the time, never those of today. */
import { storedConfirmation } from "../../src/capabilities/booking/confirmation.ts";
import { balanceOf } from "../../src/capabilities/desk/owed.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { OWNER, WEEKDAYS } from "../../src/constants.ts";
import { bayUse, type Occupancy, type Stretch } from "../../src/domain/bays.ts";
import {
  bringsMoney,
  isCancelled,
  isOnlyHeld,
  isOverAndOpen,
  LEAD_STATUSES,
  stayOf,
} from "../../src/domain/lifecycle.ts";
import { standing } from "../../src/domain/payments.ts";
import { addDays, datesFrom, daysBetween, planOf, type ShopClock } from "../../src/domain/schedule.ts";
import { toUnits } from "../../src/lib/money.ts";
import { diaryDays, RUNS_OVER_DAYS } from "../../src/store/diary-days.ts";
import type { Booking, Lead, Store } from "../../src/store/store.ts";
import { hoursInWords } from "../catalog/opening-times.ts";
import type { ShopLocale } from "../shop/clock.ts";
import type { Span } from "../typed/date-ranges.ts";
import { addPrice, addTax, type CentsByCurrency, type StoredPrice } from "./amounts.ts";
import { readDrawer, type Taking } from "./takings.ts";

/** The agent of callers whom the catalog does not know. */
export const NO_AGENT = "unknown";
export const THE_SHOP = "the shop itself";

export const GROUPS = ["service", "film", "agent", "weekday", "source", "payment"] as const;
export type Group = (typeof GROUPS)[number];

export type Report = Awaited<ReturnType<typeof readReport>>;

interface ReportGroup {
  name: string;
  tally: Tally;
  taken: Taking[];
}

export async function readReport(
  store: Store,
  { from, to, by }: Span & { by: Group | null },
  catalog: Shop | null,
  clock: ShopLocale,
  now: Temporal.Instant,
) {
  const all = newTally();
  const groups = new Map<string, ReportGroup>();
  const group = (name: string) => groups.getOrInsertComputed(name, () => ({ name, tally: newTally(), taken: [] }));
  const addons = new Map<string, Sum>();
  /** Completed bookings of which nobody wrote down a payment. */
  const unpaid = newSum();
  /** Completed bookings for which something was paid, but not their price, by day and time. `cents` is the difference. */
  const notAsPriced: { code: string; name: string; date: string; currency: string; cents: number }[] = [];
  const worked: Occupancy[] = [];
  // Work of the days before may last into these.
  for await (const day of diaryDays(store, addDays(from, -RUNS_OVER_DAYS), to, clock))
    for (const { booking } of day) {
      // A hold is in no sum: it is not booked yet, and one that expired or was cancelled never was.
      if (isOnlyHeld(booking)) continue;
      if (!isCancelled(booking.status)) worked.push(stayOf(booking));
      if (booking.date < from) continue;
      const confirmation = storedConfirmation.safeParse(booking.answer).data;
      const price = confirmation?.estimate ?? null;
      const state = reportState(booking, now.epochMilliseconds);
      countIn(all, state, price);
      const balance = balanceOf(booking);
      const isPaid = standing(booking.payments).some(({ kind }) => kind !== "tip");
      if (state === "completed" && !isPaid) addTo(unpaid, price);
      else if (state === "completed" && price && balance)
        notAsPriced.push({
          ...{ code: booking.confirmationCode, name: booking.lead.name, date: booking.date },
          ...{ currency: price.currency, cents: -balance },
        });
      if (by && by !== "payment") countIn(group(groupOf(booking, by)).tally, state, price);
      if (!bringsMoney(booking.status)) continue;
      for (const code of confirmation?.addons ?? []) {
        const line = price?.line_items.find((item) => item.code === code);
        const sum = addons.getOrInsertComputed(code, newSum);
        addTo(sum, price && line ? { currency: price.currency, total: line.amount } : null);
      }
    }
  const bays = catalog && bayUse(catalog, openingsIn(catalog, from, to), worked);
  const drawer = await readDrawer(store, { from, to }, clock);
  if (by && by !== "payment")
    for (const { date, payer, taking } of drawer.each) {
      const work = payer.booking ?? { ...payer, service: payer.serviceType, date };
      group(groupOf(work, by)).taken.push(taking);
    }
  return {
    ...{ from, to, all, by, unpaid, notAsPriced },
    /** Empty for payments, which are counted by day. */
    groups: [...groups.values()].sort(byOrder(by)),
    /** What was paid on each day, by date, and what was written down or taken back when its day was over. */
    ...{ takings: drawer.days, changes: drawer.changes },
    /** All that was paid. */
    taken: [...drawer.days.values()].flat(),
    /** Null while the catalog, which has the hours, is faulty. */
    bays,
    /** Why the shop is not open at all on these days: `blocked: Inventory`, `closed`; empty where it is. */
    closed: bays?.openMinutes !== 0 ? "" : from === to ? hoursInWords(catalog, from) : "closed",
    /** Only of work that was neither cancelled nor missed. */
    addons: [...addons].map(([name, sum]) => ({ name, sum })).sort((a, b) => b.sum.count - a.sum.count),
    ...(await leadsByAgent(store, from, to, clock)),
  };
}

/** @param work a booking, or a lead that was won without one, on the day of the payment */
function groupOf(work: Work, by: Exclude<Group, "payment">): string {
  switch (by) {
    case "service":
      return work.service;
    case "film":
      return storedConfirmation.safeParse(work.answer).data?.film_type ?? "no film";
    case "agent":
      return work.agentClass ?? NO_AGENT;
    case "weekday":
      return WEEKDAYS[Temporal.PlainDate.from(work.date).dayOfWeek - 1] ?? "";
    case "source":
      return bookedThrough(work);
  }
}

type Work = Pick<Booking, "service" | "agentClass" | "keyId" | "date"> & { answer?: unknown };

function bookedThrough({ keyId, agentClass }: Pick<Booking, "keyId" | "agentClass">): string {
  // The network is gone once the customer is forgotten.
  if (agentClass === OWNER) return THE_SHOP;
  if (keyId !== null) return "with an API key";
  return agentClass === null ? "online" : "an assistant";
}

const WEEKDAY_NAMES: readonly string[] = WEEKDAYS;

/** Weekdays in their order, anything else by number of bookings. */
function byOrder(by: Group | null) {
  const place = (name: string) => (by === "weekday" ? WEEKDAY_NAMES.indexOf(name) : 0);
  return (a: ReportGroup, b: ReportGroup) =>
    place(a.name) - place(b.name) || b.tally.booked.count - a.tally.booked.count || (a.name < b.name ? -1 : 1);
}

/** The hours in which the shop is open on these days; none on blocked days. */
function openingsIn(catalog: Shop, from: string, to: string): Stretch[] {
  return datesFrom(from, daysBetween(from, to) + 1)
    .map((date) => planOf(catalog, date))
    .filter(({ status }) => status !== "blocked")
    .flatMap(({ openings }) => openings.map(({ opensAt, closesAt }) => ({ from: opensAt, until: closesAt })));
}

const PAGE = 500;

/** Inquiries that came in these days, on the phone or online, by agent. Who booked at once is none of them. */
async function leadsByAgent(store: Store, from: string, to: string, clock: ShopClock) {
  const { timezone } = clock.business;
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(timezone).epochMilliseconds;
  const first = startOf(Temporal.PlainDate.from(from));
  const agents = new Map<string, { agent: string; leads: number; won: number; lost: number }>();
  /** The inquiries that were won, and the sum of their amounts where an amount was written down. */
  const won = newSum();
  const found = () => ({ leads: [...agents.values()].sort((a, b) => b.leads - a.leads), won });
  const end = startOf(Temporal.PlainDate.from(to).add({ days: 1 }));
  let after: Pick<Lead, "createdAt" | "id"> = { createdAt: end, id: "" };
  for (;;) {
    const page = await store.leads(LEAD_STATUSES, PAGE, after, ["quote_request"]);
    for (const { createdAt, agentClass, status, wonAmount } of page) {
      if (createdAt < first) return found();
      const agent = agentClass ?? NO_AGENT;
      const row = agents.getOrInsertComputed(agent, () => ({ agent, leads: 0, won: 0, lost: 0 }));
      row.leads += 1;
      if (status === "won" || status === "lost") row[status] += 1;
      if (status === "won") addTo(won, wonAmount && { currency: wonAmount.currency, total: toUnits(wonAmount.cents) });
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return found();
    after = last;
  }
}

export const STATES = ["booked", "completed", "to_come", "not_closed", "cancelled", "no_show"] as const;
type State = (typeof STATES)[number];

export interface Sum {
  count: number;
  cents: CentsByCurrency;
  /** The tax in these amounts or on top of them. */
  tax: CentsByCurrency;
}
export type Tally = Record<State, Sum>;

function newSum(): Sum {
  return { count: 0, cents: {}, tax: {} };
}

function newTally(): Tally {
  return {
    ...{ booked: newSum(), completed: newSum(), to_come: newSum(), not_closed: newSum() },
    ...{ cancelled: newSum(), no_show: newSum() },
  };
}

function countIn(tally: Tally, state: State, price: StoredPrice | null): void {
  // A sum over all states would hold amounts that nobody will pay.
  addTo(tally.booked, null);
  addTo(tally[state], price);
}

function reportState(booking: Booking, now: number): State {
  const { status } = booking;
  if (isOverAndOpen(booking, now)) return "not_closed";
  if (status === "confirmed") return "to_come";
  return isCancelled(status) ? "cancelled" : status === "no_show" ? "no_show" : "completed";
}

function addTo(sum: Sum, price: StoredPrice | null): void {
  sum.count += 1;
  if (!price) return;
  addPrice(sum.cents, price);
  addTax(sum.tax, price);
}
