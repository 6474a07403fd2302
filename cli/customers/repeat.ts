/** A customer who comes again: the fields of a booking that are known of them. */
import { storedConfirmation } from "../../src/capabilities/booking/confirmation.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { dayAndDate } from "../../src/domain/dates-in-words.ts";
import { counted } from "../../src/lib/text.ts";
import type { Customer } from "../../src/store/store.ts";
import { shopPhone } from "../shop/clock.ts";

/** By field of a booking; the car as one text, as it is said. */
export interface KnownFields {
  customer_name?: string;
  customer_phone: string;
  customer_email?: string;
  vehicle_model?: string;
  vehicle_type?: string;
}

/** Fills a new booking of a known customer: the latest name and e-mail, and the car of the last visit. */
export function knownFields(customer: Customer, catalog: Shop): KnownFields {
  const { leads, bookings } = customer;
  const name = leads.find((lead) => lead.name !== "")?.name;
  const email = leads.find((lead) => lead.email !== "")?.email;
  const cars = bookings.map(({ answer }) => storedConfirmation.safeParse(answer).data?.vehicle);
  const car = cars.find((one) => one !== undefined && (one.model ?? one.type) !== null);
  const said = [car?.year, car?.make, car?.model].filter((part) => part !== null && part !== undefined).join(" ");
  const type = car?.type ?? "";
  return {
    customer_phone: shopPhone(customer, catalog),
    ...(name !== undefined && { customer_name: name }),
    ...(email !== undefined && { customer_email: email }),
    ...(said !== "" && { vehicle_model: said }),
    ...(catalog.terms.vehicleTypes.includes(type) && { vehicle_type: type }),
  };
}

/** The same for each car of the customer, that of the last visit first. */
export function knownByCar(customer: Customer, catalog: Shop): KnownFields[] {
  const each = customer.bookings.map((booking) => knownFields({ ...customer, bookings: [booking] }, catalog));
  const cars = each.filter(({ vehicle_model, vehicle_type }) => vehicle_model ?? vehicle_type);
  const carOf = ({ vehicle_model = "", vehicle_type = "" }: KnownFields) =>
    `${vehicle_model.toLowerCase()} ${vehicle_type}`;
  const distinct = cars.filter((one, i) => cars.findIndex((other) => carOf(other) === carOf(one)) === i);
  return distinct.length > 0 ? distinct : [knownFields(customer, catalog)];
}

/** A line about a customer of before; empty for a new one. */
export function knownInWords(customer: Customer | null): string {
  if (customer === null) return "";
  const name = customer.leads.find((lead) => lead.name !== "")?.name ?? "";
  const [last] = customer.bookings;
  const visits = last
    ? `${counted(customer.bookings.length, "booking")}, the last ${dayAndDate(last.date)}`
    : "asked before";
  return `Known: ${name}, ${visits}.`;
}
