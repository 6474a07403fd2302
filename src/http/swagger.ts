import type { swagger } from "@elysiajs/swagger";
import { Elysia } from "elysia";
import type { Catalog } from "../catalog/schema.ts";
import { type Representation, represent } from "./representation.ts";

type Documentation = NonNullable<NonNullable<Parameters<typeof swagger>[0]>["documentation"]>;

export type OpenApiSource = (catalog: Catalog, now: Temporal.Instant) => Promise<Representation>;

/**
 * The OpenAPI document of a catalog, made anew at most once a minute: building it takes longer than any other answer,
 * and only the dates in its samples depend on the time.
 */
export function createOpenApiSource(make: (catalog: Catalog, now: Temporal.Instant) => object): OpenApiSource {
  let last: { catalog: Catalog; minute: number; document: Promise<Representation> } | undefined;
  return async (catalog, now) => {
    const minute = Math.floor(now.epochMilliseconds / 60_000);
    if (last?.catalog !== catalog || last.minute !== minute) {
      last = { catalog, minute, document: swaggerDocument(make(catalog, now)) };
    }
    const { document } = last;
    try {
      return await document;
    } catch (error) {
      // The next request tries again.
      if (last?.document === document) last = undefined;
      throw error;
    }
  };
}

/**
 * An OpenAPI document as @elysiajs/swagger serves it. The page of the plugin loads scripts from a CDN, so the plugin runs
 * in an application of its own, and only the document is taken from it.
 */
async function swaggerDocument(documentation: object): Promise<Representation> {
  // Loaded for the first document, so that a start does not wait for it.
  const plugin = await import("@elysiajs/swagger");
  const app = new Elysia().use(
    // The plugin's type is for OpenAPI documents written by hand; ours is generated.
    plugin.swagger({
      path: "/page",
      specPath: "/document",
      exclude: [/.*/],
      documentation: documentation as Documentation,
    }),
  );
  const response = await app.handle(new Request("http://localhost/document"));
  const text = await response.text();
  if (!response.ok) throw new Error(`the OpenAPI document cannot be served: ${text.slice(0, 500)}`);
  return represent(text, "application/json");
}
