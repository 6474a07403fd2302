/** The steps after an automotive estimate: open times, and a booking filled in with the choices of the caller. */

import type { Catalog } from "../../catalog/schema.ts";
import { entryOf, words } from "../../catalog/words.ts";
import { serviceOf, type Work } from "../../domain/work.ts";
import { pick } from "../../lib/pick.ts";
import type { Suggestion } from "../core/capability.ts";
import type { Start } from "../core/diary.ts";
import { sampleBooking } from "../shared/samples.ts";
import type { EstimateRequest } from "./request.ts";

/** @param start an open time for the work; null when none is known */
export function nextSteps(
  catalog: Catalog,
  input: EstimateRequest,
  { service, filmType, coverage }: Pick<Work, "service" | "filmType" | "coverage">,
  start: Start | null,
): Suggestion[] {
  if (!serviceOf(catalog, service).bookable) return [CALL];
  const vehicle = pick(input, "vehicle_type", "vehicle_year", "vehicle_make", "vehicle_model");
  const film = { ...(filmType && { film_type: filmType }), ...(coverage && { coverage }) };
  return [
    {
      action: "check_availability",
      description: "See when the shop has time for this work.",
      input: { service: serviceOf(catalog, service).id, ...pick(vehicle, "vehicle_type"), ...film },
    },
    {
      action: "book_appointment",
      description:
        "Book this work once the customer agrees: put in a time from check_availability and the customer's own name, phone and e-mail.",
      input: sampleBooking(catalog, { ...vehicle, ...film, service, special_requests: wishes(input, catalog) }, start),
    },
  ];
}

const CALL: Suggestion = {
  action: "business_location",
  description: "This service is not booked online: call the shop.",
  input: {},
};

type Wishes = Pick<EstimateRequest, "addons" | "shade" | "windshield_shade">;

/** A note to the shop with the wishes for which a booking has no field; undefined without such wishes. */
function wishes(input: Wishes, catalog: Catalog): string | undefined {
  const addons = words(catalog)
    .addons.filter((code) => input.addons?.includes(code))
    .map((code) => entryOf(catalog.automotive.addons, code).name);
  const shades = wishedShades(input);
  const notes = [
    ...(addons.length > 0 ? [`Add-ons: ${addons.join(", ")}.`] : []),
    ...(shades.length > 0 ? [`Shade: ${shades.join(", ")}.`] : []),
  ];
  return notes.length > 0 ? notes.join(" ") : undefined;
}

function wishedShades({ shade, windshield_shade: windshield }: Wishes): string[] {
  const sides =
    typeof shade === "object"
      ? Object.entries(shade).map(([position, vlt]) => `${position.replace("_", " ")} ${vlt}`)
      : [shade];
  return [...sides, windshield && `windshield ${windshield}`].filter((one) => one !== undefined).map(String);
}
