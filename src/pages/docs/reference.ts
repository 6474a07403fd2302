/** The reference of every operation: Swagger UI as its package brings it, which loads nothing from other hosts. */
import { readFileSync } from "node:fs";
import styleFile from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import scriptFile from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import type { Rendered } from "../../capabilities/core/document.ts";
import type { Shop } from "../../catalog/shop.ts";
import { API_PREFIX } from "../../constants.ts";
import { html, raw } from "../../lib/html.ts";
import { inlineSource, pagePolicy } from "../markup/page.ts";

export const styleSheet = () => readFileSync(styleFile, "utf8");
export const script = () => readFileSync(scriptFile, "utf8");

/** Requests go to the page's own origin, whichever address the document names. */
const START = `fetch("${API_PREFIX}/openapi.json")
  .then((response) => response.json())
  .then((spec) =>
    SwaggerUIBundle({
      spec: { ...spec, servers: [{ url: "${API_PREFIX}" }] },
      dom_id: "#swagger-ui",
      deepLinking: true,
      validatorUrl: null,
    }),
  );`;

/** @param address of the page, below which its files are */
export function referencePage({ business: { name } }: Shop, address: string): Rendered {
  const docs = `${API_PREFIX}/docs`;
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} API reference</title>
<meta name="description" content="Every operation of the API, to be tried from the page.">
<link rel="icon" href="${docs}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${address}/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"><p>The reference needs JavaScript; <a href="${docs}">the documentation</a> does not.</p></div>
<script src="${address}/swagger-ui-bundle.js"></script>
<script>${raw(START)}</script>
</body>
</html>
`;
  const headers = pagePolicy({
    "script-src": `'self' ${inlineSource(START)}`,
    "style-src": "'self'",
    // Swagger UI draws its icons from data: addresses.
    "img-src": "'self' data:",
    "connect-src": "'self'",
  });
  return { body: body.markup, headers };
}
