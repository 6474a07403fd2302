/** An inquiry on the phone that the owner writes down: a quote request, with a time to call back. Source: contract 17. */
import type { Shop } from "../../catalog/shop.ts";
import { nextOpenMoment } from "../../domain/schedule.ts";
import { field } from "../../lib/fields.ts";
import { email, optional, phone } from "../../schema/fields.ts";
import type { LeadInFull, NewLead } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import { NO_PHONE, phoneOf } from "../core/contact.ts";
import { newLead, storeWithNewCodes } from "../core/stored-requests.ts";
import { quoteRequest } from "../quote-request.ts";
import { checked } from "./owner-booking.ts";

/** The request of a customer; on the phone few say more than a name and what they want. */
const inquiry = (catalog: Shop) => {
  const request = quoteRequest.input(catalog);
  return request.extend({
    phone: optional(phone()).meta({ description: "For the call back." }),
    email: optional(email()).meta({ description: "Customer's e-mail, if there is one." }),
    service_type: request.shape.service_type.optional(),
  });
};

/** The inquiry as a capability, for the names and the checks of its fields. */
export const ownerInquiry = {
  ...quoteRequest,
  input: inquiry,
  checks: { ...quoteRequest.checks, consent: () => undefined },
};

/**
 * Stores an inquiry with a reminder in the owner's lists.
 * @param callAt when to call back, in epoch milliseconds; moved into opening hours. Without it the next opening
 * @throws ApiError for a faulty request, StoreUnavailable
 */
export async function addInquiry(raw: object, callAt: number | null, ctx: Context): Promise<NewLead> {
  const { catalog, now, store } = ctx;
  const { consent: _, dry_run: __, ...input } = checked(ownerInquiry, raw, catalog);
  const dueAt = nextOpenMoment(catalog, Math.max(callAt ?? 0, now.epochMilliseconds));
  const { made } = await storeWithNewCodes(async () => {
    const { lead } = await newLead(
      {
        kind: "quote_request",
        name: [input.first_name, input.last_name].filter((part) => part !== undefined).join(" "),
        ...(input.phone === undefined ? NO_PHONE : phoneOf(input.phone, catalog)),
        email: input.email ?? "",
        serviceType: input.service_type ?? catalog.automotive.defaults.service,
        details: input,
      },
      null,
      ctx,
    );
    const reminder = { kind: "remind_owner" as const, payload: {}, dueAt, unless: "contacted" as const };
    const made = { ...lead, jobs: [...lead.jobs, reminder] };
    return { made, outcome: await store.addLead(made) };
  });
  return made;
}

/** The car of an inquiry: another one takes the place of all of it. */
const CAR = ["vehicle_type", "vehicle_year", "vehicle_make", "vehicle_model"];

/**
 * Corrects an inquiry; an empty text takes away what was there.
 * @returns the lead, or null when it is gone
 * @throws ApiError for a faulty field, StoreUnavailable
 */
export async function editInquiry(
  lead: LeadInFull,
  raw: object,
  { catalog, store }: Context,
): Promise<LeadInFull | null> {
  const { consent: _, dry_run: __, ...input } = checked(ownerInquiry, { first_name: lead.name, ...raw }, catalog);
  const isGiven = (name: string) => Object.hasOwn(raw, name);
  const isEmptied = (name: string) => field(raw, name) === "";
  const kept = Object.entries(Object(lead.details)).filter(
    ([name]) =>
      !isGiven(name) &&
      !(CAR.includes(name) && CAR.some(isGiven)) &&
      !(name === "windows" && isGiven("square_footage")) &&
      !(name === "last_name" && isGiven("first_name")),
  );
  const said = Object.entries(input).filter(([name]) => isGiven(name));
  return store.editLead({
    id: lead.id,
    name: isGiven("first_name") ? input.first_name : lead.name,
    ...(isEmptied("phone") ? NO_PHONE : input.phone === undefined ? lead : phoneOf(input.phone, catalog)),
    email: isEmptied("email") ? "" : (input.email ?? lead.email),
    serviceType: input.service_type ?? lead.serviceType,
    details: Object.fromEntries([...kept, ...said]),
  });
}
