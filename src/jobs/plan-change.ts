/** The messages that a change of a booking triggers: to the shop, and to the customer. */
import type { Catalog } from "../catalog/schema.ts";
import type { NewJob } from "../store/store.ts";
import {
  cancellation,
  confirmationAndReminders,
  newTimeAndReminders,
  type Recipient,
  settledAt,
} from "./customer-messages.ts";
import { type Appointment, shopBookingText, smsOf } from "./message-texts.ts";

/** @param appointment at its new time @param at when it was moved; epoch milliseconds */
export function planRescheduling(
  customer: Recipient,
  appointment: Appointment,
  at: number,
  catalog: Catalog,
): NewJob[] {
  return [
    // A booking that was moved back before any message about the move went out needs no message.
    ...(appointment.previousStartAt === appointment.startAt
      ? []
      : [shopText(catalog.messages.shop_rescheduled_sms, appointment, at, catalog)]),
    ...newTimeAndReminders(customer, appointment, at, catalog),
  ];
}

/** Other work at the same time: shop and customer get the booking as it now is. @param at when it was changed */
export function planNewWork(customer: Recipient, appointment: Appointment, at: number, catalog: Catalog): NewJob[] {
  return [
    shopText(catalog.messages.shop_changed_sms, appointment, at, catalog),
    ...confirmationAndReminders(customer, appointment, at, catalog),
  ];
}

/** @param at when it was cancelled; epoch milliseconds */
export function planCancellation(
  customer: Recipient,
  appointment: Appointment,
  at: number,
  catalog: Catalog,
): NewJob[] {
  return [
    shopText(catalog.messages.shop_cancelled_sms, appointment, at, catalog),
    ...cancellation(customer, appointment, at, catalog),
  ];
}

/**
 * The messages of a new booking again, in words for the booking after a change. They replace those that still wait.
 * @param at when it was made; epoch milliseconds
 */
export function rewordedMessages(
  customer: Recipient,
  appointment: Appointment,
  at: number,
  catalog: Catalog,
): NewJob[] {
  const payload = { text: shopBookingText(appointment, catalog) };
  return [
    { kind: "notify_shop_sms", payload, dueAt: at, unless: null },
    ...confirmationAndReminders(customer, appointment, at, catalog),
  ];
}

function shopText(template: string, appointment: Appointment, at: number, catalog: Catalog): NewJob {
  const { previousStartAt: movedFrom } = appointment;
  const text = smsOf(template, appointment, catalog);
  const payload = { text, ...(movedFrom !== undefined && { movedFrom }) };
  return { kind: "notify_shop_sms", payload, dueAt: settledAt(at, catalog), unless: null };
}
