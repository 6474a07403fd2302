/** One customer on one card. @see find.tsx */
import { useState } from "react";
import { vehicleInWords } from "../../../src/catalog/terms.ts";
import { phoneInWords } from "../../../src/lib/phone.ts";
import { customerFacts, type KnownFields, knownByCar, storedVehicle, visitsToCome } from "../../customers/customers.ts";
import { hasCrm } from "../../server/outbox.ts";
import { countryOf } from "../../shop/clock.ts";
import { clean } from "../../terminal/output.ts";
import { startInWords } from "../../terminal/wording.ts";
import { useBookingActions } from "../diary/booking.tsx";
import { key, present } from "../kit/bindings.tsx";
import { useAsk } from "../kit/dialogs.tsx";
import { FactsFrame } from "../kit/frame.tsx";
import { useNav } from "../kit/navigation.ts";
import type { ScreenProps } from "../kit/screen-stack.tsx";
import { useLive, useShop } from "../kit/shop.ts";
import { ONE_MOMENT } from "../kit/text.tsx";

/** Keys are digits. */
const MOST_CARS = 9;

/** @param about the id of the customer: the phone in E.164, or the reference of a lead without one */
export function Screen({ about }: ScreenProps) {
  const { catalog, clock, now } = useShop();
  const { open } = useNav();
  const live = useLive(async ({ store }) => ({ customer: await store.customer(about) }), about);
  const customer = live?.customer ?? null;
  const [last] = customer?.bookings ?? [];
  const lead = customer?.leads.find(({ kind }) => kind === "quote_request" || hasCrm());
  const visits = customer ? visitsToCome(customer, now()) : [];
  const [picked, pick] = useState("");
  const at = Math.max(
    0,
    visits.findIndex(({ confirmationCode }) => confirmationCode === picked),
  );
  const next = visits[at] ?? null;
  const other = visits[(at + 1) % visits.length];
  const booking = next ?? last;
  const cars = customer && catalog ? knownByCar(customer, catalog) : [];
  const [known] = cars;
  const carOf = ({ vehicle_model: model, vehicle_type: type }: KnownFields) =>
    model ?? (type && catalog ? vehicleInWords(type, catalog) : undefined);
  const car = known && carOf(known);
  const book = (fields: KnownFields) => open("book", JSON.stringify(fields));
  const { keys, dialog } = useBookingActions(next ? [next] : []);
  const ask = useAsk();
  const again = async () => {
    const answers = cars
      .slice(0, MOST_CARS)
      .map((one, i) => [String(i + 1), clean(carOf(one) ?? "another"), one] as const);
    const which = cars.length > 1 ? await ask.choose("Which vehicle is it?", answers) : known;
    if (which) book(which);
  };
  const againWhat = car === undefined ? "new booking" : `book the ${clean(car)} again`;
  return (
    <FactsFrame
      title={`Customer ${phoneInWords(about, countryOf(clock))}`}
      about="Everything about a customer: bookings, leads, amounts and notes under one phone number."
      keys={[
        known &&
          key(
            "n",
            cars.length > 1 ? "book again" : againWhat,
            () => again(),
            "Book this customer again, with one of the cars of before.",
          ),
        ...present(keys).flatMap((binding) => {
          const when = next && startInWords(next, now());
          const vehicle = cars.length > 1 && next ? storedVehicle(next) : null;
          const which = vehicle ? `${when}, ${clean(vehicle)}` : when;
          return binding.on.includes("m") && when ? [{ ...binding, does: `move ${which}` }] : [];
        }),
        visits.length > 1 &&
          other &&
          key(
            "tab",
            "other visit",
            () => pick(other.confirmationCode),
            "Another of the visits to come, to move or open it.",
          ),
        booking &&
          key(
            "enter",
            next ? (at > 0 ? "that visit" : "next visit") : "last booking",
            () => open("booking", booking.confirmationCode),
            "Open the next visit, or else the latest booking.",
          ),
        lead && key("l", "lead", () => open("lead", lead.reference), "Open the latest lead."),
      ]}
      dialog={ask.dialog ?? dialog}
      facts={customer ? customerFacts(customer, clock, now()) : []}
      otherwise={live ? "Nothing is stored under this number." : ONE_MOMENT}
    />
  );
}
