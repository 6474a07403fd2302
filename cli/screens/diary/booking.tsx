/** One booking in full. @see diary.tsx */
import { spaced } from "../../../src/lib/text.ts";
import { diaryEntryOf } from "../../diary/entries.ts";
import { entryFacts } from "../../diary/entry-text.ts";
import { hasCrm } from "../../server/outbox.ts";
import { key } from "../kit/bindings.tsx";
import { FactsFrame } from "../kit/frame.tsx";
import { useNav } from "../kit/navigation.ts";
import type { ScreenProps } from "../kit/screen-stack.tsx";
import { useLive, useShop } from "../kit/shop.ts";
import { ONE_MOMENT } from "../kit/text.tsx";
import { useBookingActions } from "./booking-actions.tsx";
import { usePaper } from "./paper.tsx";

/** @param about the confirmation code */
export function Screen({ about }: ScreenProps) {
  const { clock, now } = useShop();
  const { open } = useNav();
  const live = useLive(async ({ store }) => {
    const booking = await store.findBooking(about);
    const deposit = booking && (await store.depositOf(booking.id));
    return { entry: booking && (await diaryEntryOf(store, booking, clock)), deposit };
  }, about);
  const booking = live?.entry?.booking ?? null;
  const actions = useBookingActions(booking ? [booking] : []);
  const paper = usePaper(undefined, booking);
  return (
    <FactsFrame
      title={`Booking ${about}`}
      status={booking ? spaced(booking.status) : ""}
      about="Everything about one booking."
      keys={[
        ...actions.keys,
        ...paper.keys,
        ...(booking && hasCrm()
          ? [key("l", "its lead", () => open("lead", booking.lead.reference), "Open the customer's lead.")]
          : []),
      ]}
      dialog={actions.dialog ?? paper.dialog}
      facts={live?.entry ? entryFacts(live.entry, clock, now(), live.deposit) : []}
      otherwise={live ? `There is no booking ${about}.` : ONE_MOMENT}
    />
  );
}
