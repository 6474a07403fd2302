import ical, { ICalCalendarMethod } from "ical-generator";

export interface Appointment {
  /** Confirmation code; makes the event's id. */
  code: string;
  startAt: number;
  endAt: number;
  createdAt: number;
  title: string;
  shop: string;
  address: string;
  url: string;
}

/** An ICS file of an appointment. Times are UTC, which every calendar shows on its owner's clock. */
export function calendarFile({ code, startAt, endAt, createdAt, title, shop, address, url }: Appointment): string {
  const calendar = ical({
    name: shop,
    prodId: { company: "Tintdesk", product: "Tintdesk", language: "EN" },
    method: ICalCalendarMethod.PUBLISH,
  });
  calendar.createEvent({
    id: `${code}@${new URL(url).hostname}`,
    start: new Date(startAt),
    end: new Date(endAt),
    stamp: new Date(createdAt),
    summary: title,
    description: `Confirmation code ${code}`,
    location: address,
  });
  return calendar.toString();
}
