/**
 * The way on for glass that no coverage names, like the rear window alone: a request for a quote that says in words which it is.
 * Source: contract 2.
 */
import type { Shop } from "../../catalog/shop.ts";
import { type ApiError, ERRORS } from "../../errors.ts";
import { CAR_NAME } from "../../job/job.ts";
import { pick } from "../../lib/fields.ts";
import { newId } from "../../lib/ids.ts";
import { spaced } from "../../lib/text.ts";
import { topOf } from "../../schema/at-path.ts";
import { LIMITS } from "../../schema/fields.ts";
import type { Suggestion } from "./capability.ts";
import type { Validated } from "./validate.ts";

/** What a quote request has under the same name. */
const SAME = ["vehicle_type", ...CAR_NAME, "film_type"] as const;
/** What it has no field for is said in its message. */
const SAID = ["coverage", "shade", "windshield_shade", "addons", "remove_old_film", "date", "time", "special_requests"];

const PERSON = ["first_name", "phone", "email"];

/** Next to an estimate. A brief one has few words. */
export function forOtherGlass(job: { service_type: string; vehicle_type: string }, isBrief: boolean): Suggestion {
  if (isBrief)
    return {
      action: "quote_request",
      description: "Other glass.",
      input: { service_type: job.service_type },
      fillIn: [...PERSON, "message"],
    };
  const message = "Only some of the glass: the customer says which.";
  return {
    action: "quote_request",
    description:
      "For other glass, like the rear window alone or one window: ask for a quote, and say in message which.",
    input: { ...job, message, quote_request_id: newId("try") },
    fillIn: PERSON,
  };
}

/** What a refused request for such glass, or for glass that has no legal job, leads to. */
export function waysOn({ request, issues }: Validated, { code, details }: ApiError, catalog: Shop): Suggestion[] {
  const glass = issues.get("coverage");
  const isOther = typeof request.coverage === "string" && glass !== undefined && glass.did_you_mean === undefined;
  const isNowhereLegal = ERRORS[code].about === "law" && details.known === undefined;
  if (!isOther && !isNowhereLegal) return [];
  const faulty = new Set([...issues.keys()].map(topOf));
  const sound = Object.fromEntries(Object.entries(request).filter(([name]) => !faulty.has(name)));
  const service = [request.service_type, request.service].find((one) =>
    catalog.terms.services.some((key) => key === one),
  );
  const said = SAID.filter((name) => request[name] !== undefined && (name === "coverage" || !faulty.has(name)));
  const input = {
    ...(sound.customer_name !== undefined && { first_name: sound.customer_name }),
    ...(sound.customer_phone !== undefined && { phone: sound.customer_phone }),
    ...(sound.customer_email !== undefined && { email: sound.customer_email }),
    service_type: service ?? catalog.automotive.defaults.service,
    ...pick(sound, ...SAME),
    message: said
      .map((name) => `${name === "coverage" ? "glass" : spaced(name)}: ${inWords(request[name])}`)
      .join("; ")
      .slice(0, LIMITS.text),
  };
  const what = isOther
    ? `No coverage is this glass alone (${catalog.terms.coverages.join(", ")} are): ask the shop for a quote, with the wish in message.`
    : "No legal job for this glass can be booked online: ask the shop for a quote.";
  const fillIn = [...PERSON.filter((field) => !Object.hasOwn(input, field)), "consent"];
  return [{ action: "quote_request", description: what, input: { ...input, quote_request_id: newId("try") }, fillIn }];
}

const LONGEST_WISH = 200;

function inWords(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  const spacedOut = typeof value === "string" ? value : text.replaceAll(/[:,](?=\S)/g, "$& ");
  return spacedOut.replaceAll(/["{}[\]]/g, "").slice(0, LONGEST_WISH);
}
