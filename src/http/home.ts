/** `GET /` of the site: people get a page, programs the manifest, models the text, as their Accept header asks. */
import type { Document } from "../capabilities/core/document.ts";
import { API_PREFIX } from "../vocabulary.ts";
import { preferredType } from "./accept.ts";
import { documentSource } from "./documents.ts";
import type { Exchange } from "./exchange.ts";
import { headersFor, preparedHeaders } from "./headers.ts";
import { toResponse } from "./representation.ts";
import type { Endpoint } from "./routes.ts";

/** Where the rest is (RFC 8631, RFC 9727), for callers that read no body. */
const LINK = [
  `<${API_PREFIX}/openapi.json>; rel="service-desc"; type="application/json"`,
  `<${API_PREFIX}/docs>; rel="service-doc"; type="text/html"`,
  '</.well-known/api-catalog>; rel="api-catalog"',
].join(", ");
const HEADERS = { Link: LINK, Vary: "Accept" };

/** @param page where people are sent @param manifest JSON @param text Markdown */
export function homeEndpoint(page: string, manifest: Document, text: Document): Endpoint {
  const sources = {
    "application/json": withHeaders(manifest),
    "text/markdown": withHeaders(text),
  };
  const redirect = preparedHeaders({ ...HEADERS, Location: page, "Cache-Control": "no-store" });
  return {
    method: "GET",
    path: "/",
    answer: async (exchange: Exchange) => {
      const type = preferredType(exchange.request.headers.get("accept"), [
        "text/html",
        "application/json",
        "text/markdown",
      ]);
      if (type !== "text/html") return toResponse(exchange, await sources[type](exchange));
      return new Response(null, { status: 302, headers: headersFor(exchange, redirect) });
    },
  };
}

function withHeaders(document: Document) {
  return documentSource({
    ...document,
    render: async (...given) => {
      const { body, headers } = await document.render(...given);
      return { body, headers: { ...headers, ...HEADERS } };
    },
  });
}
