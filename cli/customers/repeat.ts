/** A customer who comes again: the fields of a booking that are known of them. */
import { storedConfirmation } from "../../src/capabilities/booking/confirmation.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { dayAndDate } from "../../src/domain/dates-in-words.ts";
import { isOff } from "../../src/domain/lifecycle.ts";
import { counted, spaced } from "../../src/lib/text.ts";
import type { Booking, Customer } from "../../src/store/store.ts";
import { shopPhone } from "../shop/clock.ts";
import { shadesTyped } from "../typed/requests.ts";

/** By field of a booking; the car as one text, as it is said. */
export type KnownFields = { customer_phone: string } & Partial<
  Record<"customer_name" | "customer_email" | "vehicle_model" | "vehicle_type" | "film_type" | "shade", string>
>;

/** Fills a new booking of a known customer: the latest name and e-mail, and car, film and shade of the last visit. */
export function knownFields(customer: Customer, catalog: Shop): KnownFields {
  const { leads } = customer;
  const name = leads.find((lead) => lead.name !== "")?.name;
  const email = leads.find((lead) => lead.email !== "")?.email;
  const visits = visitsFirst(customer).map(({ answer }) => storedConfirmation.safeParse(answer).data);
  const visit = visits.find((one) => one && (one.vehicle.model ?? one.vehicle.type) !== null);
  const car = visit?.vehicle;
  const shade = visit ? shadeTyped(visit.shade) : "";
  const said = [car?.year, car?.make, car?.model].filter((part) => part !== null && part !== undefined).join(" ");
  const type = car?.type ?? "";
  return {
    customer_phone: shopPhone(customer, catalog),
    ...(name !== undefined && { customer_name: name }),
    ...(email !== undefined && { customer_email: email }),
    ...(said !== "" && { vehicle_model: said }),
    ...(catalog.terms.vehicleTypes.includes(type) && { vehicle_type: type }),
    ...(visit?.film_type && catalog.terms.films.includes(visit.film_type) && { film_type: visit.film_type }),
    ...(shade !== "" && { shade }),
  };
}

/** Bookings that were cancelled or missed come last: they say less of a customer than a visit. */
function visitsFirst({ bookings }: Customer): Booking[] {
  const isMissed = ({ status }: Booking) => isOff(status) || status === "no_show";
  return [...bookings.filter((one) => !isMissed(one)), ...bookings.filter(isMissed)];
}

function shadeTyped(shade: unknown): string {
  if (shade === null || shade === undefined) return "";
  return typeof shade === "object" ? shadesTyped(shade) : String(shade);
}

/** The same for each car of the customer, that of the last visit first. */
export function knownByCar(customer: Customer, catalog: Shop): KnownFields[] {
  const each = visitsFirst(customer).map((booking) => knownFields({ ...customer, bookings: [booking] }, catalog));
  const cars = each.filter(({ vehicle_model, vehicle_type }) => vehicle_model ?? vehicle_type);
  const carOf = ({ vehicle_model = "", vehicle_type = "" }: KnownFields) =>
    `${vehicle_model.toLowerCase()} ${vehicle_type}`;
  const distinct = cars.filter((one, i) => cars.findIndex((other) => carOf(other) === carOf(one)) === i);
  return distinct.length > 0 ? distinct : [knownFields(customer, catalog)];
}

/** A line about a customer of before; empty for a new one. */
export function knownInWords(customer: Customer | null, now: Temporal.Instant): string {
  if (customer === null) return "";
  const name = customer.leads.find((lead) => lead.name !== "")?.name ?? "";
  const [last] = visitsFirst(customer);
  const work = last && storedConfirmation.safeParse(last.answer).data;
  const job = work && [work.film_type && spaced(work.film_type), shadeTyped(work.shade)].filter(Boolean).join(" ");
  const visits = last
    ? `${counted(customer.bookings.length, "booking")}, the last ${dayAndDate(last.date, now.toString())}${job ? ` (${job})` : ""}`
    : "asked before";
  const missed = customer.bookings.filter(({ status }) => status === "no_show").length;
  return `Known: ${name}, ${visits}${missed > 0 ? `; did not come ${missed === 1 ? "once" : `${missed} times`}` : ""}.`;
}
