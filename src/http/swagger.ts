import { swagger } from "@elysiajs/swagger";
import { Elysia } from "elysia";
import type { Catalog } from "../catalog/schema.ts";

type Documentation = NonNullable<NonNullable<Parameters<typeof swagger>[0]>["documentation"]>;

type Maker = (catalog: Catalog, now: Temporal.Instant) => object;

/**
 * Serves the document of a catalog, made anew at most once a minute: building it takes longer than any other answer, and
 * only the dates in its samples depend on the time.
 */
export function createOpenApiSource(make: Maker): (catalog: Catalog, now: Temporal.Instant) => Promise<Response> {
  let last: { catalog: Catalog; minute: number; text: Promise<string> } | undefined;
  return async (catalog, now) => {
    const minute = Math.floor(now.epochMilliseconds / 60_000);
    if (last?.catalog !== catalog || last.minute !== minute) {
      last = { catalog, minute, text: swaggerDocument(make(catalog, now)) };
    }
    const { text } = last;
    try {
      return new Response(await text, { headers: { "Content-Type": "application/json" } });
    } catch (error) {
      // The next request tries again.
      if (last?.text === text) last = undefined;
      throw error;
    }
  };
}

/**
 * An OpenAPI document as @elysiajs/swagger serves it. The plugin's own page loads scripts from a CDN, so it runs in an
 * application of its own, out of which only the document is let.
 */
async function swaggerDocument(documentation: object): Promise<string> {
  const app = new Elysia().use(
    // The plugin types its argument for OpenAPI documents written by hand; ours is generated.
    swagger({ path: "/page", specPath: "/document", exclude: [/.*/], documentation: documentation as Documentation }),
  );
  const response = await app.handle(new Request("http://localhost/document"));
  const text = await response.text();
  if (!response.ok) throw new Error(`the OpenAPI document cannot be served: ${text.slice(0, 500)}`);
  return text;
}
