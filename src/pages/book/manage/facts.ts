/** A booking as its customer sees it. */
import type { ManagedBooking } from "../../../capabilities/managing/shapes.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { type Html, html } from "../../markup/html.ts";
import { jobFacts, workName } from "../shell/job.ts";
import { amount, clock, dayIn } from "../shell/words.ts";

const STATUS: Readonly<Record<string, string>> = {
  confirmed: "Booked",
  completed: "Done",
  no_show: "Missed",
  cancelled_by_shop: "Cancelled by the shop",
  cancelled_by_customer: "Cancelled",
};

export function bookingFacts(booking: ManagedBooking, catalog: Catalog): Html {
  const { status, date, time, vehicle, estimate, customer, confirmation_code: code } = booking;
  const car = [vehicle.year, vehicle.make, vehicle.model].filter((part) => part !== null).join(" ");
  return html`<dl class="summary"><div><dt>Code</dt><dd><b class="mono">${code}</b></dd></div><div><dt>Status</dt><dd>${STATUS[status] ?? status}</dd></div><div><dt>Name</dt><dd>${customer.name}</dd></div><div><dt>When</dt><dd>${dayIn("longDay", date, catalog)}, ${clock(time, catalog)}</dd></div><div><dt>What</dt><dd>${workName(booking, catalog)}</dd></div>${jobFacts(booking, catalog)}${car !== "" && html`<div><dt>Car</dt><dd>${car}</dd></div>`}${estimate && html`<div><dt>Price</dt><dd>${amount(estimate.total, catalog)}</dd></div>`}</dl>`;
}
