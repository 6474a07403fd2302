/** The documentation as HTML: its sections and their code. */
import { API_PREFIX } from "../../../constants.ts";
import { type Html, html, items, lines, raw } from "../../markup/html.ts";
import { type Block, type Entry, type SampleRequest, type Section, snippets, type Tab } from "../content/blocks.ts";

/** @param origin of the addresses in commands, without a slash at the end */
export function sectionHtml(section: Section, origin: string): Html {
  const articles = (section.sections ?? []).map(
    (inner) => html`<article aria-labelledby="${inner.id}">${sectionBody(inner, 3, origin)}</article>`,
  );
  return html`<section aria-labelledby="${section.id}">${sectionBody(section, 2, origin)}${articles}</section>`;
}

/** Blocks that stand beside the text where the screen is wide enough. */
const EXAMPLES: Block["kind"][] = ["code", "request", "answers"];

function sectionBody(section: Section, level: 2 | 3, origin: string): Html {
  const rows: { text: Html[]; examples: Html[] }[] = [{ text: [heading(section, level)], examples: [] }];
  for (const [i, block] of section.blocks.entries()) {
    const isExample = EXAMPLES.includes(block.kind);
    let row = rows.at(-1);
    if (!row || (!isExample && row.examples.length > 0)) {
      row = { text: [], examples: [] };
      rows.push(row);
    }
    (isExample ? row.examples : row.text).push(toHtml(block, section, i, origin));
  }
  return lines(
    rows.map(({ text, examples }) => {
      const beside = examples.length > 0 && html`<div class="examples">${examples}</div>`;
      return html`<div class="row${beside && " pair"}"><div class="text">${lines(text)}</div>${beside}</div>`;
    }),
  );
}

function heading({ id, title, endpoint }: Section, level: 2 | 3): Html {
  const line = endpoint && html`<p class="endpoint">${methodPill(endpoint.method)} <code>${endpoint.path}</code></p>`;
  const markdown =
    level === 2 || endpoint ? html`<a class="as-markdown" href="${API_PREFIX}/docs-md/${id}">Markdown</a>` : undefined;
  return html`<h${level} id="${id}"><a href="#${id}">${title}</a></h${level}>${line}${markdown}`;
}

export function methodPill(method: "GET" | "POST"): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function toHtml(block: Block, section: Section, i: number, origin: string): Html {
  const id = `${section.id}-${i}`;
  switch (block.kind) {
    case "text":
      return markdown(block.text);
    case "list":
      return html`${block.items.length > 0 && html`<ul>${items(block.items.map(inline))}</ul>`}`;
    case "chips": {
      const chips = block.chips.map(({ text, href }) =>
        href ? html`<a href="${href}">${inline(text)}</a>` : inline(text),
      );
      return html`<ul class="chips" aria-label="In short">${items(chips)}</ul>`;
    }
    case "table":
      return table(block);
    case "entries":
      return html`<dl class="entries">${block.entries.map(entry)}</dl>`;
    case "code":
      return codeFigure(block.label, block.text);
    case "request":
      return request(block.request, id, origin);
    case "answers": {
      const shown = block.answers.map(({ status, title, text, whole }) => ({
        name: `${status} ${title}`,
        text,
        ...(whole && { whole }),
      }));
      return codeTabs(id, `${block.title}: response`, html`Response`, shown, "answers");
    }
  }
}

function entry({ id, term, note, text, words = [], inner = [] }: Entry): Html {
  const meanings =
    words.length > 0 &&
    html`<ul>${items(words.map(([word, meaning]) => html`<code>${word}</code> ${inline(meaning)}`))}</ul>`;
  const own =
    inner.length > 0 &&
    html`<details><summary>Fields of ${term}</summary><dl class="entries">${inner.map(entry)}</dl></details>`;
  return html`<div id="${id}"><dt><a href="#${id}"><code>${term}</code></a> <span class="note">${noteHtml(note)}</span></dt><dd>${inline(text)}${meanings}${own}</dd></div>`;
}

/** The words that a reader looks for stand out, by weight and not by colour. */
function noteHtml(note: string): Html {
  const [need = ""] = /\b(required|recommended)$/.exec(note) ?? [];
  return html`${note.slice(0, note.length - need.length)}${need && html`<b>${need}</b>`}`;
}

function table({ label, head, rows }: { label: string; head: string[]; rows: string[][] }): Html {
  const row = ([first = "", ...cells]: string[]) =>
    html`<tr><th scope="row">${inline(first)}</th>${cells.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`;
  return html`<div class="wide" role="group" tabindex="0" aria-label="${label}"><table><thead><tr>${head.map(
    (cell) => html`<th scope="col">${cell}</th>`,
  )}</tr></thead><tbody>${rows.map(row)}</tbody></table></div>`;
}

function request(sample: SampleRequest, id: string, origin: string): Html {
  const path = sample.path.startsWith(API_PREFIX) ? sample.path.slice(API_PREFIX.length) : sample.path;
  const head = html`${methodPill(sample.method)} <code>${path}</code>`;
  return codeTabs(id, `${sample.title}: request`, head, snippets(sample, origin), "always-dark");
}

/** Markdown as HTML. Raw HTML is switched off, so text of the catalog can never become markup. */
function markdown(text: string): Html {
  const made = Bun.markdown.html(text, { noHtmlBlocks: true, noHtmlSpans: true });
  // Bun escapes the brackets of an IPv6 address, which no browser reads then.
  return raw(made.replace(/(href="https?:\/\/)%5B([\da-f:]+)%5D/g, "$1[$2]"));
}

/** As `markdown`, without the paragraph around it. */
export function inline(text: string): Html {
  return raw(
    markdown(text)
      .markup.trim()
      .replace(/^<p>([\s\S]*)<\/p>$/, "$1"),
  );
}

function codeFigure(title: string, text: string): Html {
  return html`<figure class="code"><figcaption class="bar"><span class="title">${title}</span>${copyButton(title)}</figcaption>${listing(title, text)}</figure>`;
}

/** @param id unique on the page */
function codeTabs(id: string, title: string, heading: Html, all: readonly Tab[], className: string): Html {
  const labels = all.map(
    ({ name }, i) =>
      html`<input type="radio" name="${id}" id="${id}.${i}" data-name="${name}"${i === 0 && html` checked`}><label for="${id}.${i}">${name}</label>`,
  );
  const panels = all.map(
    ({ name, text, whole }) =>
      html`<div class="panel">${listing(`${title}, ${name}`, text)}${whole !== undefined && html`<script type="application/json">${raw(whole.replaceAll("<", "\\u003c"))}</script>`}</div>`,
  );
  return html`<div class="code tabs ${className}" role="group" aria-label="${title}"><div class="bar"><span class="title">${heading}</span>${labels}${copyButton(title)}</div>${panels}</div>`;
}

/** The script shows the button where the browser lets it write to the clipboard. */
function copyButton(title: string): Html {
  return html`<button type="button" class="copy" hidden>Copy<span class="hidden"> ${title}</span></button>`;
}

/** It may be wider than the page, so the keyboard has to reach it. */
function listing(label: string, text: string): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>`;
}
