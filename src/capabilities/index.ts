import { automotiveEstimate } from "./automotive-estimate.ts";
import { bookAppointment } from "./book-appointment.ts";
import { businessLocation } from "./business-location.ts";
import { checkAvailability } from "./check-availability.ts";
import type { Capability } from "./core/capability.ts";
import type { CapabilityId } from "./core/operations.ts";
import { flatGlassEstimate } from "./flat-glass-estimate.ts";
import { listFaq } from "./list-faq.ts";
import { listServices } from "./list-services.ts";
import { bookingStatus } from "./managing/booking-status.ts";
import { cancelBooking } from "./managing/cancel-booking.ts";
import { findBooking } from "./managing/find-booking.ts";
import { rescheduleBooking } from "./managing/reschedule-booking.ts";
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
  reschedule_booking: rescheduleBooking,
  cancel_booking: cancelBooking,
} satisfies { [Id in CapabilityId]: { id: Id } };

/** The same capabilities as a list, for code that treats all of them alike and needs no types of their own. */
export const CAPABILITIES: readonly Capability[] = Object.values(CAPABILITY_BY_ID);
