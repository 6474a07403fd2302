/** One customer on one card. @see find.tsx */
import { customerFacts } from "../../customers/customers.ts";
import { knownFields } from "../../customers/repeat.ts";
import { shopPhone } from "../../shop/clock.ts";
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
  const [booking] = customer?.bookings ?? [];
  const [lead] = customer?.leads ?? [];
  const next =
    customer?.bookings.findLast((one) => one.status === "confirmed" && one.endAt > now().epochMilliseconds) ?? null;
  const { keys, dialog } = useBookingActions(next);
  return (
    <FactsFrame
      title={`Customer ${shopPhone(about, clock)}`}
      about="Everything about a customer: bookings, leads, amounts and notes under one phone number."
      keys={[
        ...(customer && catalog
          ? [
              key(
                "n",
                "new booking",
                () => open("book", JSON.stringify(knownFields(customer, catalog))),
                "Book this customer again, with the car of the last visit.",
              ),
            ]
          : []),
        ...keys.filter(({ on }) => on.some((one) => ["m", "u"].includes(one))),
        ...(booking
          ? [key("enter", "last booking", () => open("booking", booking.confirmationCode), "Open the latest booking.")]
          : []),
        ...(lead ? [key("l", "lead", () => open("lead", lead.reference), "Open the latest lead.")] : []),
      ]}
      dialog={dialog}
      facts={customer ? customerFacts(customer, clock, now()) : []}
      otherwise={live ? "Nothing is stored under this number." : ONE_MOMENT}
    />
  );
}
