/** What is paid before a booking is certain: how much, and the page to pay on. Source: contract 6. */
import { z } from "zod";
import { DEPOSIT_SAID } from "../../catalog/schema.ts";
import { fillTemplate } from "../../catalog/sections/template.ts";
import { depositTerms, type Shop } from "../../catalog/shop.ts";
import { LEAST_CHARGE } from "../../constants.ts";
import { type BookingStatus, isCancelled, isOnlyHeld } from "../../domain/lifecycle.ts";
import { isGivenBack } from "../../domain/payments.ts";
import { rfc3339 } from "../../domain/schedule.ts";
import { STORE_RETRY_SECONDS } from "../../errors.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { fieldsOf } from "../../lib/fields.ts";
import { formatMoney, toUnits } from "../../lib/money.ts";
import { LEAST_PAGE_MS, type PageRequest, PaymentsUnreachable } from "../../payments/stripe.ts";
import { linesFor } from "../../schema/fields.ts";
import type { Booking, DueDeposit, NewDeposit, Store } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import { currency, currencyUnits, timestamp } from "../core/shapes.ts";

/** In an answer. Without a page it is to be paid once the hold is confirmed. */
export const paymentShape = () =>
  z
    .object({
      amount: currencyUnits(),
      currency: currency(),
      url: z.string().nullable().meta({ format: "uri", description: "The customer pays there, by card." }),
      pay_until: timestamp().nullable().meta({ description: "Unpaid by then, the time is free again." }),
      note: z
        .string()
        .meta({ description: "What it is, and when it is given back. Tell the customer before they agree." }),
    })
    .meta({ title: "BookingPayment", description: "The deposit that makes the booking certain." });
export type Payment = z.output<ReturnType<typeof paymentShape>>;

export function asksForDeposits({ deposit }: Shop): boolean {
  return deposit !== undefined && deposit.services.length > 0;
}

/** A deposit that nobody asked about for so long is late: each open one is due several times a minute. */
const LATE_MS = 5 * MINUTE_MS;
const LOOKED_THROUGH = 1_000;

/** Deposits about which Stripe gave no answer when last asked, or was not asked, as without its key. */
export async function unansweredDeposits(store: Pick<Store, "dueDeposits">, now: number): Promise<DueDeposit[]> {
  const due = await store.dueDeposits(now + MINUTE_MS, LOOKED_THROUGH);
  return due.filter(({ lastError, askAt }) => lastError !== null || (askAt ?? now) < now - LATE_MS);
}

/** The deposit of a booking in cents; null where none is asked for. @param price in cents, null where it is not known */
export function depositAmount(service: string, price: number | null, shop: Shop): number | null {
  const deposit = depositTerms(service, shop);
  if (!deposit) return null;
  const base = price ?? lowestPrice(service, shop);
  const asked = deposit.amount ?? Math.round((base * (deposit.percent ?? 0)) / 100);
  const amount = Math.min(Math.max(asked, LEAST_CHARGE), price ?? asked);
  return amount < LEAST_CHARGE ? null : amount;
}

function lowestPrice(service: string, { priceList }: Shop): number {
  const films = [...(priceList.priced.get(service)?.work.values() ?? [])];
  const jobs = films.flatMap((film) => [...film.values()]).flatMap(({ vehicles }) => [...vehicles.values()]);
  return Math.min(...jobs.map(({ line }) => line.amount));
}

/** What a customer agrees to, in the shop's words. @param amount in cents */
export function depositNote(amount: number, shop: Shop): string {
  return filled(shop.deposit?.note ?? "", amount, shop.deposit?.refund_until_hours ?? 0, shop);
}

function filled(text: string, amount: number, hours: number, shop: Shop): string {
  const fields = {
    ...shop.messaging.fields,
    deposit: formatMoney(amount, shop.currency),
    minutes_to_pay: String(shop.deposit?.minutes_to_pay ?? 0),
    refund_hours: String(hours),
  };
  return fillTemplate(text, fields);
}

/** The deposit of a booking that was paid. */
export const paidDepositShape = () =>
  z
    .object({
      amount: currencyUnits(),
      currency: currency(),
      state: z.enum(["paid", "goes_back", "kept"]).meta({
        description: "What becomes of it.",
        ...linesFor({
          paid: "It counts toward the price.",
          goes_back: "It is given back.",
          kept: "The shop keeps it.",
        }),
      }),
      said: z.string().meta({ description: "Tell the customer." }),
    })
    .meta({ title: "PaidDeposit", description: "The deposit that was paid." });
export type PaidDeposit = z.output<ReturnType<typeof paidDepositShape>>;

const ENDS = { owed: "goes_back", refunded: "goes_back", kept: "kept" } as const;

/**
 * The deposit of a booking; undefined where none was paid.
 * @param to how the booking ends now
 */
export async function paidDeposit(
  booking: Booking,
  { catalog, store, now }: Pick<Context<never>, "catalog" | "store" | "now">,
  to: BookingStatus = booking.status,
): Promise<PaidDeposit | undefined> {
  if (!booking.payments.some(({ kind }) => kind === "deposit")) return undefined;
  const deposit = await store.depositOf(booking.id);
  if (!deposit || deposit.state === "open" || deposit.state === "expired" || deposit.state === "waived")
    return undefined;
  const { amount, currency, paymentIntent, refundHours } = deposit;
  const end = isGivenBack({ ...deposit, ...booking }, to, now.epochMilliseconds) ? "goes_back" : "kept";
  const state = deposit.state === "paid" ? (isCancelled(to) ? end : "paid") : ENDS[deposit.state];
  const what = state === "goes_back" && paymentIntent === null ? "by_hand" : state;
  return { amount: toUnits(amount), currency, state, said: depositSaid(what, amount, refundHours, catalog) };
}

/** In the shop's words. @param amount in cents */
export function depositSaid(what: keyof typeof DEPOSIT_SAID, amount: number, hours: number, shop: Shop): string {
  return filled((shop.deposit ?? DEPOSIT_SAID)[what], amount, hours, shop);
}

/** As an answer tells it. @param page where it can be paid by now */
export function toPayment(amount: number, page: Pick<NewDeposit, "url" | "payUntil"> | null, shop: Shop): Payment {
  return {
    amount: toUnits(amount),
    currency: shop.currency,
    url: page?.url ?? null,
    pay_until: page && rfc3339(shop, page.payUntil),
    note: depositNote(amount, shop),
  };
}

/** Whether the customer was told of a booking: what is only held is told to nobody, unless they were sent to pay its deposit. */
export function isToldOf({ answer }: Pick<Booking, "answer">): boolean {
  return !isOnlyHeld({ answer }) || typeof paymentIn(answer)?.url === "string";
}

/** The payment that a stored answer tells of. */
export function paymentIn(answer: unknown): Payment | undefined {
  return paymentShape().safeParse(fieldsOf(answer).payment).data;
}

/** Until when a booking waits for its deposit. */
export function payUntil(
  { startAt }: Pick<Booking, "startAt">,
  { catalog, now }: Pick<Context, "catalog" | "now">,
): number {
  return Math.min(now.epochMilliseconds + (catalog.deposit?.minutes_to_pay ?? 0) * MINUTE_MS, startAt);
}

/** Makes the page on which a deposit is paid. @throws ApiError BOOKING_FAILED when it cannot be made */
export async function openPage(
  { confirmationCode: code, startAt }: Pick<Booking, "confirmationCode" | "startAt">,
  amount: number,
  ctx: Context<"BOOKING_FAILED">,
  until = payUntil({ startAt }, ctx),
): Promise<NewDeposit> {
  const { catalog, now, payments, fail } = ctx;
  const { business, pages, site, currency, deposit } = catalog;
  const expiresAt = Math.max(until, now.epochMilliseconds + LEAST_PAGE_MS);
  const page: PageRequest = {
    ...{ code, amount, currency, expiresAt },
    description: `${business.name}, ${code}`,
    returnUrl: pages.manage === undefined ? site.url : pages.manage + code,
    idempotencyKey: `page-${code}-${expiresAt}`,
  };
  try {
    if (!payments) throw new PaymentsUnreachable("there is no key");
    const { id: pageId, url } = await payments.createPage(page);
    return { amount, currency, pageId, url, payUntil: until, refundHours: deposit?.refund_until_hours ?? 0 };
  } catch (error) {
    if (!(error instanceof PaymentsUnreachable)) throw error;
    const details = { retry_after_seconds: STORE_RETRY_SECONDS };
    return fail("BOOKING_FAILED", UNREACHABLE, details, { cause: error });
  }
}

const UNREACHABLE = "The deposit cannot be paid just now, so nothing was booked.";

/** Nobody is to pay for what was not booked. */
export async function dropPage({ pageId }: NewDeposit, { payments }: Context<never>): Promise<void> {
  // If this fails, the page ends by itself, and nobody knows its address.
  await payments?.expire(pageId).catch(() => {});
}
