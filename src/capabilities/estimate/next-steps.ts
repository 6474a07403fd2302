/** The steps after an automotive estimate: open times, and a booking filled in with the choices of the caller. */

import type { Catalog } from "../../catalog/schema.ts";
import type { AutomotiveEstimate } from "../../domain/automotive.ts";
import { serviceOf } from "../../domain/work.ts";
import { pick } from "../../lib/pick.ts";
import { ADDONS } from "../../vocabulary.ts";
import type { Context, Suggestion } from "../core/capability.ts";
import { openStart, sampleBooking } from "../shared/samples.ts";
import type { EstimateRequest } from "./request.ts";

export async function nextSteps(
  input: EstimateRequest,
  { work }: AutomotiveEstimate,
  ctx: Context<never>,
): Promise<Suggestion[]> {
  const { catalog } = ctx;
  const service = serviceOf(catalog, work.service);
  if (!service.bookable) {
    return [
      { action: "business_location", description: "This service is not booked online: call the shop.", input: {} },
    ];
  }
  const chosen = pick(
    { ...input, film_type: work.filmType, coverage: work.coverage },
    "vehicle_type",
    "vehicle_year",
    "vehicle_make",
    "vehicle_model",
    "film_type",
    "coverage",
  );
  return [
    {
      action: "check_availability",
      description: "See when the shop has time for this work.",
      input: { service: service.id, ...pick(chosen, "vehicle_type", "film_type", "coverage") },
    },
    {
      action: "book_appointment",
      description:
        "Book this work once the customer agrees: put in a time from check_availability and the customer's own name, phone and e-mail.",
      input: sampleBooking(
        catalog,
        { ...chosen, service: work.service, special_requests: wishes(input, catalog) },
        await openStart({ ...chosen, service: work.service }, ctx),
      ),
    },
  ];
}

/** A note to the shop with the wishes for which a booking has no field; undefined without such wishes. */
function wishes(input: EstimateRequest, { automotive }: Catalog): string | undefined {
  const addons = ADDONS.filter((code) => input.addons?.includes(code)).map((code) => automotive.addons[code].name);
  const shades = wishedShades(input);
  const notes = [
    ...(addons.length > 0 ? [`Add-ons: ${addons.join(", ")}.`] : []),
    ...(shades.length > 0 ? [`Shade: ${shades.join(", ")}.`] : []),
  ];
  return notes.length > 0 ? notes.join(" ") : undefined;
}

function wishedShades({ shade, windshield_shade: windshield }: EstimateRequest): string[] {
  const sides =
    typeof shade === "object"
      ? Object.entries(shade).map(([position, vlt]) => `${position.replace("_", " ")} ${vlt}`)
      : [shade];
  return [...sides, windshield && `windshield ${windshield}`].filter((one) => one !== undefined).map(String);
}
