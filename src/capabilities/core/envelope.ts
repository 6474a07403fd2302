/** The parts of every answer on the wire: next actions, warnings, and the one error shape (contract 1). */
import { z } from "zod";
import { ERRORS, type ErrorCode, type ErrorDetails, type InvalidField } from "../../errors.ts";
import { SIDE_EFFECTS } from "./operations.ts";
import { bookUrlField, money, slot, timestamp } from "./shapes.ts";

const text = z.string();
const requestObject = z.record(z.string(), z.unknown());

const fillIn = () =>
  z
    .array(text)
    .optional()
    .meta({ description: "Fields that only the caller knows; put them in. Without them the sample is not complete." });

const urlOfGet = () => text.optional().meta({ format: "uri", description: "Of a GET: the whole address." });

export const nextAction = z
  .object({
    action: text.meta({ description: "A capability id." }),
    description: text,
    method: z.enum(["GET", "POST"]),
    path: text.meta({ description: "From the root of the site, beginning with /api/v1/." }),
    requires_consent: z.boolean().meta({ description: "Ask the end user before you send it." }),
    side_effect: z.enum(SIDE_EFFECTS).meta({ title: "SideEffect" }),
    sample_request: requestObject.meta({
      description: "The body, or query, with everything that is known so far; valid once fill_in is put in.",
    }),
    fill_in: fillIn(),
    url: urlOfGet(),
    book_url: bookUrlField(),
  })
  .meta({ title: "NextAction" });
export type NextAction = z.output<typeof nextAction>;

export const warning = z
  .object({
    code: text,
    field: text.optional(),
    message: text,
    did_you_mean: text.optional().meta({ description: "The field that was probably meant." }),
  })
  .meta({ title: "Warning" });
export type Warning = z.output<typeof warning>;

const invalidField = z
  .object({
    field: text.meta({ description: "Path of the field, like vehicle_type or consent.captured_at." }),
    message: text,
    allowed: z
      .array(z.union([text, z.number(), z.boolean()]))
      .readonly()
      .optional()
      .meta({
        description: "The values that would be accepted.",
      }),
    did_you_mean: text.optional().meta({ description: "The field that was probably meant." }),
  })
  .meta({ title: "InvalidField" }) satisfies z.ZodType<InvalidField>;

export const errorShape = z
  .object({
    success: z.literal(false),
    error_code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).meta({ title: "ErrorCode" }),
    message: text.meta({ description: "For people; do not parse it." }),
    recoverable: z.boolean().meta({ description: "Whether a corrected or later request can succeed." }),
    method: text.optional().meta({ description: "The HTTP method to use instead." }),
    missing_fields: z.array(text).optional().meta({ description: "Every required field that is absent." }),
    invalid_fields: z.array(invalidField).optional().meta({ description: "Every fault of the request at once." }),
    alternatives: z
      .array(slot().extend({ book_url: bookUrlField() }))
      .optional()
      .meta({
        description: "The nearest open slots; each can be booked as it stands.",
      }),
    warnings: z
      .array(warning)
      .optional()
      .meta({ description: "Fields of the request that are unknown, or understood." }),
    estimate: z
      .object({ total: money(), previous_total: money(), estimate_id: text, valid_until: timestamp() })
      .optional()
      .meta({ description: "Today's price, where the price of an estimate has expired." }),
    retry_after_seconds: z.int().optional().meta({ description: "The same as the Retry-After header." }),
    usage: z
      .object({
        content_type: z.literal("application/json"),
        sample_request: requestObject,
        fill_in: fillIn(),
        url: urlOfGet(),
      })
      .meta({
        description: "An example of a valid request.",
      }),
    agent_instruction: text.meta({ description: "The next step for an agent, in plain language." }),
    docs: text.meta({ description: "Path of the documentation." }),
    openapi: text.meta({ description: "Path of the OpenAPI document." }),
    request_id: text.optional().meta({ description: "Tell the shop this id when something goes wrong." }),
  })
  .meta({ title: "ApiError" });
export type ErrorBody = Omit<z.output<typeof errorShape>, Exclude<keyof ErrorDetails, "agent_instruction">> &
  Omit<ErrorDetails, "limits" | "sample" | "fillIn" | "agent_instruction">;

/** @param data schema of the `data` of one capability */
export function successShape(data: z.ZodType) {
  return z.object({
    success: z.literal(true),
    data,
    next_actions: z.array(nextAction).optional(),
    warnings: z.array(warning).optional(),
  });
}
