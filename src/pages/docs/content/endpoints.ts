/** One section of the documentation per capability. */
import { isDeepStrictEqual } from "node:util";
import type { Capability } from "../../../capabilities/core/capability.ts";
import { fillPath, requiresConsent } from "../../../capabilities/core/operations.ts";
import { aboutOf, CAPABILITY_BY_ID, offered, toolOf } from "../../../capabilities/index.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { API_PREFIX } from "../../../constants.ts";
import { adviceOf, limitOf } from "../../../discovery/manifest.ts";
import type { Examples } from "../../../discovery/openapi/examples.ts";
import type { SampleOf } from "../../../discovery/sampled.ts";
import { ERRORS } from "../../../errors.ts";
import {
  type Block,
  type Chip,
  list,
  marked,
  prose,
  type SampleRequest,
  type Section,
  section,
  type TryForm,
} from "./blocks.ts";
import { excerpt } from "./excerpt.ts";
import { answerForms, fieldEntries, tryFields } from "./fields.ts";

export function endpoints(catalog: Shop, sampleOf: SampleOf, examples: Examples): Section[] {
  const listed = new Map<string, string>();
  return offered(catalog).map((capability) => endpoint(capability, listed, catalog, sampleOf, examples));
}

export function sampleRequestOf(id: Capability["id"], sampleOf: SampleOf): SampleRequest {
  return toRequest(CAPABILITY_BY_ID[id], sampleOf);
}

/** @param listed the shapes of answers that were listed before */
function endpoint(
  capability: Capability,
  listed: Map<string, string>,
  catalog: Shop,
  sampleOf: SampleOf,
  examples: Examples,
): Section {
  const fields = fieldEntries(capability, catalog);
  const limit = limitOf(capability, catalog);
  const about = aboutOf(capability, catalog);
  return {
    ...section(
      capability.id,
      capability.title,
      prose(marked(about.description, catalog)),
      { kind: "chips", chips: chipsOf(capability, catalog) },
      list(
        ...adviceOf(capability, catalog).map((advice) => marked(advice.replace(/^[^:.]+:/, "**$&**"), catalog)),
        ...(limit ? [limit] : []),
        ...(needsBooking(capability, catalog) ? [marked(NEEDS_BOOKING, catalog)] : []),
        ...(capability.alsoGet
          ? ["GET takes the same fields as a query; without a query it answers with every base price."]
          : []),
      ),
      fields.length > 0
        ? { kind: "entries", head: ["Field", "Type", "Notes"], entries: fields }
        : prose("It takes no fields."),
      ...errorsOf(capability),
      ...answerForms(capability, catalog, listed).flatMap(({ title, entries }): Block[] => [
        prose(`**The response.** ${title}`),
        { kind: "entries", head: ["Field of `data`", "Type", "Notes"], entries },
      ]),
      { kind: "request", request: toRequest(capability, sampleOf) },
      { kind: "try", form: formOf(capability, catalog, sampleOf) },
      ...answerBlocks(capability, examples),
    ),
    endpoint: { method: capability.method, path: capability.path },
  };
}

function shownOf(answer: object): { text: string; whole?: string } {
  const text = excerpt(answer);
  const isWhole = isDeepStrictEqual(JSON.parse(text), answer);
  return { text, ...(!isWhole && { whole: JSON.stringify(answer) }) };
}

const NEEDS_BOOKING =
  "The sample names no real booking, and its code uses up no limit: make one with book_appointment, then put in its code, and the phone or e-mail it was booked with.";

function needsBooking({ input }: Capability, catalog: Shop): boolean {
  return "confirmation_code" in input(catalog).shape;
}

/** The answers to the sample request, by status. */
export function answerBlocks({ operationId, status, title }: Capability, { success, dryRuns }: Examples): Block[] {
  const [dry, real] = [dryRuns.get(operationId), success.get(operationId)];
  const answers = [
    ...(dry ? [{ status: 200, title: "dry run", ...shownOf(dry) }] : []),
    ...(real ? [{ status, title: dry ? "without dry_run" : "success", ...shownOf(real) }] : []),
  ];
  return answers.length > 0 ? [{ kind: "answers", title, answers }] : [];
}

/** What sending the request does, in short; and the warning before it, unless nothing is stored. */
const EFFECTS: Record<Capability["sideEffect"] | "issues_key", { short: string; warning?: string }> = {
  none: { short: "Reads only" },
  creates_lead: {
    short: "Sends the shop a request",
    warning: "This sends a real request to the shop, which will call back.",
  },
  books_appointment: {
    short: "Books an appointment",
    warning: "This books a real appointment and notifies the shop.",
  },
  changes_appointment: {
    short: "Changes an appointment",
    warning: "This changes a real appointment and notifies the shop.",
  },
  issues_key: { short: "Issues a key", warning: "This issues a real key to the address." },
};

function effectOf({ sideEffect, status }: Capability) {
  return EFFECTS[status === 201 && sideEffect === "none" ? "issues_key" : sideEffect];
}

function chipsOf(capability: Capability, catalog: Shop): Chip[] {
  const { id, operationId, acceptsKey, catalogOnly } = capability;
  const tool = toolOf(capability, catalog);
  const isKeyDue = acceptsKey && catalog.bookings.require_api_key;
  return [
    { text: effectOf(capability).short, href: "#terms" },
    ...(requiresConsent(capability) ? [{ text: "Ask the customer first", href: "#terms" }] : []),
    { text: isKeyDue ? "Needs a key" : "No key needed", href: "#keys" },
    ...(catalogOnly ? [{ text: "Has an `ETag`", href: "#answers" }] : []),
    ...(tool ? [{ text: "MCP tool", href: "#agents" }] : []),
    { text: `Action \`${id}\``, href: `${API_PREFIX}/docs/explorer#/Capabilities/${operationId}` },
  ];
}

/** The error codes that not every endpoint has. */
function errorsOf({ errors }: Capability): Block[] {
  if (errors.length === 0) return [];
  const codes = errors.map((code) => `[${code}](#${code}) (${ERRORS[code].status})`);
  return [prose(`Errors besides [those of every endpoint](#errors): ${codes.join(", ")}.`)];
}

function toRequest(capability: Capability, sampleOf: SampleOf): SampleRequest {
  const { method, title } = capability;
  const filled = fillPath(capability, sampleOf(capability));
  return { title, method, path: API_PREFIX + filled.path, sample: { ...filled.rest } };
}

function formOf(capability: Capability, catalog: Shop, sampleOf: SampleOf): TryForm {
  const { title, method, path } = capability;
  const { warning } = effectOf(capability);
  return {
    title,
    method,
    path: API_PREFIX + path,
    fields: tryFields(capability, catalog, sampleOf(capability)),
    ...(warning && { effect: warning }),
  };
}
