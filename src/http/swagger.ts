import type { swagger } from "@elysiajs/swagger";
import { Elysia } from "elysia";
import type { Catalog } from "../catalog/schema.ts";
import { keptForAMinute, type Moment, type Source } from "./kept.ts";
import { type Representation, represent } from "./representation.ts";

type Documentation = NonNullable<NonNullable<Parameters<typeof swagger>[0]>["documentation"]>;

/** Building the document takes longer than any other answer. */
export function createOpenApiSource(
  make: (catalog: Catalog, now: Temporal.Instant) => object | Promise<object>,
): (from: Moment) => Representation | Promise<Representation> {
  return keptForAMinute(async ({ catalog, now }: Moment) => swaggerDocument(await make(catalog, now)));
}

/** Chooses by `?profile=tools`, which asks for the form that function calling takes. */
export function byProfile(whole: Source, tools: Source): Source {
  return (exchange) => {
    const isForTools = exchange.query !== "" && new URLSearchParams(exchange.query).get("profile") === "tools";
    return (isForTools ? tools : whole)(exchange);
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
