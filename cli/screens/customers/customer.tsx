/** One customer on one card. @see find.tsx */
import { vehicleInWords } from "../../../src/catalog/terms.ts";
import { dayAndTime } from "../../../src/domain/dates-in-words.ts";
import { shopDate } from "../../../src/domain/schedule.ts";
import { customerFacts, nextVisit } from "../../customers/customers.ts";
import { knownFields } from "../../customers/repeat.ts";
import { shopPhone } from "../../shop/clock.ts";
import { clean } from "../../terminal/output.ts";
import { useBookingActions } from "../diary/booking-actions.tsx";
import { key } from "../kit/bindings.tsx";
import { FactsFrame } from "../kit/frame.tsx";
import { useNav } from "../kit/navigation.ts";
import type { ScreenProps } from "../kit/screen-stack.tsx";
import { useLive, useShop } from "../kit/shop.ts";
import { ONE_MOMENT } from "../kit/text.tsx";

/** @param about the id of the customer: the phone in E.164, or the reference of a lead without one */
export function Screen({ about }: ScreenProps) {
  const { catalog, clock, now } = useShop();
  const { open } = useNav();
  const live = useLive(async ({ store }) => ({ customer: await store.customer(about) }), about);
  const customer = live?.customer ?? null;
  const [last] = customer?.bookings ?? [];
  const [lead] = customer?.leads ?? [];
  const next = customer && nextVisit(customer, now());
  const booking = next ?? last;
  const known = customer && catalog ? knownFields(customer, catalog) : null;
  const type = known?.vehicle_type;
  const car = known?.vehicle_model ?? (type && catalog ? vehicleInWords(type, catalog) : undefined);
  const { keys, dialog } = useBookingActions(next);
  return (
    <FactsFrame
      title={`Customer ${shopPhone(about, clock)}`}
      about="Everything about a customer: bookings, leads, amounts and notes under one phone number."
      keys={[
        ...(known
          ? [
              key(
                "n",
                car === undefined ? "new booking" : `book the ${clean(car)} again`,
                () => open("book", JSON.stringify(known)),
                "Book this customer again, with the car of the last visit.",
              ),
            ]
          : []),
        ...keys.flatMap((binding) => {
          if (binding.on.includes("u")) return [binding];
          const when = next && dayAndTime(next.date, next.time, shopDate(clock, now()));
          return binding.on.includes("m") && when ? [{ ...binding, does: `move ${when}` }] : [];
        }),
        ...(booking
          ? [
              key(
                "enter",
                next ? "next visit" : "last booking",
                () => open("booking", booking.confirmationCode),
                "Open the next visit, or else the latest booking.",
              ),
            ]
          : []),
        ...(lead ? [key("l", "lead", () => open("lead", lead.reference), "Open the latest lead.")] : []),
      ]}
      dialog={dialog}
      facts={customer ? customerFacts(customer, clock, now()) : []}
      otherwise={live ? "Nothing is stored under this number." : ONE_MOMENT}
    />
  );
}
