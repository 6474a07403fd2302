/** The messages that a change of a booking triggers: to the shop, and to the customer. */
import type { Shop } from "../catalog/shop.ts";
import type { NewJob } from "../store/store.ts";
import {
  cancellation,
  confirmationAndReminders,
  type MessagePlan,
  newTimeAndReminders,
  settledAt,
} from "./customer-messages.ts";
import type { Appointment } from "./message-texts.ts";
import { bookingNews, reminderNews } from "./shop-texts.ts";

/** @param appointment at its new time @param at when it was moved */
export const planRescheduling: MessagePlan = (customer, appointment, at, catalog) => [
  // A booking that was moved back before any message about the move went out needs no message.
  ...(appointment.previousStartAt === appointment.startAt ? [] : [shopText("rescheduled", appointment, at, catalog)]),
  ...newTimeAndReminders(customer, appointment, at, catalog),
];

/** Other work at the same time: shop and customer get the booking as it now is. @param at when it was changed */
export const planNewWork: MessagePlan = (customer, appointment, at, catalog) => [
  shopText("changed", appointment, at, catalog),
  ...confirmationAndReminders(customer, appointment, at, catalog),
];

/** @param at when it was cancelled */
export const planCancellation: MessagePlan = (customer, appointment, at, catalog) => [
  shopText("cancelled", appointment, at, catalog),
  ...cancellation(customer, appointment, at, catalog),
];

/**
 * The messages of a new booking again, in words for the booking after a change. They replace those that still wait.
 * @param at when it was made
 */
export const rewordedMessages: MessagePlan = (customer, appointment, at, catalog) => {
  const { reference } = customer;
  const when = { dueAt: at, unless: null };
  return [
    { ...when, kind: "notify_shop_sms", payload: bookingNews("booking", appointment, catalog) },
    ...(reference === undefined
      ? []
      : [
          { ...when, kind: "remind_owner_notice" as const, payload: reminderNews({ reference, appointment }, catalog) },
        ]),
    ...confirmationAndReminders(customer, appointment, at, catalog),
  ];
};

function shopText(
  kind: "changed" | "rescheduled" | "cancelled",
  appointment: Appointment,
  at: number,
  catalog: Shop,
): NewJob {
  const { previousStartAt: movedFrom } = appointment;
  const payload = { ...bookingNews(kind, appointment, catalog), ...(movedFrom !== undefined && { movedFrom }) };
  return { kind: "notify_shop_sms", payload, dueAt: settledAt(at, catalog), unless: null };
}
