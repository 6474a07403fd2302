/** The customers that fit a typed text, and one of them on a card. */
import { useLayoutEffect, useState } from "react";
import { vehicleInWords } from "../../../src/catalog/terms.ts";
import { phoneInWords } from "../../../src/lib/phone.ts";
import {
  customerColumns,
  customerFacts,
  type KnownFields,
  knownByCar,
  searchCustomers,
  storedVehicle,
  visitsToCome,
} from "../../customers/customers.ts";
import { hasCrm } from "../../server/outbox.ts";
import { countryOf } from "../../shop/clock.ts";
import { clean } from "../../terminal/output.ts";
import { startInWords } from "../../terminal/wording.ts";
import { useBookingActions } from "../diary/booking.tsx";
import { key, present } from "../kit/bindings.tsx";
import { FactsFrame, ListScreen } from "../kit/frame.tsx";
import { useList } from "../kit/list.tsx";
import { type ScreenProps, useLive, useScreen } from "../kit/screen.ts";

const READ = 100;
const NARROW = ["name", "phone", "vehicle", "last"];

/** @param about what is looked for; asked when empty */
export function FindScreen({ about }: ScreenProps) {
  const { clock, catalog, now, open, back, ask } = useScreen();
  const [text, setText] = useState(about);
  const live = useLive(
    async ({ store }) => (text === "" ? [] : searchCustomers(store, text, countryOf(catalog), READ)),
    text,
  );
  const list = useList(live, {
    ...{ id: ({ id }) => id, columns: customerColumns(clock, now()), about: text, isFilterable: false },
    ...{ narrow: NARROW, wide: [...NARROW, "visits", "amount"] },
  });
  const customer = list.row;
  const look = async () => {
    const typed = await ask.text({
      label: "Name, phone, e-mail, vehicle or code",
      submit: "find",
      check: (typed) => (typed === "" ? "Type a part of it, or press Esc." : null),
    });
    if (typed !== undefined) setText(typed);
    else if (text === "") back();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked once, as the screen opens
  useLayoutEffect(() => {
    if (text === "") void look();
  }, []);
  return (
    <ListScreen
      title={text === "" ? "Find a customer" : `Find: ${text}`}
      status={text === "" ? "" : live?.length === READ ? `the newest ${READ}` : `${live?.length}`}
      about="Customers by name, phone, e-mail, vehicle, booking code or lead; a part is enough. The same phone is the same customer."
      list={list}
      keys={[
        customer &&
          key("enter", "open", () => open("customer", customer.id), "Show bookings, leads, amounts and notes."),
        key("/", "find", () => look(), "Look for somebody else."),
      ]}
      dialog={ask.dialog}
      empty={text === "" ? "" : `Nobody fits ${text}.`}
    />
  );
}

/** Keys are digits. */
const MOST_CARS = 9;

/** @param about the id of the customer: the phone in E.164, or the reference of a lead without one */
export function Screen({ about }: ScreenProps) {
  const { catalog, clock, now, open, ask } = useScreen();
  const customer = useLive(({ store }) => store.customer(about), about);
  const lead = customer?.leads.find(({ kind }) => kind === "quote_request" || hasCrm());
  const visits = customer ? visitsToCome(customer, now()) : [];
  const [picked, pick] = useState("");
  const chosen = visits.findIndex(({ confirmationCode }) => confirmationCode === picked);
  const at = Math.max(0, chosen);
  const next = visits[at];
  const other = visits[(at + 1) % visits.length];
  const booking = next ?? customer?.bookings[0];
  const cars = customer && catalog ? knownByCar(customer, catalog) : [];
  const [known] = cars;
  const carOf = ({ vehicle_model: model, vehicle_type: type }: KnownFields) =>
    clean(model ?? (type && catalog ? vehicleInWords(type, catalog) : "")) || undefined;
  const car = known && carOf(known);
  const { keys, dialog } = useBookingActions(next ? [next] : []);
  const again = async () => {
    const answers = cars.slice(0, MOST_CARS).map((one, i) => [String(i + 1), carOf(one) ?? "another", one] as const);
    const which = cars.length > 1 ? await ask.choose("Which vehicle is it?", answers) : known;
    if (which) open("book", JSON.stringify(which));
  };
  const againWhat = cars.length > 1 ? "book again" : car === undefined ? "new booking" : `book the ${car} again`;
  const vehicle = cars.length > 1 && next && storedVehicle(next);
  return (
    <FactsFrame
      title={`Customer ${phoneInWords(about, countryOf(clock))}`}
      about="Everything about a customer: bookings, leads, amounts and notes under one phone number."
      keys={[
        known && key("n", againWhat, () => again(), "Book this customer again, with one of the cars of before."),
        ...present(keys).flatMap((binding) => {
          if (!next || !binding.on.includes("m")) return [];
          return [{ ...binding, does: `move ${startInWords(next, now())}${vehicle ? `, ${clean(vehicle)}` : ""}` }];
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
      facts={customer && customerFacts(customer, clock, now())}
      otherwise="Nothing is stored under this number."
    />
  );
}
