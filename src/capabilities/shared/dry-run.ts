/** `dry_run`: the same checks in the same order, and nothing written, sent or counted. Source: contract 1. */
import { z } from "zod";
import { defined } from "../../lib/fields.ts";
import { newId } from "../../lib/ids.ts";
import { optional } from "../../schema/fields.ts";
import type { Answer } from "../core/capability.ts";
import type { CapabilityId } from "../core/operations.ts";
import { toFillIn } from "../core/sample-person.ts";

export const dryRun = () =>
  optional(z.boolean()).meta({ description: "true checks and prices everything, and stores and sends nothing." });

export const dryRunStatus = () =>
  z.literal("dry_run").optional().meta({ description: "Present when nothing was stored, because of dry_run." });

/** The field with the caller's id, of the requests that have one. */
const ID_FIELDS: Partial<Record<CapabilityId, string>> = {
  book_appointment: "booking_request_id",
  quote_request: "quote_request_id",
};

/**
 * The answer to a dry run, with the same request made real as the next step. The end user agrees after seeing it.
 * @param bookUrl the page where a person does it
 * @param id the caller's own id of the request, also when it came as a header; without one the next step has a fresh id
 */
export function asDryRun<Data>(
  action: CapabilityId,
  { dry_run: _, consent: __, ...real }: { dry_run?: boolean; consent?: object | undefined },
  data: Data,
  { id, bookUrl }: { id?: string | null; bookUrl?: string | undefined } = {},
): Answer<Data> {
  const idField = ID_FIELDS[action];
  return {
    data,
    suggestions: [
      {
        action,
        description: "Do it for real, once the end user has seen this and agrees.",
        ...toFillIn({ ...(idField && { [idField]: id ?? newId("try") }), ...defined(real) }),
        ...(bookUrl && { bookUrl }),
      },
    ],
    isDryRun: true,
  };
}
