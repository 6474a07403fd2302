/** Where an automotive estimate leads: to open times and a booking, pre-filled with what the caller chose. */

import type { Catalog } from "../../catalog/schema.ts";
import type { AutomotiveEstimate } from "../../domain/automotive.ts";
import { ADDONS } from "../../vocabulary.ts";
import type { Context, Suggestion } from "../core/capability.ts";
import { isBookable, pick } from "../core/shapes.ts";
import { sampleBooking } from "../shared/samples.ts";
import type { EstimateRequest } from "./request.ts";

export async function nextSteps(
  input: EstimateRequest,
  estimate: AutomotiveEstimate,
  { catalog, now, diary }: Context,
): Promise<Suggestion[]> {
  const service = catalog.services.find(({ key }) => key === estimate.service);
  if (!service || !isBookable(catalog, service.key)) {
    return [
      { action: "business_location", description: "This service is not booked online: call the shop.", input: {} },
    ];
  }
  const job = {
    ...pick(input, "vehicle_type", "vehicle_year", "vehicle_make", "vehicle_model"),
    film_type: estimate.filmType,
    coverage: estimate.coverage,
  };
  return [
    {
      action: "check_availability",
      description: "See when the shop has time for this job.",
      input: { service: service.id, ...pick(job, "vehicle_type", "film_type", "coverage") },
    },
    {
      action: "book_appointment",
      description:
        "Book this job once the customer agrees: put in a time from check_availability and the customer's own name, phone and e-mail.",
      input: sampleBooking(
        catalog,
        now,
        { ...job, service: service.key, special_requests: wishes(input, catalog) || undefined },
        await diary?.(),
      ),
    },
  ];
}

/** What a booking has no field for, as a note to the shop. */
function wishes(
  { addons = [], shade, windshield_shade: windshield }: EstimateRequest,
  { automotive }: Catalog,
): string {
  const names = ADDONS.filter((code) => addons.includes(code)).map((code) => automotive.addons[code].name);
  const wished =
    typeof shade === "object"
      ? Object.entries(shade).map(([where, vlt]) => `${where.replace("_", " ")} ${vlt}`)
      : shade === undefined
        ? []
        : [`${shade}`];
  if (windshield !== undefined) wished.push(`windshield ${windshield}`);
  return [
    ...(names.length > 0 ? [`Add-ons: ${names.join(", ")}.`] : []),
    ...(wished.length > 0 ? [`Shade: ${wished.join(", ")}.`] : []),
  ].join(" ");
}
