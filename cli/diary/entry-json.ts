/** Bookings as `--json` and `--csv` print them. */
import { storedConfirmation } from "../../src/capabilities/booking/confirmation.ts";
import { toUnits } from "../../src/domain/money.ts";
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import type { DiaryEntry } from "./entries.ts";

/**
 * A booking as JSON. Facts are null when another version of the program stored the answer in another form, so that one
 * such booking does not hide the whole diary.
 */
export function entryJson({ booking, bay }: DiaryEntry, catalog: ShopClock) {
  const { answer, lead, ...facts } = booking;
  const told = storedConfirmation.safeParse(answer).data;
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
    addons: told?.addons ?? [],
    remove_old_film: told?.remove_old_film ?? false,
    shade: told?.shade ?? null,
    windshield_shade: told?.windshield_shade ?? null,
    tint_law: told?.tint_law ?? null,
    estimate: told?.estimate ?? null,
    estimate_id: told?.estimate_id ?? null,
    special_requests: told?.special_requests ?? null,
    customer: { name: lead.name, phone: lead.phone, email: lead.email },
    lead: { id: lead.id, reference: lead.reference },
    booked_by: { key_id: facts.keyId, network: facts.network, agent_class: facts.agentClass },
    booking_request_id: told?.booking_request_id ?? null,
    created_at: rfc3339(catalog, facts.createdAt),
    ended_at: facts.endedAt === null ? null : rfc3339(catalog, facts.endedAt),
    changes: facts.changes,
    paid: facts.paid && { amount: toUnits(facts.paid.amount), by: facts.paid.by },
    cancel_reason: facts.cancelReason,
  };
}

/** The columns that `--csv` prints, one booking a row. */
export const ENTRY_COLUMNS = [
  ...["date", "time", "bay", "status", "code", "name", "phone", "email", "vehicle", "service", "film", "coverage"],
  ...["addons", "price", "currency", "note", "agent", "booked_at"],
];

export function entryCells(entry: DiaryEntry, catalog: ShopClock): (string | number | null)[] {
  const { customer, vehicle, estimate, booked_by, ...facts } = entryJson(entry, catalog);
  return [
    ...[facts.date, facts.time, facts.bay, facts.status, facts.confirmation_code],
    ...[customer.name, customer.phone, customer.email, vehicle?.description ?? null],
    ...[facts.service, facts.film_type, facts.coverage, facts.addons.join("; ")],
    ...[estimate?.total ?? null, estimate?.currency ?? null, facts.special_requests],
    ...[booked_by.agent_class, facts.created_at],
  ];
}
