/** Every capability, those that this shop offers, and their descriptions. */
import type { Shop } from "../catalog/shop.ts";
import { automotiveEstimate } from "./automotive-estimate.ts";
import { bookAppointment } from "./book-appointment.ts";
import { businessLocation } from "./business-location.ts";
import { checkAvailability } from "./check-availability.ts";
import { type Capability, type Text, textOf } from "./core/capability.ts";
import { type CapabilityId, namedIn, OPERATIONS, REST, say } from "./core/operations.ts";
import { flatGlassEstimate } from "./flat-glass-estimate.ts";
import { listFaq } from "./list-faq.ts";
import { listServices } from "./list-services.ts";
import {
  bookingStatus,
  cancelBooking,
  confirmBooking,
  findBooking,
  rescheduleBooking,
} from "./managing/find-booking.ts";
import { quoteRequest } from "./quote-request.ts";
import { registerApiKey } from "./register-api-key.ts";

/** Every capability by id, in the order in which documents list them. Keeps the types of each input and answer. */
export const CAPABILITY_BY_ID = {
  list_services: listServices,
  business_location: businessLocation,
  list_faq: listFaq,
  check_availability: checkAvailability,
  automotive_estimate: automotiveEstimate,
  flat_glass_estimate: flatGlassEstimate,
  quote_request: quoteRequest,
  book_appointment: bookAppointment,
  register_api_key: registerApiKey,
  booking_status: bookingStatus,
  find_booking: findBooking,
  confirm_booking: confirmBooking,
  reschedule_booking: rescheduleBooking,
  cancel_booking: cancelBooking,
} satisfies { [Id in CapabilityId]: { id: Id } };

/** The same capabilities as a list, for code that treats all of them alike and needs no types of their own. */
export const CAPABILITIES: readonly Capability[] = Object.values(CAPABILITY_BY_ID);

/** The capabilities of work that the shop does, in the order in which documents list them. */
export function offered(catalog: Shop): readonly Capability[] {
  return CAPABILITIES.filter((capability) => capability.isOffered?.(catalog) ?? true);
}

export function offers(catalog: Shop, id: CapabilityId): boolean {
  const capability: Capability = CAPABILITY_BY_ID[id];
  return capability.isOffered?.(catalog) ?? true;
}

/** The capabilities that callers can use; what this shop does by phone is left out. */
export function usable(catalog: Shop): readonly Capability[] {
  return offered(catalog).filter(({ isByPhone }) => !isByPhone?.(catalog));
}

/** The tool that offers a capability; undefined where the catalog lists none, and for what is done by phone. */
export function toolOf(capability: Capability, catalog: Shop): string | undefined {
  if (capability.isByPhone?.(catalog)) return undefined;
  const { operationId } = capability.sharesTool ? OPERATIONS[capability.sharesTool.of] : capability;
  return catalog.mcp.tools.some((name) => name === operationId) ? operationId : undefined;
}

/** The capabilities with a tool of their own, without the ones that share it. */
export function toolCapabilities(catalog: Shop): Capability[] {
  return offered(catalog).filter((capability) => !capability.sharesTool && toolOf(capability, catalog));
}

/** Description and advice, without sentences about capabilities that the shop does not offer, offers by phone, or that are no `others`. */
export function aboutOf(
  { description, inTools = [description], useWhen, avoidWhen, isByPhone }: Capability,
  catalog: Shop,
  voice = REST,
  others = CAPABILITIES,
): About {
  if (isByPhone?.(catalog)) return { description: byPhone(catalog), inTools: [], useWhen: [], avoidWhen: [] };
  const can = new Set<string>(usable(catalog).flatMap((one) => (others.includes(one) ? one.id : [])));
  const known = (texts: readonly Text[]) =>
    texts
      .map((text) => textOf(text, catalog))
      .filter((text) => text !== "" && namedIn(text).every((id) => can.has(id)))
      .map((text) => say(text, { voice, catalog }));
  return {
    description: say(textOf(description, catalog), { voice, catalog }),
    inTools: known(inTools),
    useWhen: known(useWhen),
    avoidWhen: known(avoidWhen),
  };
}

interface About {
  description: string;
  inTools: string[];
  useWhen: string[];
  avoidWhen: string[];
}

function byPhone({ business }: Shop): string {
  return `By phone only at this shop: every request is answered 403 FORBIDDEN. Call the shop (${business.phone}).`;
}
