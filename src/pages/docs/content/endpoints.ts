/** One section of the documentation per capability. */
import type { Capability } from "../../../capabilities/core/capability.ts";
import { fillPath, requiresConsent } from "../../../capabilities/core/operations.ts";
import { CAPABILITY_BY_ID } from "../../../capabilities/index.ts";
import { aboutOf, offered, toolOf } from "../../../capabilities/offer.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { adviceOf, limitOf } from "../../../discovery/advice.ts";
import type { Examples } from "../../../discovery/openapi/examples.ts";
import type { SampleOf } from "../../../discovery/sampled.ts";
import { ERRORS } from "../../../errors.ts";
import { API_PREFIX } from "../../../vocabulary.ts";
import {
  type Block,
  type Chip,
  list,
  marked,
  type SampleRequest,
  type Section,
  section,
  type TryForm,
  text,
} from "./blocks.ts";
import { excerpt } from "./excerpt.ts";
import { fieldEntries, tryFields } from "./fields.ts";

export function endpoints(catalog: Catalog, sampleOf: SampleOf, examples: Examples): Section[] {
  return offered(catalog).map((capability) => endpoint(capability, catalog, sampleOf, examples));
}

export function requestOf(id: Capability["id"], sampleOf: SampleOf): SampleRequest {
  return toRequest(CAPABILITY_BY_ID[id], sampleOf);
}

function endpoint(capability: Capability, catalog: Catalog, sampleOf: SampleOf, examples: Examples): Section {
  const fields = fieldEntries(capability, catalog);
  const limit = limitOf(capability, catalog);
  const about = aboutOf(capability, catalog);
  return {
    ...section(
      capability.id,
      capability.title,
      text(marked(about.description, catalog)),
      { kind: "chips", chips: chipsOf(capability, catalog) },
      list(
        ...adviceOf(capability, catalog).map((advice) => marked(advice.replace(/^[^:.]+:/, "**$&**"), catalog)),
        ...(limit ? [limit] : []),
        ...(capability.alsoGet
          ? ["GET takes the same fields as a query; without a query it answers with every base price."]
          : []),
      ),
      fields.length > 0
        ? { kind: "entries", head: ["Field", "Type", "Notes"], entries: fields }
        : text("It takes no fields."),
      ...errorsOf(capability),
      { kind: "try", form: formOf(capability, catalog, sampleOf) },
      { kind: "request", request: toRequest(capability, sampleOf) },
      ...answerBlocks(capability, examples),
    ),
    endpoint: { method: capability.method, path: capability.path },
  };
}

/** The answers to the sample request, by status. */
export function answerBlocks({ operationId, status, title }: Capability, { success, rehearsed }: Examples): Block[] {
  const [dry, real] = [rehearsed.get(operationId), success.get(operationId)];
  const answers = [
    ...(dry ? [{ status: 200, title: "dry run", text: excerpt(dry) }] : []),
    ...(real ? [{ status, title: dry ? "for real" : "success", text: excerpt(real) }] : []),
  ];
  return answers.length > 0 ? [{ kind: "answers", title, answers }] : [];
}

const EFFECTS: Record<Capability["sideEffect"], string> = {
  none: "Reads only",
  creates_lead: "Sends the shop a request",
  books_appointment: "Books an appointment",
  changes_appointment: "Changes an appointment",
};

function chipsOf(capability: Capability, catalog: Catalog): Chip[] {
  const { id, operationId, sideEffect, status, acceptsKey, catalogOnly } = capability;
  const tool = toolOf(capability, catalog);
  const isKeyDue = acceptsKey && catalog.bookings.require_api_key;
  return [
    { text: status === 201 && sideEffect === "none" ? "Issues a key" : EFFECTS[sideEffect], href: "#terms" },
    ...(requiresConsent(capability) ? [{ text: "Ask the customer first", href: "#terms" }] : []),
    { text: isKeyDue ? "Needs a key" : "No key needed", href: "#keys" },
    ...(catalogOnly ? [{ text: "Has an `ETag`", href: "#answers" }] : []),
    ...(tool ? [{ text: `MCP tool \`${tool}\``, href: "#agents" }] : []),
    { text: `Action \`${id}\``, href: "#answers" },
    { text: `Operation \`${operationId}\``, href: `${API_PREFIX}/docs/explorer#/Capabilities/${operationId}` },
  ];
}

/** The error codes that not every endpoint has. */
function errorsOf({ errors }: Capability): Block[] {
  if (errors.length === 0) return [];
  const codes = errors.map((code) => `[${code}](#${code}) (${ERRORS[code].status})`);
  return [text(`Errors besides [those of every endpoint](#errors): ${codes.join(", ")}.`)];
}

function toRequest(capability: Capability, sampleOf: SampleOf): SampleRequest {
  const { method, title } = capability;
  const filled = fillPath(capability, sampleOf(capability));
  return { title, method, path: API_PREFIX + filled.path, sample: { ...filled.rest } };
}

function formOf(capability: Capability, catalog: Catalog, sampleOf: SampleOf): TryForm {
  const { title, method, path } = capability;
  const effect = effectOf(capability);
  return {
    title,
    method,
    path: API_PREFIX + path,
    fields: tryFields(capability, catalog, sampleOf(capability)),
    ...(effect && { effect }),
  };
}

/** A warning about sending the request for real; undefined when nothing is stored. */
function effectOf({ sideEffect, status }: Capability): string | undefined {
  if (sideEffect === "books_appointment") return "This books a real appointment and notifies the shop.";
  if (sideEffect === "changes_appointment") return "This changes a real appointment and notifies the shop.";
  if (sideEffect === "creates_lead") return "This sends a real request to the shop, which will call back.";
  return status === 201 ? "This issues a real key to the address." : undefined;
}
