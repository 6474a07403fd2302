/** The way on from what has no price, like the rear window alone or a motorcycle: a quote request that says it. Source: contract 2. */
import type { Shop } from "../../catalog/shop.ts";
import { wordMeant } from "../../catalog/words.ts";
import { type ApiError, ERRORS } from "../../errors.ts";
import { isOtherVehicle } from "../../job/job.ts";
import { defined, pick } from "../../lib/fields.ts";
import { newId } from "../../lib/ids.ts";
import { snakeCase, spaced, wordForm } from "../../lib/text.ts";
import { topField } from "../../schema/coerce.ts";
import { LIMITS } from "../../schema/fields.ts";
import { readYesNo } from "../../schema/quantities.ts";
import type { Capability, Issues, Suggestion } from "./capability.ts";
import { OTHER_WORK } from "./shapes.ts";

/** What a quote request takes in any words, and as the field has it. */
const CAR = ["vehicle_type", "vehicle_make", "vehicle_model"] as const;
const SAME = ["vehicle_year", "film_type"] as const;
/** What it has no field for is said in its message, as is what its field does not take. */
const SAID = [
  ...["service_type", "service", "coverage", "film_type", "shade", "windshield_shade", "addons", "add_addons"],
  ...["remove_addons", "remove_old_film", "confirmation_code", "date", "time", "special_requests"],
];

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

/** Behind what is wrong with a word that no other is near to: how it is had all the same. */
export function wayFor(path: string, text: string, { id, input }: Capability, catalog: Shop): string | undefined {
  if (path === "coverage") {
    const addon = wordMeant(text, "addons", catalog);
    if (addon !== undefined) return `${addon} is an extra: put it into addons`;
    return id === "quote_request" ? "say it in message" : "for other glass send a quote request";
  }
  if (path === "vehicle_type") return "for another vehicle send a quote request";
  const { shape } = input(catalog);
  if (path.startsWith("addons") && Object.hasOwn(shape, "add_addons"))
    return "addons replaces the booked extras: add_addons adds some, remove_addons takes some out";
  const isOfWork = path === "service" || path === "service_type" || path.startsWith("addons[");
  return isOfWork && Object.hasOwn(shape, "remove_old_film")
    ? "to have old film taken off first, send remove_old_film"
    : undefined;
}

interface Refused {
  request: Readonly<Record<string, unknown>>;
  issues: Issues;
}

/** What a refused request for such work, or for glass that has no legal job, leads to. */
export function waysOn(
  { request, issues }: Refused,
  { code, details }: ApiError,
  { id }: Capability,
  catalog: Shop,
): Suggestion[] {
  if (id === "reschedule_booking" && callsOff(request)) return [toCancel(request)];
  const why = id === "quote_request" ? undefined : whyQuoted({ request, issues }, { code, details }, catalog);
  if (why === undefined) return [];
  const faulty = new Set([...issues.keys()].map(topField));
  const sound = Object.fromEntries(Object.entries(request).filter(([name]) => !faulty.has(name)));
  const { service: named, service_type = named } = request;
  const service = service_type ?? catalog.automotive.defaults.service;
  const isKnown = catalog.services.some(({ key }) => key === service);
  const car = CAR.flatMap((name) =>
    request[name] === undefined ? [] : [[name, spelledOut(request[name], LIMITS.other)]],
  );
  const {
    customer_name: first_name,
    customer_phone,
    phone = customer_phone,
    customer_email,
    email = customer_email,
  } = sound;
  const isSaid = (name: string) =>
    request[name] !== undefined &&
    !(name === "film_type" && !faulty.has(name)) &&
    !(name.startsWith("service") && isKnown);
  const message = SAID.filter(isSaid)
    .map((name) => `${name === "coverage" ? "glass" : spaced(name)}: ${spelledOut(request[name])}`)
    .join("; ");
  const input = {
    ...defined({ first_name, phone, email }),
    service_type: isKnown ? service : OTHER_WORK,
    ...Object.fromEntries(car),
    ...pick(sound, ...SAME),
    ...(message !== "" && { message: message.slice(0, LIMITS.text) }),
  };
  const fillIn = [...PERSON.filter((field) => !Object.hasOwn(input, field)), "consent"];
  return [{ action: "quote_request", description: why, input: { ...input, quote_request_id: newId("try") }, fillIn }];
}

/** Whether a change of a booking asks for its end: `cancel: true`, `action: "cancel"`, `status: "cancelled"`. */
export function callsOff(request: object): boolean {
  return Object.entries(request).some(([name, item]) =>
    ENDS.test(snakeCase(name))
      ? item !== false && ((typeof item !== "string" && typeof item !== "number") || readYesNo(item) !== false)
      : typeof item === "string" && ENDS.test(wordForm(item)),
  );
}
const ENDS = /^(?:is_)?cancel(?:led|ed|ing|lation)?(?:_(?:it|booking|appointment))?$/;

/** From a change that asks for the end of a booking. */
function toCancel(request: Refused["request"]): Suggestion {
  const contact = request.email === undefined ? "phone" : "email";
  return {
    action: "cancel_booking",
    description: "Call the booking off, once the customer agrees to that.",
    input: pick(request, "confirmation_code", contact, "reason"),
    fillIn: ["confirmation_code", contact].filter((field) => request[field] === undefined),
  };
}

/** Why a request is one for a quote; undefined where it can be corrected. */
function whyQuoted(
  { request, issues }: Refused,
  { code, details }: Pick<ApiError, "code" | "details">,
  catalog: Shop,
): string | undefined {
  const isRefused = (field: string) => {
    const issue = issues.get(field);
    return issue !== undefined && !issue.missing && issue.did_you_mean === undefined;
  };
  if (isRefused("coverage"))
    return `No coverage is this glass alone (${catalog.terms.coverages.join(", ")} are): ask the shop for a quote, with the wish in message.`;
  const name = CAR.map((field) => request[field]).filter((part) => typeof part === "string");
  if (isRefused("vehicle_type") || (issues.has("vehicle_type") && isOtherVehicle(name.join(" "), catalog)))
    return "A vehicle of none of these types has no price here: ask the shop for a quote.";
  if (isRefused("service") || isRefused("service_type"))
    return "Other work has no price here: ask the shop for a quote, with the wish in message.";
  return ERRORS[code].about === "law" && details.known === undefined
    ? "No legal job for this glass can be booked online: ask the shop for a quote."
    : undefined;
}

const LONGEST_WISH = 200;

function spelledOut(value: unknown, longest = LONGEST_WISH): string {
  const text = JSON.stringify(value) ?? "";
  const spacedOut = typeof value === "string" ? value : text.replaceAll(/[:,](?=\S)/g, "$& ");
  return spacedOut.replaceAll(/["{}[\]]/g, "").slice(0, longest);
}
