/** The documentation as HTML. Raw HTML is switched off, so text of the catalog can never become markup. */
import { type Block, curl, type Entry, queryOf, type SampleRequest, type Section } from "../content/blocks.ts";

const { escapeHTML } = Bun;

/** @param origin of the addresses in commands, without a slash at the end */
export function sectionHtml(section: Section, origin: string): string {
  const articles = (section.sections ?? []).map(
    (inner) => `<article aria-labelledby="${inner.id}">${heading(3, inner)}${sectionBody(inner, origin)}</article>`,
  );
  return `<section aria-labelledby="${section.id}">${heading(2, section)}${sectionBody(section, origin)}${articles.join("")}</section>`;
}

function sectionBody({ blocks, id }: Section, origin: string): string {
  return blocks.map((block, i) => toHtml(block, `${id}-${i}`, origin)).join("\n");
}

function heading(level: 2 | 3, { id, title, method }: Section): string {
  const path = method ? title.slice(method.length + 1) : "";
  const inner = method ? `${methodPill(method)} <code>${escapeHTML(path)}</code>` : escapeHTML(title);
  return `<h${level} id="${id}"${method ? ' class="endpoint"' : ""}><a href="#${id}">${inner}</a></h${level}>`;
}

export function methodPill(method: "GET" | "POST"): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function toHtml(block: Block, id: string, origin: string): string {
  switch (block.kind) {
    case "text":
      return markdown(block.text);
    case "list":
      return `<ul>${block.items.map((item) => `<li>${inline(item)}</li>`).join("")}</ul>`;
    case "table":
      return table(block);
    case "entries":
      return `<dl class="entries">${block.entries.map(entry).join("")}</dl>`;
    case "code":
      return code(block.label, block.text);
    case "request":
      return code(block.request.title, curl(block.request, origin)) + tryIt(block.request, id);
  }
}

function markdown(text: string): string {
  return Bun.markdown.html(text, { noHtmlBlocks: true, noHtmlSpans: true });
}

function inline(text: string): string {
  return markdown(text)
    .trim()
    .replace(/^<p>([\s\S]*)<\/p>$/, "$1");
}

function entry({ term, note, text }: Entry): string {
  const required = note.endsWith("required");
  return `<div><dt><code>${escapeHTML(term)}</code> <span class="note${required ? " required" : ""}">${escapeHTML(note)}</span></dt><dd>${inline(text)}</dd></div>`;
}

function table({ label, head, rows }: { label: string; head: string[]; rows: string[][] }): string {
  const cells = (row: string[]) =>
    row.map((cell, i) => (i === 0 ? `<th scope="row">${inline(cell)}</th>` : `<td>${inline(cell)}</td>`)).join("");
  return `<div class="wide" role="group" tabindex="0" aria-label="${escapeHTML(label)}"><table><thead><tr>${head
    .map((cell) => `<th scope="col">${escapeHTML(cell)}</th>`)
    .join("")}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join("")}</tbody></table></div>`;
}

function code(label: string, text: string): string {
  return `<figure class="code"><figcaption><span>${escapeHTML(label)}</span><button type="button" class="copy" hidden>Copy<span class="hidden"> ${escapeHTML(label)}</span></button></figcaption><pre tabindex="0" role="group" aria-label="${escapeHTML(label)}"><code>${escapeHTML(text)}</code></pre></figure>`;
}

/** A form, hidden until the script shows it. Without scripts the command above it is enough. */
function tryIt({ title, method, path, sample, effect }: SampleRequest, id: string): string {
  const field = method === "POST" ? bodyField(sample, id) : queryField(sample, id);
  const consent = effect
    ? `<label class="effect"><input type="checkbox" required> <span>${escapeHTML(effect)} I mean to send it.</span></label>`
    : "";
  return `<details class="try" hidden><summary>Try it<span class="hidden">: ${escapeHTML(title)}</span></summary><form data-method="${method}" data-path="${path}">${field}${consent}<button type="submit">Send</button><div class="answer" role="status"></div></form></details>`;
}

function bodyField(sample: object, id: string): string {
  const body = JSON.stringify(sample, null, 2);
  const rows = Math.min(20, body.split("\n").length);
  return `<label for="${id}">Body</label><textarea id="${id}" rows="${rows}" spellcheck="false" autocapitalize="off">${escapeHTML(body)}</textarea>`;
}

function queryField(sample: object, id: string): string {
  return `<label for="${id}">Query</label><input id="${id}" value="${escapeHTML(queryOf(sample))}" spellcheck="false" autocapitalize="off" autocomplete="off">`;
}
