import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import { fillTemplate } from "../catalog/sections/template.ts";
import type { Shop } from "../catalog/shop.ts";
import type { Mail } from "../store/store.ts";
import { type Appointment, appointmentWords, serviceName } from "./words.ts";

const HOUR_S = 3600;

/** In UTC. The same UID with a higher SEQUENCE replaces an entry (RFC 5545, 3.8.7.4), and CANCEL removes it. */
export function calendarFile(
  appointment: Appointment,
  at: number,
  shop: Shop,
  method: NonNullable<Mail["method"]> = "PUBLISH",
  words = appointmentWords(appointment, shop),
): string {
  const { business, site, messages, messaging } = shop;
  const calendar = ical({
    name: business.name,
    prodId: { company: "Tintdesk", product: "Tintdesk", language: "EN" },
    method: ICalCalendarMethod[method],
  });
  calendar.createEvent({
    id: `${appointment.code}@${new URL(site.url).hostname}`,
    start: new Date(appointment.startAt),
    end: new Date(appointment.endAt),
    stamp: new Date(at),
    sequence: appointment.changes ?? 0,
    ...(method === "CANCEL" && { status: ICalEventStatus.CANCELLED }),
    organizer: { name: business.name, email: business.email },
    summary: `${serviceName(appointment.service, shop)}${words.mail.film && ` (${words.mail.film})`} at ${business.name}`,
    description: fillTemplate(messages.calendar_text, words.mail),
    location: messaging.fields.address,
    ...(method !== "CANCEL" && {
      alarms: [{ type: ICalAlarmType.display, trigger: messages.calendar_reminder_hours * HOUR_S }],
    }),
  });
  return withLastLine(calendar.toString());
}

/** Every line of an ICS file ends in CRLF, the last one too (RFC 5545, 3.1). */
export function withLastLine(text: string): string {
  return `${text.trimEnd()}\r\n`;
}
