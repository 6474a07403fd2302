/** The messages that a change of a booking triggers: to the shop, and to the customer. */
import type { Catalog } from "../catalog/schema.ts";
import type { NewJob } from "../store/store.ts";
import {
  cancellation,
  confirmationAndReminders,
  type MessagePlan,
  newTimeAndReminders,
  settledAt,
} from "./customer-messages.ts";
import { type Appointment, shopBookingText, smsOf } from "./message-texts.ts";

/** @param appointment at its new time @param at when it was moved */
export const planRescheduling: MessagePlan = (customer, appointment, at, catalog) => [
  // A booking that was moved back before any message about the move went out needs no message.
  ...(appointment.previousStartAt === appointment.startAt
    ? []
    : [shopText(catalog.messages.shop_rescheduled_sms, appointment, at, catalog)]),
  ...newTimeAndReminders(customer, appointment, at, catalog),
];

/** Other work at the same time: shop and customer get the booking as it now is. @param at when it was changed */
export const planNewWork: MessagePlan = (customer, appointment, at, catalog) => [
  shopText(catalog.messages.shop_changed_sms, appointment, at, catalog),
  ...confirmationAndReminders(customer, appointment, at, catalog),
];

/** @param at when it was cancelled */
export const planCancellation: MessagePlan = (customer, appointment, at, catalog) => [
  shopText(catalog.messages.shop_cancelled_sms, appointment, at, catalog),
  ...cancellation(customer, appointment, at, catalog),
];

/**
 * The messages of a new booking again, in words for the booking after a change. They replace those that still wait.
 * @param at when it was made
 */
export const rewordedMessages: MessagePlan = (customer, appointment, at, catalog) => {
  const payload = { text: shopBookingText(appointment, catalog) };
  return [
    { kind: "notify_shop_sms", payload, dueAt: at, unless: null },
    ...confirmationAndReminders(customer, appointment, at, catalog),
  ];
};

function shopText(template: string, appointment: Appointment, at: number, catalog: Catalog): NewJob {
  const { previousStartAt: movedFrom } = appointment;
  const text = smsOf(template, appointment, catalog);
  const payload = { text, ...(movedFrom !== undefined && { movedFrom }) };
  return { kind: "notify_shop_sms", payload, dueAt: settledAt(at, catalog), unless: null };
}
