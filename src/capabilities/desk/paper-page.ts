/** A quote or receipt as a page of its own, without scripts: for a browser and its printer. */
import { capitalised } from "../../lib/text.ts";
import type { Paper } from "./paper.ts";

/** Fits on one page of paper. */
export const PAPER_STYLE = [
  "@page{margin:1.5cm}",
  "body{font:11pt/1.35 sans-serif;color:#000;background:#fff;margin:1cm auto;padding:0 1em;max-width:17cm}",
  "h1{font-size:16pt;margin:1em 0 .5em}",
  "address{font-style:normal}",
  "table{border-collapse:collapse}",
  "th,td{padding:2pt 1cm 2pt 0;text-align:left;vertical-align:top}",
  "th{font-weight:normal;color:#444;min-width:7em}",
  "@media print{body{margin:0;padding:0;font-size:10pt}}",
].join("");

/** Text of customers is escaped. */
export function paperHtml({ kind, shop, facts, note }: Paper): string {
  const { escapeHTML: text } = Bun;
  const title = capitalised(kind);
  const rows = facts.map(([name, value]) => `<tr><th scope="row">${text(name)}</th><td>${text(value)}</td></tr>\n`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${text(`${title} · ${shop[0]}`)}</title>
<style>${PAPER_STYLE}</style>
</head>
<body><main>
<address>${shop.map(text).join("<br>")}</address>
<h1>${title}</h1>
<table>
${rows.join("")}</table>
<p>${text(note)}</p>
</main></body>
</html>
`;
}
