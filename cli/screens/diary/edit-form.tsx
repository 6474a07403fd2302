/** The form that corrects a booking: what is other than it was is saved, and the price asked about where the work is another. */
import { bookedPrice, storedConfirmation } from "../../../src/capabilities/booking/confirmation.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { printedMoney } from "../../../src/lib/money.ts";
import { tellsCustomers } from "../../../src/messages/customer-messages.ts";
import type { Booking } from "../../../src/store/store.ts";
import { correctedInWords, editBooking, listedPriceAfter } from "../../diary/actions.ts";
import { BOOKING_FIELDS, CORRECTIONS, isPriced, readCorrections } from "../../diary/booking-fields.ts";
import { requireBooking } from "../../diary/entries.ts";
import { readPrice } from "../../diary/owner.ts";
import { shopPhone } from "../../shop/clock.ts";
import { shadesTyped } from "../../typed/requests.ts";
import { issueIn } from "../../typed/values.ts";
import { type Anyway, askAnyway, askToTell } from "../kit/dialogs.tsx";
import { asTexts, type Filled, Form, type FormValues } from "../kit/form.tsx";
import { CatalogIssueScreen } from "../kit/frame.tsx";
import type { OpenShop } from "../kit/open-shop.ts";
import { goodDeskOf, type ScreenProps, useLive, useScreen, useShop } from "../kit/screen.ts";

export function Screen({ about }: ScreenProps) {
  const { catalog } = useShop();
  const booking = useLive(({ store }) => store.findBooking(about), about);
  if (!catalog) return <CatalogIssueScreen title={`Booking ${about}`} />;
  return booking && <EditForm catalog={catalog} booking={booking} />;
}

/** The owner's answers before a correction is saved. */
interface Terms extends Anyway {
  price?: number | undefined;
  listPrice?: boolean;
  isQuiet?: boolean;
}

function EditForm({ catalog, booking }: { catalog: Shop; booking: Booking }) {
  const { store, now, back, act } = useScreen();
  const known = bookingTexts(booking, catalog);
  const { films, coverages, vehicleTypes } = catalog.terms;
  const choices: Record<string, readonly string[]> = {
    vehicle_type: vehicleTypes,
    film_type: films,
    coverage: coverages,
    remove_old_film: ["no", "yes"],
  };

  const read = (name: string, text: string) =>
    name === "price" ? readPrice(text) : readCorrections({ [name]: text }, catalog);
  const submit = async ({ changed, ask, ...filled }: Filled) => {
    const { price, ...fields } = changed;
    const { price: _, ...were } = filled.were;
    const names = Object.keys(changed);
    if (names.length === 0) return back();
    const terms: Terms = price === undefined ? {} : { price: readPrice(price) };
    const before = bookedPrice(booking);
    if (price === undefined && before !== null && names.some(isPriced)) {
      const desk = { store, catalog, now: now() };
      const listed = (await listedPriceAfter(desk, booking, readCorrections(fields, catalog))) ?? "";
      const isList = await ask.choose(
        "Which price is it then?",
        [
          ["l", `the price list's ${listed}`.trim(), true],
          ["k", `keep ${printedMoney(before, catalog.currency)}`, false],
        ],
        "The length of the work follows the price list in any case. Another price is typed into the form.",
      );
      if (isList === undefined) return;
      Object.assign(terms, isList ? { listPrice: true } : { price: before });
    }
    // The customer hears of other work alone.
    if (names.some((name) => isPriced(name) || name === "shade") && tellsCustomers("booked", booking.lead, catalog)) {
      const isQuiet = await askToTell(ask);
      if (isQuiet === undefined) return;
      terms.isQuiet = isQuiet;
    }
    await askAnyway(ask, "change", (agreed) => save(fields, were, { ...terms, ...agreed }));
  };
  const correct = (fields: FormValues, terms: Terms) => async (shop: OpenShop) => {
    const desk = goodDeskOf(shop);
    const at = await requireBooking(shop.store, booking.confirmationCode);
    const agreed = { anyway: false, ...terms };
    const edited = await editBooking(desk, at, readCorrections(fields, desk.catalog), agreed);
    return correctedInWords(edited, at, desk.catalog);
  };
  const save = (fields: FormValues, were: FormValues, terms: Terms) =>
    act(async (shop) => {
      const price = bookedPrice(booking);
      const agreed = { anyway: true, evenIllegal: true };
      const undo = correct(were, { ...agreed, isQuiet: terms.isQuiet, ...(price !== null && { price }) });
      const said = await correct(fields, terms)(shop);
      back();
      return { said, step: { undo, redo: correct(fields, { ...terms, ...agreed }) } };
    });
  return (
    <Form
      title={`Booking ${booking.confirmationCode}`}
      about="What is to be corrected? The time stays."
      submit="save"
      fields={CORRECTIONS.filter((name) => name in known).map((name) => ({
        ...{ name, ...BOOKING_FIELDS[name], initial: known[name], isProse: name === "special_requests" },
        choices: choices[name],
        check: (text) => (text === known[name] ? null : issueIn(() => read(name, text))),
      }))}
      onSubmit={(_, filled) => submit(filled)}
      onCancel={back}
    />
  );
}

/** What stands in a booking, as it would be typed. Other work has the fields of a car alone. */
function bookingTexts(booking: Booking, catalog: Shop): FormValues {
  const facts = storedConfirmation.safeParse(booking.answer).data;
  const price = bookedPrice(booking);
  const shade = typeof facts?.shade === "object" ? shadesTyped(facts.shade ?? {}) : facts?.shade;
  const { type, year, make, model } = facts?.vehicle ?? {};
  return asTexts({
    ...{ customer_name: booking.lead.name, customer_phone: shopPhone(booking.lead, catalog) },
    ...{ customer_email: booking.lead.email, special_requests: facts?.special_requests },
    ...(price !== null && { price: price / 100 }),
    ...{ vehicle_year: year, vehicle_make: make, vehicle_model: model, shade },
    ...(type && { vehicle_type: type }),
    ...(facts?.film_type && { film_type: facts.film_type, addons: facts.addons.join(", ") }),
    ...(facts?.coverage && { coverage: facts.coverage }),
    ...(facts?.film_type && catalog.terms.removal && { remove_old_film: facts.remove_old_film ? "yes" : "no" }),
  });
}
