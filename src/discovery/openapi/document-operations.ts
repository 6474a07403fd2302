/** The operations that answer with a description of the API. */
import { COMMON_ERRORS } from "../../errors.ts";
import type { JsonSchema } from "../../schema/json-schema.ts";
import { manifestShape } from "../manifest.ts";
import { type Components, named, type Operation } from "./components.ts";
import { IF_NONE_MATCH } from "./parameters.ts";
import { failures, json, notModified, success } from "./responses.ts";

export const DOCUMENTS = [
  {
    path: "/capabilities",
    operationId: "get_capabilities",
    summary: "The capability manifest",
    description:
      "Every capability with its fields, side effect, consent rule and a valid sample request. Authoritative; the root of the base URL answers the same.",
    type: "application/json",
  },
  {
    path: "/docs",
    operationId: "get_docs",
    summary: "Documentation for people",
    description: "One page that loads nothing from other hosts.",
    type: "text/html",
  },
  {
    path: "/docs-md",
    operationId: "get_docs_markdown",
    summary: "The documentation in Markdown",
    description: "The same content as the page.",
    type: "text/markdown",
  },
];

export function documentOperation(
  { operationId, summary, description, type }: Omit<(typeof DOCUMENTS)[number], "path">,
  components: Components,
  manifestAnswer: object,
): Operation {
  const schema: JsonSchema =
    type === "application/json"
      ? components.schema(named("GetCapabilitiesAnswer", manifestShape()))
      : { type: "string", description: `The document as ${type}.` };
  return {
    operationId,
    summary,
    description,
    tags: ["Documents"],
    "x-openai-isConsequential": false,
    parameters: [IF_NONE_MATCH],
    responses: {
      200: success({
        description: summary,
        content: type === "application/json" ? json(schema, manifestAnswer) : { [type]: { schema } },
        headers: ["ETag"],
      }),
      304: notModified,
      ...failures(COMMON_ERRORS),
    },
  };
}
