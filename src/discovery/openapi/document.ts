/** The OpenAPI 3.0.3 document, made from the definitions of the capabilities. */
import { errorShape, nextAction, warningShape } from "../../capabilities/core/envelope.ts";
import type { Shop } from "../../catalog/shop.ts";
import { VERSION } from "../../lib/version.ts";
import { LIMITS } from "../../schema/fields.ts";
import { jsonSchema } from "../../schema/json-schema.ts";
import { samplesAt } from "../sampled.ts";
import { docsUrl, summaryOf } from "../site.ts";
import { createComponents } from "./components.ts";
import { type Examples, NO_EXAMPLES } from "./examples.ts";
import { paths } from "./operations.ts";
import { errorExamples, errorResponses, HEADERS } from "./responses.ts";

/** @param examples answers to show beside the schemas; by default none */
export function openApi(catalog: Shop, now: Temporal.Instant, examples: Examples = NO_EXAMPLES) {
  const { business, site } = catalog;
  const components = createComponents();
  for (const shared of [errorShape, nextAction, warningShape]) components.schema(jsonSchema(shared, "output"));
  return {
    openapi: "3.0.3",
    info: {
      title: `${business.name} API`,
      version: VERSION,
      description: `${summaryOf(catalog)}\n\n${RULES}`,
      termsOfService: docsUrl(catalog, "terms"),
      contact: { name: business.name, email: business.email, url: site.url },
      license: { name: `Terms of use of ${business.name}`, url: docsUrl(catalog, "terms") },
    },
    externalDocs: { description: "Documentation for people", url: docsUrl(catalog) },
    servers: [{ url: site.base_url, description: "Production" }],
    security: [{}, { bearerKey: [] }, { headerKey: [] }],
    tags: [
      { name: "Capabilities", description: "What a caller can do." },
      { name: "Documents", description: "Descriptions of the API." },
    ],
    paths: paths({ components, catalog, sampleOf: samplesAt(catalog, now), examples }),
    components: {
      securitySchemes: {
        bearerKey: { type: "http", scheme: "bearer", description: "Optional API key; raises the rate limits." },
        headerKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "The same key in a header of its own.",
        },
      },
      schemas: components.all(),
      responses: errorResponses(),
      headers: HEADERS,
      examples: errorExamples(catalog),
    },
  };
}

/** Rules for every operation that no schema can express. */
const RULES = [
  `Bodies are JSON objects in UTF-8, at most ${LIMITS.body / 1024} KiB, and strict about types, but digits in a text are understood where an integer is due. Strings are trimmed and NFC-normalised, and control and invisible characters are taken out; no text is refused for a character. A null and an empty string count as absent. An unknown field is ignored with a warning.`,
  "Money is a number of currency units with at most 2 decimals. Dates and times are the shop's own; instants are RFC 3339 with the shop's UTC offset.",
  "`/api/v1/openapi.json?profile=tools` is this document for function calling: requests alone, in plain schemas.",
  "New fields may be added to answers; nothing else changes within /api/v1.",
].join("\n\n");
