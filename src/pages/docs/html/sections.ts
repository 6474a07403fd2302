/** The documentation as HTML. */
import { API_PREFIX } from "../../../vocabulary.ts";
import type { Block, Chip, Entry, SampleAnswer, SampleRequest, Section } from "../content/blocks.ts";
import { snippets } from "../content/snippets.ts";
import { code, tabs } from "./code.ts";
import { inline, markdown } from "./markdown.ts";
import { tryIt } from "./try-it.ts";

const { escapeHTML } = Bun;

/** @param origin of the addresses in commands, without a slash at the end */
export function sectionHtml(section: Section, origin: string): string {
  const articles = (section.sections ?? []).map(
    (inner) => `<article aria-labelledby="${inner.id}">${sectionBody(inner, 3, origin)}</article>`,
  );
  return `<section aria-labelledby="${section.id}">${sectionBody(section, 2, origin)}${articles.join("")}</section>`;
}

/** Blocks that stand beside the text where the screen is wide enough. */
const EXAMPLES: Block["kind"][] = ["code", "request", "answers"];

function sectionBody(section: Section, level: 2 | 3, origin: string): string {
  const rows: { text: string[]; examples: string[] }[] = [{ text: [heading(section, level)], examples: [] }];
  for (const [i, block] of section.blocks.entries()) {
    const isExample = EXAMPLES.includes(block.kind);
    let row = rows.at(-1);
    if (!row || (!isExample && row.examples.length > 0)) {
      row = { text: [], examples: [] };
      rows.push(row);
    }
    (isExample ? row.examples : row.text).push(toHtml(block, `${section.id}-${i}`, origin));
  }
  return rows
    .map(({ text, examples }) => {
      const beside = examples.length > 0 ? `<div class="examples">${examples.join("")}</div>` : "";
      return `<div class="row${beside ? " pair" : ""}"><div class="text">${text.join("\n")}</div>${beside}</div>`;
    })
    .join("\n");
}

function heading({ id, title, endpoint }: Section, level: 2 | 3): string {
  const line = endpoint
    ? `<p class="endpoint">${methodPill(endpoint.method)} <code>${escapeHTML(endpoint.path)}</code></p>`
    : "";
  return `<h${level} id="${id}"><a href="#${id}">${escapeHTML(title)}</a></h${level}>${line}`;
}

export function methodPill(method: "GET" | "POST"): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function toHtml(block: Block, id: string, origin: string): string {
  switch (block.kind) {
    case "text":
      return markdown(block.text);
    case "list":
      return block.items.length > 0 ? `<ul>${block.items.map((item) => `<li>${inline(item)}</li>`).join("")}</ul>` : "";
    case "chips":
      return `<ul class="chips" aria-label="In short">${block.chips.map(chip).join("")}</ul>`;
    case "table":
      return table(block);
    case "entries":
      return `<dl class="entries">${block.entries.map(entry).join("")}</dl>`;
    case "code":
      return code(block.label, block.language, block.text);
    case "request":
      return request(block.request, id, origin);
    case "answers":
      return answers(block.title, block.answers, id);
    case "try":
      return tryIt(block.form, id);
  }
}

function chip({ text, href }: Chip): string {
  return `<li>${href ? `<a href="${escapeHTML(href)}">${inline(text)}</a>` : inline(text)}</li>`;
}

function entry({ id, term, note, text, inner = [] }: Entry): string {
  const own =
    inner.length > 0
      ? `<details><summary>Fields of ${escapeHTML(term)}</summary><dl class="entries">${inner.map(entry).join("")}</dl></details>`
      : "";
  return `<div id="${escapeHTML(id)}"><dt><a href="#${escapeHTML(id)}"><code>${escapeHTML(term)}</code></a> <span class="note">${noteHtml(note)}</span></dt><dd>${inline(text)}${own}</dd></div>`;
}

/** The words that a reader looks for stand out, by weight and not by colour. */
function noteHtml(note: string): string {
  return escapeHTML(note).replace(/\b(required|recommended)$/, "<b>$1</b>");
}

function table({ label, head, rows }: { label: string; head: string[]; rows: string[][] }): string {
  const cells = (row: string[]) =>
    row.map((cell, i) => (i === 0 ? `<th scope="row">${inline(cell)}</th>` : `<td>${inline(cell)}</td>`)).join("");
  return `<div class="wide" role="group" tabindex="0" aria-label="${escapeHTML(label)}"><table><thead><tr>${head
    .map((cell) => `<th scope="col">${escapeHTML(cell)}</th>`)
    .join("")}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join("")}</tbody></table></div>`;
}

function request(sample: SampleRequest, id: string, origin: string): string {
  const path = sample.path.startsWith(API_PREFIX) ? sample.path.slice(API_PREFIX.length) : sample.path;
  const head = `${methodPill(sample.method)} <code>${escapeHTML(path)}</code>`;
  return tabs(id, `${sample.title}: request`, head, snippets(sample, origin), "always-dark");
}

function answers(title: string, all: readonly SampleAnswer[], id: string): string {
  const shown = all.map(({ status, title: name, text }) => ({
    name: `${status} ${name}`,
    language: "json" as const,
    text,
  }));
  return tabs(id, `${title}: answer`, "Answer", shown, "answers");
}
