/** The questions before a booking is corrected: what, the new text, and whether the price follows the work. */
import { useState } from "react";
import { bookedPrice, storedConfirmation } from "../../../src/capabilities/booking/confirmation.ts";
import { toUnits } from "../../../src/lib/money.ts";
import type { Booking } from "../../../src/store/store.ts";
import { type EditField, isPriced, listedPriceAfter, readCorrection } from "../../diary/actions.ts";
import { readPrice } from "../../diary/owner.ts";
import { shopPhone } from "../../shop/clock.ts";
import { moneyIn } from "../../terminal/wording.ts";
import { shadesTyped } from "../../typed/shades.ts";
import { issueIn } from "../../typed/values.ts";
import { key } from "../kit/bindings.tsx";
import { Choice, Prompt, TypedPrompt } from "../kit/dialogs.tsx";
import { useShop } from "../kit/shop.ts";

interface Asked {
  field: EditField;
  label: string;
  initial: string;
}

interface EditDialogProps {
  /** When and for whom the booking is. */
  who: string;
  booking: Booking;
  /** Also takes the question down. @param price of other work in cents; the price list's where it is left out */
  save: (field: EditField, typed: string, price?: number) => void;
  /** Takes the question down. */
  close: () => void;
}

/** Asks what to correct, then for the new text. */
export function EditDialog({ who, booking, save, close }: EditDialogProps) {
  const [menu, setMenu] = useState<"all" | "car" | "work">("all");
  const [asked, ask] = useState<Asked | null>(null);
  const [priced, setPriced] = useState<{ field: EditField; typed: string; listed: string } | null>(null);
  const [isAgreeing, agree] = useState(false);
  const { catalog, clock, store, now } = useShop();
  const { name, email } = booking.lead;
  const price = bookedPrice(booking);
  const facts = storedConfirmation.safeParse(booking.answer).data;
  const car = facts?.vehicle;
  const choice = (letter: string, label: string, field: EditField, initial: string | number | null | undefined) =>
    key(letter, label, () => ask({ field, label, initial: String(initial ?? "") }));
  const take = async (field: EditField, typed: string) => {
    if (!catalog || price === null || !isPriced(field)) return save(field, typed);
    const { fields } = readCorrection(field, typed, catalog);
    const listed = await listedPriceAfter({ store, catalog, now: now() }, booking, fields);
    setPriced({ field, typed, listed: listed === null ? "" : ` ${listed}` });
  };
  if (priced !== null && isAgreeing)
    return (
      <TypedPrompt
        label="The agreed price"
        submit="save"
        read={readPrice}
        onRead={(cents) => save(priced.field, priced.typed, cents)}
        close={() => {}}
        onCancel={close}
      />
    );
  if (priced !== null) {
    const saveAt = (cents?: number) => () => save(priced.field, priced.typed, cents);
    const before = moneyIn(catalog?.currency ?? "USD")(toUnits(price ?? 0));
    return (
      <Choice
        question="Which price is it then?"
        consequence="The length of the work follows the price list in any case."
        choices={[
          key("l", `the price list's${priced.listed}`, saveAt()),
          key("k", `keep ${before}`, saveAt(price ?? 0)),
          key("a", "another one", () => agree(true)),
        ]}
        onCancel={close}
      />
    );
  }
  if (asked !== null)
    return (
      <Prompt
        label={`New ${asked.label}`}
        {...(asked.field === "special_requests" ? { begun: asked.initial } : { initial: asked.initial })}
        submit="save"
        check={(typed) => catalog && issueIn(() => readCorrection(asked.field, typed, catalog))}
        onSubmit={(typed) => take(asked.field, typed)}
        close={() => {}}
        onCancel={close}
      />
    );
  if (menu === "car")
    return (
      <Choice
        question={`What about the vehicle? (${who})`}
        choices={[
          choice("t", "type", "vehicle_type", car?.type),
          choice("y", "year", "vehicle_year", car?.year),
          choice("m", "make", "vehicle_make", car?.make),
          choice("o", "model", "vehicle_model", car?.model),
        ]}
        onCancel={close}
      />
    );
  if (menu === "work") {
    const shade = typeof facts?.shade === "object" ? shadesTyped(facts.shade ?? {}) : facts?.shade;
    return (
      <Choice
        question={`What about the work? (${who})`}
        choices={[
          choice("f", "film", "film_type", facts?.film_type),
          choice("w", "windows", "coverage", facts?.coverage),
          choice("s", "shade", "shade", shade),
          choice("x", "extras", "addons", facts?.addons.join(", ")),
          facts?.remove_old_film
            ? key("o", "old film stays on", () => take("remove_old_film", "no"))
            : key("o", "old film off", () => take("remove_old_film", "yes")),
        ]}
        onCancel={close}
      />
    );
  }
  return (
    <Choice
      question={`What is to be corrected? (${who})`}
      choices={[
        choice("n", "name", "customer_name", name),
        choice("p", "phone", "customer_phone", shopPhone(booking.lead, clock)),
        choice("e", "e-mail", "customer_email", email),
        key("v", "vehicle", () => setMenu("car")),
        ...(booking.status === "confirmed" ? [key("w", "work", () => setMenu("work"))] : []),
        choice("t", "note", "special_requests", facts?.special_requests),
        choice("a", "price", "price", price === null ? "" : price / 100),
      ]}
      onCancel={close}
    />
  );
}
