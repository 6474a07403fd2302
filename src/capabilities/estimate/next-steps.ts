/** The steps after an automotive estimate: open times, and a booking filled in with the choices of the caller. */

import { derivedBy } from "../../catalog/derived.ts";
import type { Catalog } from "../../catalog/schema.ts";
import type { AutomotiveEstimate } from "../../domain/automotive.ts";
import { serviceOf } from "../../domain/work.ts";
import { lasting } from "../../lib/json.ts";
import { pick } from "../../lib/pick.ts";
import { ADDONS, type AutomotiveService, type Coverage, type FilmType } from "../../vocabulary.ts";
import type { Context, Suggestion } from "../core/capability.ts";
import type { Start } from "../core/diary.ts";
import { openStart, sampleBooking } from "../shared/samples.ts";
import type { EstimateRequest } from "./request.ts";

export async function nextSteps(
  input: EstimateRequest,
  { work: { service, filmType: film_type, coverage } }: AutomotiveEstimate,
  ctx: Context<never>,
): Promise<Suggestion[]> {
  if (!serviceOf(ctx.catalog, service).bookable) return [CALL];
  const { vehicle_type } = input;
  const work = { vehicle_type, service, film_type: film_type ?? undefined, coverage: coverage ?? undefined };
  const asked: Asked = { ...input, service, film_type, coverage, start: await openStart(work, ctx) };
  return stepsOf(ctx.catalog, JSON.stringify(asked));
}

const CALL: Suggestion = {
  action: "business_location",
  description: "This service is not booked online: call the shop.",
  input: {},
};

/** What the steps depend on, besides the catalog: the request with the shop's defaults, and a time that is open. */
interface Asked extends Omit<EstimateRequest, "service" | "film_type" | "coverage"> {
  service: AutomotiveService;
  film_type: FilmType | null;
  coverage: Coverage | null;
  start: Start | null;
}

/** Steps kept, each of one or two kilobytes. */
const MOST_STEPS = 300;

const stepsOf = derivedBy(MOST_STEPS, (catalog, json): Suggestion[] => {
  const asked: Asked = JSON.parse(json);
  const { service } = asked;
  const chosen = pick(asked, "vehicle_type", "vehicle_year", "vehicle_make", "vehicle_model", "film_type", "coverage");
  return lasting([
    {
      action: "check_availability",
      description: "See when the shop has time for this work.",
      input: { service: serviceOf(catalog, service).id, ...pick(chosen, "vehicle_type", "film_type", "coverage") },
    },
    {
      action: "book_appointment",
      description:
        "Book this work once the customer agrees: put in a time from check_availability and the customer's own name, phone and e-mail.",
      input: sampleBooking(catalog, { ...chosen, service, special_requests: wishes(asked, catalog) }, asked.start),
    },
  ]);
});

type Wishes = Pick<EstimateRequest, "addons" | "shade" | "windshield_shade">;

/** A note to the shop with the wishes for which a booking has no field; undefined without such wishes. */
function wishes(input: Wishes, { automotive }: Catalog): string | undefined {
  const addons = ADDONS.filter((code) => input.addons?.includes(code)).map((code) => automotive.addons[code].name);
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
