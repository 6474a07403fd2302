/** One customer on one card. @see find.tsx */
import { customerFacts } from "../../customers/customers.ts";
import { shopPhone } from "../../shop/clock.ts";
import { key } from "../kit/bindings.tsx";
import { FactsFrame } from "../kit/frame.tsx";
import { useNav } from "../kit/navigation.ts";
import type { ScreenProps } from "../kit/screen-stack.tsx";
import { useLive, useShop } from "../kit/shop.ts";
import { ONE_MOMENT } from "../kit/text.tsx";

/** @param about the phone number in E.164 */
export function Screen({ about }: ScreenProps) {
  const { clock, now } = useShop();
  const { open } = useNav();
  const live = useLive(async ({ store }) => ({ customer: await store.customer(about) }), about);
  const customer = live?.customer ?? null;
  const [booking] = customer?.bookings ?? [];
  const [lead] = customer?.leads ?? [];
  return (
    <FactsFrame
      title={`Customer ${shopPhone(about, clock)}`}
      about="Everything about a customer: bookings, leads, amounts and notes under one phone number."
      keys={[
        ...(booking
          ? [key("enter", "last booking", () => open("booking", booking.confirmationCode), "Open the latest booking.")]
          : []),
        ...(lead ? [key("l", "lead", () => open("lead", lead.reference), "Open the latest lead.")] : []),
      ]}
      facts={customer ? customerFacts(customer, clock, now()) : []}
      otherwise={live ? "Nothing is stored under this number." : ONE_MOMENT}
    />
  );
}
