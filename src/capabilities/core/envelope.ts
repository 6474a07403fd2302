/** The parts of every answer on the wire: next actions, warnings, and the one error shape (contract 1). */
import { z } from "zod";
import { ERROR_CODES, ERRORS, type ErrorDetails, type InvalidField } from "../../errors.ts";
import { linesFor } from "../../schema/fields.ts";
import { SIDE_EFFECTS } from "./operations.ts";
import { bookUrlField, currencyUnits, slot, timestamp } from "./shapes.ts";

const text = z.string();
const requestObject = z.record(z.string(), z.unknown());

const fillIn = () =>
  z
    .array(text)
    .optional()
    .meta({ description: "Fields that only the caller knows; put them in. Without them the sample is not complete." });

const urlOfGet = () => text.optional().meta({ format: "uri", description: "Of a GET: the whole address." });

export const httpMethod = () =>
  z.enum(["GET", "POST"]).meta({
    description: "The HTTP method.",
    ...linesFor({ GET: "Fields go into the query.", POST: "Fields go into a JSON body." }),
  });

export const sideEffect = () =>
  z.enum(SIDE_EFFECTS).meta({
    title: "SideEffect",
    description: "What it changes.",
    ...linesFor<(typeof SIDE_EFFECTS)[number]>({
      none: "Nothing.",
      creates_lead: "The shop gets a request.",
      books_appointment: "An appointment is booked.",
      changes_appointment: "An appointment is moved, changed or cancelled.",
    }),
  });

export const nextAction = z
  .object({
    action: text.meta({ description: "A capability id." }),
    description: text.describe("What it is for."),
    method: httpMethod(),
    path: text.meta({ description: "From the root of the site, beginning with /api/v1/." }),
    requires_consent: z.boolean().meta({ description: "Ask the end user before you send it." }),
    side_effect: sideEffect(),
    sample_request: requestObject.meta({
      description: "The body, or query, with everything that is known so far; valid once fill_in is put in.",
    }),
    fill_in: fillIn(),
    url: urlOfGet(),
    book_url: bookUrlField(),
  })
  .meta({ title: "NextAction", description: "A possible next step, with a request for it." });
export type NextAction = z.output<typeof nextAction>;

export const WARNINGS = {
  UNKNOWN_FIELD: "A field that is not known was ignored.",
  UNDERSTOOD: "A name or word that is not the proper one was understood; the message says which is.",
  FIELD_IGNORED: "A field does not matter here and was ignored.",
  UNKNOWN_GOAL: "A goal is kept as it is, but picks no film.",
  ADDON_NOT_APPLICABLE: "An add-on does not go with the service and is not charged.",
  SHADE_NOT_STOCKED: "The film does not come in this shade; the message names the nearest.",
  SHADE_NOT_APPLICABLE: "A shade was given for glass that gets no film; it was not checked.",
  NOT_LEGAL: "A wished shade is not legal; the message names what the law asks and the darkest legal shade in stock.",
  LAW_BORDERLINE:
    "Whether a wished shade passes depends on the glass or the meter; the message names the darkest in stock that is sure to.",
  DEPENDS_ON_CLASS:
    "Whether a wished shade is legal depends on the class of the vehicle; the message names what the stricter one asks.",
  VEHICLE_TYPE_CHECK: "The make and model counts as another vehicle type, with another price or length.",
  REMOVED: "A change took something out of the booking, asked to or not: an extra, the removal of old film, a shade.",
  NO_PRICE: "The booking has no price, because no vehicle type was given.",
  REPEATED: "The same booking was made a few minutes ago; this is that one again.",
  REPLAYED: "The request was answered before; this is its booking as it is now.",
  QUOTA: "A dry run: the booking itself would be refused now, because a quota is used up.",
  QUOTA_AT_BOOKING: "A dry run: limits of the customer are known only when it is booked.",
  CONCERN_NOT_USED: "The kind of site decides the films, so the concern was not used.",
  CONTACT_CHECK: "A phone number that nobody can have, or a mail domain that looks mistyped; it was taken as sent.",
  SIZE_CHECK: "Sizes look wrong: feet sent as inches, or more old film than glass.",
} as const;
type WarningCode = keyof typeof WARNINGS;
/** Open on the wire, because codes may come; in the program only those with a line. */
const warningCode = z.string() as z.ZodType as z.ZodType<WarningCode, WarningCode>;

export const warningShape = z
  .object({
    code: warningCode.meta({ description: "What it is about; more codes may come.", ...linesFor(WARNINGS) }),
    field: text.optional().describe("The field of the request."),
    message: text.describe("In words, for people and models."),
    did_you_mean: text.optional().meta({ description: "The field that was probably meant." }),
  })
  .meta({ title: "Warning", description: "Something that the caller should know." });
/** The key of what a warning says to people, behind its field and without the advice to programs. Symbols are not sent. */
export const TO_PEOPLE = Symbol("to people");
export type Warning = z.output<typeof warningShape> & {
  /** `meant` is a value of several parts, like shades by glass, which the desk writes behind `said` in its own words. */
  [TO_PEOPLE]?: { said: string; meant: object | undefined };
};

/** The most warnings about the names of one request. */
export const MAX_WARNINGS = 20;

/** The caller's own name of a field, without characters that forge lines of a log. */
export function shownName(path: string): string {
  return path.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\u{FFFD}").slice(0, 200);
}

/** @param path of the field, as the caller wrote it */
export function ignoredField(path: string, why: string, meant?: string): Warning {
  const field = shownName(path);
  return { code: "UNKNOWN_FIELD", field, message: `${field} ${why}`, ...(meant && { did_you_mean: meant }) };
}

const allowedValues = () =>
  z
    .array(z.union([text, z.number(), z.boolean()]))
    .readonly()
    .optional()
    .meta({ description: "The values that would be accepted." });

const invalidField = z
  .object({
    field: text.meta({ description: "Path of the field, like vehicle_type or consent.captured_at." }),
    message: text.describe("What is wrong; completes a sentence that begins with the field."),
    allowed: allowedValues(),
    did_you_mean: text.optional().meta({ description: "The field or the word that was probably meant." }),
  })
  .meta({ title: "InvalidField", description: "A fault of the request." }) satisfies z.ZodType<InvalidField>;

export const errorShape = z
  .object({
    success: z.literal(false).describe("Always false."),
    error_code: z.enum(ERROR_CODES).meta({
      title: "ErrorCode",
      description: "What it is; for programs.",
      ...linesFor(Object.fromEntries(Object.entries(ERRORS).map(([code, { when }]) => [code, when]))),
    }),
    message: text.meta({ description: "For people; do not parse it." }),
    recoverable: z.boolean().meta({ description: "Whether a corrected or later request can succeed." }),
    method: text.optional().meta({ description: "The HTTP method to use instead." }),
    path: text.optional().meta({ description: "The path to send that to, from the root of the site." }),
    did_you_mean: text.optional().meta({ description: "The request that was probably meant, as `METHOD path`." }),
    missing_fields: z.array(text).optional().meta({ description: "Every required field that is absent." }),
    invalid_fields: z.array(invalidField).optional().meta({ description: "Every fault of the request at once." }),
    alternatives: z
      .array(slot().extend({ book_url: bookUrlField() }))
      .optional()
      .meta({ description: "The nearest open slots; each can be booked as is." }),
    warnings: z
      .array(warningShape)
      .optional()
      .meta({ description: "Fields of the request that are unknown, or understood." }),
    estimate: z
      .object({
        total: currencyUnits().describe("Today's price."),
        previous_total: currencyUnits().describe("The price of the estimate."),
        estimate_id: text.describe("Send it to accept this price."),
        valid_until: timestamp(),
      })
      .optional()
      .meta({ description: "Today's price, where the price of an estimate has expired." }),
    next_actions: z.array(nextAction).optional().describe("What can be had instead, by another request."),
    retry_after_seconds: z.int().optional().meta({ description: "The same as the Retry-After header." }),
    rate_limit: z
      .object({
        scope: text.describe("Which limit it is."),
        limit: z.int().describe("How many it allows."),
        remaining: z.int().describe("How many are left."),
        reset_seconds: z.int().describe("Until it has room again."),
      })
      .optional()
      .meta({ description: "The limit that refused: the same as the X-RateLimit headers." }),
    usage: z
      .object({
        content_type: z.literal("application/json").describe("Of the body."),
        sample_request: requestObject.describe("The body, or query."),
        fill_in: fillIn(),
        fill_in_hints: z
          .array(
            z
              .object({
                field: text.describe("As in fill_in."),
                given: text.describe("What was sent, which was not understood."),
                allowed: allowedValues(),
              })
              .meta({ title: "FillInHint", description: "A field to put in, with what was sent for it." }),
          )
          .optional()
          .meta({ description: "What was sent for fields in fill_in." }),
        url: urlOfGet(),
      })
      .meta({ description: "Your own request with what was understood of it; valid once fill_in is put in." }),
    agent_instruction: text.meta({ description: "The next step for an agent, in plain language." }),
    docs: text.meta({ description: "Path of the documentation." }),
    openapi: text.meta({ description: "Path of the OpenAPI document." }),
    request_id: text.optional().meta({ description: "Tell the shop this id when something goes wrong." }),
  })
  .meta({ title: "ErrorAnswer", description: "The one shape of every error." });
export type ErrorBody = Omit<
  z.output<typeof errorShape>,
  Exclude<keyof ErrorDetails, "agent_instruction" | "next_actions">
> &
  Omit<ErrorDetails, "limits" | "suggested" | "known" | "agent_instruction" | "next_actions">;

/** @param beside what answers may hold beside the data */
export function successShape(data: z.ZodType, beside: Readonly<Record<string, z.ZodType>> = {}) {
  return z.object({
    success: z.literal(true).describe("Always true."),
    data,
    ...beside,
    next_actions: z.array(nextAction).optional().describe("The possible next steps."),
    warnings: z.array(warningShape).optional().describe("What the caller should know; absent when there is nothing."),
  });
}
