import { swagger } from "@elysiajs/swagger";
import { Elysia } from "elysia";

type Documentation = NonNullable<NonNullable<Parameters<typeof swagger>[0]>["documentation"]>;

/**
 * An OpenAPI document as @elysiajs/swagger serves it. The plugin's own page loads scripts from a CDN, so it runs in an
 * application of its own, out of which only the document is let.
 */
export async function swaggerDocument(documentation: object): Promise<Response> {
  const app = new Elysia().use(
    // The plugin types its argument for OpenAPI documents written by hand; ours is generated.
    swagger({ path: "/page", specPath: "/document", exclude: [/.*/], documentation: documentation as Documentation }),
  );
  return app.handle(new Request("http://localhost/document"));
}
