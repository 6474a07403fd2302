import ical, { ICalCalendarMethod } from "ical-generator";
import type { Catalog } from "../catalog/schema.ts";
import { type Appointment, addressOf, serviceName } from "./messages.ts";

/**
 * An ICS file of an appointment. Times are UTC, and every calendar shows them on its own clock.
 * @param createdAt when the booking was made; epoch milliseconds
 */
export function calendarFile(appointment: Appointment, createdAt: number, catalog: Catalog): string {
  const { business, site } = catalog;
  const calendar = ical({
    name: business.name,
    prodId: { company: "Tintdesk", product: "Tintdesk", language: "EN" },
    method: ICalCalendarMethod.PUBLISH,
  });
  calendar.createEvent({
    id: `${appointment.code}@${new URL(site.url).hostname}`,
    start: new Date(appointment.startAt),
    end: new Date(appointment.endAt),
    stamp: new Date(createdAt),
    summary: `${serviceName(appointment, catalog)} at ${business.name}`,
    description: `Confirmation code ${appointment.code}`,
    location: addressOf(catalog),
  });
  return calendar.toString();
}
