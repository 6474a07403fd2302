/** The owner corrects a booking: who comes, with which car, the note, the agreed price, the work. Its time stays. */
import type { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { toVehicle } from "../../job/job.ts";
import { defined, pick } from "../../lib/fields.ts";
import { toCents, toUnits } from "../../lib/money.ts";
import type { Booking } from "../../store/store.ts";
import { AGREED_PRICE, listedIn, storedConfirmation } from "../booking/confirmation.ts";
import type { Context } from "../core/capability.ts";
import { taxed } from "../core/price-shapes.ts";
import { phoneOf } from "../core/stored-requests.ts";
import { inputError, validate } from "../core/validate.ts";
import { rewordedFor } from "../managing/store-change.ts";
import { ownerBooking } from "./owner-booking.ts";

const editRequest = (catalog: Shop) => {
  const { shape } = ownerBooking.input(catalog);
  return ownerBooking
    .input(catalog)
    .pick({
      ...{ customer_email: true, special_requests: true },
      ...{ vehicle_type: true, vehicle_year: true, vehicle_make: true, vehicle_model: true },
      ...{ film_type: true, coverage: true, addons: true, remove_old_film: true, shade: true },
    })
    .extend({ customer_name: shape.customer_name.optional(), customer_phone: shape.customer_phone.optional() });
};

/** The fields of an edit as those of a capability, for their names and checks. */
export const ownerEdit = {
  ...ownerBooking,
  input: editRequest,
  checks: { customer_phone: ownerBooking.checks.customer_phone },
};

/** The fields that ask for other work, so that price and length follow. */
const WORK = ["vehicle_type", "film_type", "coverage", "addons", "remove_old_film", "shade"] as const;

/** The other work that an edit asks for; null where it asks for none. @throws ApiError for a faulty field */
export function workIn(raw: object, catalog: Shop) {
  const asked = defined(pick(goodEdit(raw, catalog), ...WORK));
  return Object.keys(asked).length === 0 ? null : asked;
}

/** @throws ApiError for a faulty field */
export function goodEdit(raw: object, catalog: Shop): z.output<ReturnType<typeof editRequest>> {
  const { input, issues } = validate(ownerEdit, raw, catalog);
  if (!input || issues.size > 0) throw inputError(issues);
  return editRequest(catalog).parse(input);
}

/** The texts that an edit may take away. Elsewhere an empty text is the absence of its field. */
const EMPTIABLE = ["customer_email", "special_requests"] as const;

/** The fields that an edit empties: those it has with a text of nothing but space. */
function emptiedBy(raw: object): readonly (typeof EMPTIABLE)[number][] {
  const given: Partial<Record<string, unknown>> = { ...raw };
  return EMPTIABLE.filter((field) => typeof given[field] === "string" && given[field].trim() === "");
}

/**
 * An empty note or e-mail takes the old one away.
 * @param price the new agreed price in cents
 * @returns the booking, or null when it is gone
 * @throws ApiError for a faulty field, StoreUnavailable
 */
export async function editForOwner(
  booking: Booking,
  raw: object,
  price: number | undefined,
  ctx: Context,
): Promise<Booking | null> {
  const { catalog, store } = ctx;
  const edit = goodEdit(raw, catalog);
  const name = edit.customer_name ?? booking.lead.name;
  const { vehicle_year, vehicle_make, vehicle_model } = edit;
  const phone = edit.customer_phone === undefined ? booking.lead.phone : phoneOf(edit.customer_phone, catalog);
  const emptied = emptiedBy(raw);
  const email = emptied.includes("customer_email") ? "" : (edit.customer_email ?? booking.lead.email);
  const note = emptied.includes("special_requests") ? { special_requests: null } : {};
  const answer = corrected(booking.answer, { ...edit, ...note, name, price }, catalog);
  const edited = { ...booking, answer, lead: { ...booking.lead, name, phone, email } };
  return store.editBooking({
    confirmationCode: booking.confirmationCode,
    name,
    phone,
    email,
    reworded: await rewordedFor(edited, { changes: booking.changes }, ctx),
    details: { vehicle_year, vehicle_make, vehicle_model },
    answer,
  });
}

type Edit = Omit<z.output<ReturnType<typeof editRequest>>, "customer_name" | "special_requests"> & {
  name: string;
  /** Null takes the note away. */
  special_requests?: string | null | undefined;
  price: number | undefined;
};

/** The stored answer with the corrections. One that an unknown version of the program wrote stays as it is. */
function corrected(answer: unknown, { name, price, special_requests, ...edit }: Edit, catalog: Shop): object {
  const before = storedConfirmation.safeParse(answer).data;
  if (!before) return Object(answer);
  const { type, year, make, model } = before.vehicle;
  const vehicle = toVehicle(
    {
      vehicle_type: type ?? undefined,
      // Another make and model is another car, of another year.
      vehicle_year: edit.vehicle_year ?? (edit.vehicle_make && edit.vehicle_model ? undefined : (year ?? undefined)),
      vehicle_make: edit.vehicle_make ?? make ?? undefined,
      vehicle_model: edit.vehicle_model ?? model ?? undefined,
    },
    catalog,
  );
  return {
    ...before,
    vehicle,
    customer: { name },
    special_requests: special_requests === undefined ? before.special_requests : special_requests,
    estimate: price === undefined ? before.estimate : agreed(before.estimate, price, catalog),
  };
}

type Estimate = ReturnType<(typeof storedConfirmation)["parse"]>["estimate"];

/** The estimate with another total; its line replaces that of an earlier agreement. */
export function agreed(estimate: Estimate, price: number, catalog: Shop): Estimate {
  const lines = estimate ? listedIn(estimate) : [];
  const listed = lines.reduce((sum, { amount }) => sum + toCents(amount), 0);
  const amount = toUnits(price - listed);
  const line = { code: AGREED_PRICE, label: "Agreed price", quantity: 1, unit_price: amount, amount };
  return {
    currency: estimate?.currency ?? catalog.currency,
    ...taxed(price, catalog),
    line_items: amount === 0 ? lines : [...lines, line],
    locked: false,
  };
}
