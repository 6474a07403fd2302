/** `GET /` of the site: people get a page, programs the manifest, models the text, as their Accept header asks. */
import { Elysia } from "elysia";
import type { Document } from "../capabilities/core/document.ts";
import { API_PREFIX } from "../constants.ts";
import { documentSource, withHeaders } from "./documents.ts";
import { otherMethods } from "./other-methods.ts";
import { getAndHead, preferredType, sendRepresentation } from "./representation.ts";
import { withCall } from "./request-context.ts";

/** Where the rest is (RFC 8631, RFC 9727), for callers that read no body. */
const LINK = [
  `<${API_PREFIX}/openapi.json>; rel="service-desc"; type="application/json"`,
  `<${API_PREFIX}/docs>; rel="service-doc"; type="text/html"`,
  '</.well-known/api-catalog>; rel="api-catalog"',
].join(", ");
const HEADERS = { Link: LINK, Vary: "Accept" };

/** Among types of equal weight, the first one that the caller names; people send no more than a wildcard. */
const TYPES = ["text/html", "application/json", "text/markdown"];

/** @param page where people are sent @param manifest JSON @param text Markdown */
export function homePlugin(page: string, manifest: Document, text: Document) {
  const json = documentSource(withHeaders(manifest, HEADERS));
  const markdown = documentSource(withHeaders(text, HEADERS));
  const plugin = new Elysia().use(withCall);
  getAndHead(plugin, "/", async ({ call, set }) => {
    const type = preferredType(call.request, TYPES) ?? "text/html";
    if (type !== "text/html")
      return sendRepresentation({ call, set }, await (type === "application/json" ? json : markdown)(call));
    set.status = 302;
    Object.assign(set.headers, { ...HEADERS, Location: page });
    return "";
  });
  return plugin.use(otherMethods);
}
