/** The docs page: the Markdown documentation as one HTML file that loads nothing. */
import { createHash } from "node:crypto";
import type { Catalog } from "../catalog/schema.ts";
import { docsMarkdown } from "./markdown.ts";

const STYLE = `
:root{color-scheme:light dark;--ink:#1b2430;--soft:#56637a;--line:#d9dfe8;--card:#f5f7fa;--accent:#0b63c4;--page:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e7ecf3;--soft:#9fb0c6;--line:#2c3646;--card:#19202b;--accent:#76b4ff;--page:#10151d}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.6 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 5rem}
h1{font-size:2.1rem;line-height:1.2;margin:0 0 .5rem}
h2{margin:3rem 0 .75rem;padding-top:1rem;border-top:1px solid var(--line)}
h3{margin:2.25rem 0 .5rem;font-family:ui-monospace,monospace;font-size:1.05rem;color:var(--accent)}
a{color:var(--accent)}
code{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}
pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.9rem 1rem;overflow-x:auto}
pre code{white-space:pre-wrap}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.92rem;margin:1rem 0}
th,td{text-align:left;vertical-align:top;padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:600}
`;

export function docsPage(catalog: Catalog, now: Temporal.Instant): { body: string; headers: Record<string, string> } {
  // Raw HTML is switched off: whatever stands in the catalog is shown as text.
  const content = Bun.markdown
    .html(docsMarkdown(catalog, now), { noHtmlBlocks: true, noHtmlSpans: true })
    .replaceAll("<table>", '<div class="wide" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>");
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${Bun.escapeHTML(catalog.business.name)} API</title>
<style>${STYLE}</style>
</head>
<body><main>
${content}</main></body>
</html>
`;
  const style = createHash("sha256").update(STYLE).digest("base64");
  return {
    body,
    headers: {
      "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "Referrer-Policy": "no-referrer",
    },
  };
}
