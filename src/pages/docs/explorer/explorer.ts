/** Swagger UI, served from its package: it makes no request to any other host. */
import { readFileSync } from "node:fs";
import styleFile from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import scriptFile from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import type { Document } from "../../../capabilities/core/document.ts";
import { API_PREFIX } from "../../../vocabulary.ts";
import { inlineSource, pagePolicy } from "../html/policy.ts";
import start from "./start-explorer.js" with { type: "text" };

const PATH = `${API_PREFIX}/docs/explorer`;

export const EXPLORER: readonly Document[] = [
  {
    path: PATH,
    contentType: "text/html; charset=utf-8",
    render: ({ business }) => ({ body: page(Bun.escapeHTML(business.name)), headers: POLICY }),
  },
  asset("swagger-ui.css", "text/css; charset=utf-8", styleFile),
  asset("swagger-ui-bundle.js", "text/javascript; charset=utf-8", scriptFile),
];

/** A file of the package, read when it is first asked for. */
function asset(name: string, contentType: string, file: string): Document {
  let body: string | undefined;
  return {
    path: `${PATH}/${name}`,
    contentType,
    render: () => {
      body ??= readFileSync(file, "utf8");
      return { body };
    },
  };
}

function page(name: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} API explorer</title>
<link rel="icon" href="${API_PREFIX}/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${PATH}/swagger-ui.css">
</head>
<body data-prefix="${API_PREFIX}">
<main id="explorer"><p>The explorer needs JavaScript; <a href="${API_PREFIX}/docs">the documentation</a> does not.</p></main>
<script src="${PATH}/swagger-ui-bundle.js"></script>
<script>${start}</script>
</body>
</html>
`;
}

const POLICY = pagePolicy({
  "script-src": `'self' ${inlineSource(start)}`,
  "style-src": "'self'",
  // Swagger UI draws its icons from data: addresses.
  "img-src": "'self' data:",
  "connect-src": "'self'",
});
