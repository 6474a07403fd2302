import { automotiveEstimate } from "./automotive-estimate.ts";
import { bookAppointment } from "./book-appointment.ts";
import { businessLocation } from "./business-location.ts";
import { checkAvailability } from "./check-availability.ts";
import type { Capability } from "./core/capability.ts";
import { flatGlassEstimate } from "./flat-glass-estimate.ts";
import { listFaq } from "./list-faq.ts";
import { listServices } from "./list-services.ts";
import { quoteRequest } from "./quote-request.ts";
import { registerApiKey } from "./register-api-key.ts";

/** The nine capabilities, in the order in which documents list them. */
export const CAPABILITIES: readonly Capability[] = [
  listServices,
  businessLocation,
  listFaq,
  checkAvailability,
  automotiveEstimate,
  flatGlassEstimate,
  quoteRequest,
  bookAppointment,
  registerApiKey,
];
