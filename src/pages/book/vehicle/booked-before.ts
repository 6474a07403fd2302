/** Whether a tab that sends the form has booked with it already: after going back, and choosing something else. */
import type { Context } from "../../../capabilities/core/capability.ts";
import { isFreshId } from "../../../lib/ids.ts";
import { toE164 } from "../../../lib/phone.ts";
import type { Booking, Store } from "../../../store/store.ts";
import { visibleText } from "../shell/forms.ts";

interface Before {
  code: string;
  date: string;
  time: string;
  /** Cancelled or done, so the customer may book again. */
  isOver: boolean;
  /** Made for the same phone, so the same form sent again gets the first answer. */
  isOfPhone: boolean;
}

/**
 * The booking is known by the form's own id, which only the tab that was given it can send. It is never looked up by phone or
 * e-mail alone, nor by the id of another program, which can be guessed: that would tell strangers what a person has booked.
 */
export async function bookedBefore(
  form: URLSearchParams,
  { store, catalog, now }: Pick<Context, "store" | "catalog" | "now">,
): Promise<Before | undefined> {
  const id = form.get("booking_request_id");
  if (!id || !isFreshId(id)) return undefined;
  const phone = toE164(visibleText(form, "customer_phone"), catalog.business.address.country);
  const ofPhone = phone === undefined ? undefined : await madeWith(phone, id, store);
  const found = ofPhone ?? (await ofTab(form.get("booked"), id, store));
  if (!found) return undefined;
  const { confirmationCode: code, date, time, status, endAt } = found;
  const isOver = status !== "confirmed" || endAt <= now.epochMilliseconds;
  return { code, date, time, isOver, isOfPhone: ofPhone !== undefined };
}

async function madeWith(phone: string, id: string, store: Store): Promise<Booking | undefined> {
  return (await store.findEarlier(phone, id))?.booking;
}

/** @param code that the tab kept; it must be of a booking with the same id */
async function ofTab(code: string | null, id: string, store: Store): Promise<Booking | undefined> {
  const booking = code ? await store.findBooking(code) : null;
  return booking && Object(booking.answer).booking_request_id === id ? booking : undefined;
}
