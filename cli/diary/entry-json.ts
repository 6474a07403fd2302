/** Bookings as `--json` prints them. */
import { bookAppointment } from "../../src/capabilities/book-appointment.ts";
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import type { DiaryEntry } from "./entries.ts";

/**
 * Facts of the first answer are null where another version of the program wrote it in another form: one such booking
 * must not hide the diary.
 */
export function entryJson({ booking, bay }: DiaryEntry, catalog: ShopClock) {
  const { answer, lead, ...facts } = booking;
  const told = bookAppointment.output.safeParse(answer).data;
  return {
    confirmation_code: facts.confirmationCode,
    booking_id: facts.id,
    status: facts.status,
    date: facts.date,
    time: facts.time,
    start: rfc3339(catalog, facts.startAt),
    end: rfc3339(catalog, facts.endAt),
    bay,
    service: facts.service,
    vehicle: told?.vehicle ?? null,
    film_type: told?.film_type ?? null,
    coverage: told?.coverage ?? null,
    estimate: told?.estimate ?? null,
    special_requests: told?.special_requests ?? null,
    customer: { name: lead.name, phone: lead.phone, email: lead.email },
    lead: { id: lead.id, reference: lead.reference },
    booking_request_id: told?.booking_request_id ?? null,
    created_at: rfc3339(catalog, facts.createdAt),
    ended_at: facts.endedAt === null ? null : rfc3339(catalog, facts.endedAt),
  };
}
