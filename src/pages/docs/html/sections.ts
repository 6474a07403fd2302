/** The documentation as HTML: its sections, their code, and the forms that send a request from the page. */
import { API_PREFIX } from "../../../constants.ts";
import { counted } from "../../../lib/text.ts";
import { type Html, html, items, lines, raw } from "../../markup/html.ts";
import {
  type Block,
  type Entry,
  type Language,
  type SampleRequest,
  type Section,
  snippets,
  type Tab,
  type TryField,
  type TryForm,
} from "../content/blocks.ts";

/** @param origin of the addresses in commands, without a slash at the end */
export function sectionHtml(section: Section, origin: string): Html {
  const articles = (section.sections ?? []).map(
    (inner) => html`<article aria-labelledby="${inner.id}">${sectionBody(inner, 3, origin)}</article>`,
  );
  return html`<section aria-labelledby="${section.id}">${sectionBody(section, 2, origin)}${articles}</section>`;
}

/** Blocks that stand beside the text where the screen is wide enough. */
const EXAMPLES: Block["kind"][] = ["code", "request", "try", "answers"];

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

function toHtml(block: Block, { id: sectionId, blocks }: Section, i: number, origin: string): Html {
  const id = `${sectionId}-${i}`;
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
      return codeFigure(block.label, block.language, block.text);
    case "request":
      return request(block.request, id, origin, blocks[i + 1]?.kind === "try" && `${sectionId}-${i + 1}`);
    case "answers": {
      const shown = block.answers.map(({ status, title, text, whole }) => ({
        name: `${status} ${title}`,
        language: "json" as const,
        text,
        ...(whole && { whole }),
      }));
      return codeTabs(id, `${block.title}: response`, html`Response`, shown, "answers");
    }
    case "try":
      return tryIt(block.form, id, origin);
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

/** @param form its id, where one follows that sends the request */
function request(sample: SampleRequest, id: string, origin: string, form: string | false): Html {
  const path = sample.path.startsWith(API_PREFIX) ? sample.path.slice(API_PREFIX.length) : sample.path;
  const head = html`${methodPill(sample.method)} <code>${path}</code>`;
  // Sends the form as it is. The script shows the button.
  const run =
    form !== false &&
    html`<button type="submit" form="${form}" class="run" hidden>Run<span class="hidden">: ${sample.title}</span></button>`;
  return codeTabs(id, `${sample.title}: request`, head, snippets(sample, origin), "always-dark", run);
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

function codeFigure(title: string, language: Language, text: string): Html {
  return html`<figure class="code"><figcaption class="bar"><span class="title">${title}</span>${copyButton(title)}</figcaption>${listing(title, language, text)}</figure>`;
}

/**
 * @param id unique on the page
 * @param act a button beside the heading
 */
function codeTabs(
  id: string,
  title: string,
  heading: Html,
  all: readonly Tab[],
  className: string,
  act?: Html | false,
): Html {
  const labels = all.map(
    ({ name }, i) =>
      html`<input type="radio" name="${id}" id="${id}.${i}" data-name="${name}"${i === 0 && html` checked`}><label for="${id}.${i}">${name}</label>`,
  );
  const panels = all.map(
    ({ name, language, text, whole }) =>
      html`<div class="panel">${listing(`${title}, ${name}`, language, text)}${whole !== undefined && html`<script type="application/json">${raw(whole.replaceAll("<", "\\u003c"))}</script>`}</div>`,
  );
  return html`<div class="code tabs ${className}" role="group" aria-label="${title}"><div class="bar"><span class="title">${heading}</span>${act}${labels}${copyButton(title)}</div>${panels}</div>`;
}

/** The script shows the button where the browser lets it write to the clipboard. */
function copyButton(title: string): Html {
  return html`<button type="button" class="copy" hidden>Copy<span class="hidden"> ${title}</span></button>`;
}

/** It may be wider than the page, so the keyboard has to reach it. */
function listing(label: string, language: Language, text: string): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${highlight(text, language)}</code></pre>`;
}

/** The closing quote may be missing, so that no text is read twice. */
const STRING = /"(?:[^"\\\n]|\\.)*"?/;
const NUMBER = /(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])/;

/** One expression of all kinds of words; where two fit, the first one wins. */
function wordsOf(words: Record<string, RegExp>): RegExp {
  const kinds = Object.entries(words).map(([kind, { source }]) => `(?<${kind}>${source})`);
  return new RegExp(kinds.join("|"), "gm");
}

const WORDS: Record<Language, RegExp> = {
  json: wordsOf({
    key: /"[^"\\\n]+"(?=:)/,
    text: STRING,
    value: /\b(?:true|false|null)\b/,
    number: NUMBER,
    faint: /…(?: \d+ more)?/,
  }),
  sh: wordsOf({
    json: /'\{[^']*\}'(?=$)/,
    text: /'[^']*'/,
    word: /^(?:curl|claude)\b/,
    key: /(?<=\s)-{1,2}[A-Za-z-]+/,
    faint: /\\$/m,
  }),
  js: wordsOf({
    key: /"[\w-]+"(?=:)|\b[a-z]+(?=: [\w"{])/,
    text: STRING,
    word: /\b(?:const|await)\b/,
    value: /\b(?:true|false|null)\b/,
    number: NUMBER,
    name: /\b\w+(?=\()/,
  }),
  python: wordsOf({
    key: /"\w+"(?=:)|\b\w+(?==)/,
    text: STRING,
    word: /\b(?:import)\b/,
    value: /\b(?:True|False|None)\b/,
    number: NUMBER,
    name: /\b\w+(?=\()/,
  }),
  html: wordsOf({ text: STRING, word: /<\/?\w+|>/ }),
  http: wordsOf({ key: /^[\w-]+(?=:)/m, text: /\btint_live_\S+/ }),
};

function highlight(code: string, language: Language): Html {
  let at = 0;
  const parts = [...code.matchAll(WORDS[language])].map((match) => {
    const before = code.slice(at, match.index);
    at = match.index + match[0].length;
    return html`${before}${marked(match)}`;
  });
  return html`${parts}${code.slice(at)}`;
}

function marked({ 0: text, groups = {} }: RegExpExecArray): Html {
  if (groups.json !== undefined) return html`'${highlight(text.slice(1, -1), "json")}'`;
  const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
  return html`<span class="${kind}">${text}</span>`;
}

/**
 * @param id unique on the page
 * @param origin of the addresses in commands, without a slash at the end
 */
function tryIt({ title, method, path, fields, effect }: TryForm, id: string, origin: string): Html {
  const dryRunBox = fields.find(({ name }) => name === "dry_run");
  const shown = fields.filter((field) => field !== dryRunBox);
  const row = (field: TryField) =>
    html`<div class="row"><label for="${id}.${field.name}">${field.name} <span class="note">${field.note}</span></label>${control(field, `${id}.${field.name}`)}</div>`;
  const usual = shown.filter(({ isUsual }) => isUsual);
  const others = shown.filter(({ isUsual }) => !isUsual);
  return html`<details class="try" hidden><summary>Change the request<span class="hidden">: ${title}</span></summary>
<form id="${id}" data-method="${method}" data-path="${path}" data-origin="${origin}">
${usual.map(row)}
${others.length > 0 && html`<details><summary>${counted(others.length, "more field")}</summary>${others.map(row)}</details>`}
<div class="row"><label for="${id}.key">API key <span class="note">optional</span></label><input id="${id}.key" class="api-key" autocomplete="off" spellcheck="false" placeholder="tint_live_…"></div>
${dryRunBox && html`<label class="check dry_run"><input type="checkbox" checked> <span>Dry run: everything is checked, nothing is stored or sent.</span></label>`}
${effect && html`<label class="check agreed"${dryRunBox && html` hidden`}><input type="checkbox"> <span>${effect} I mean to send it.</span></label>`}
<button type="submit">Run</button><div class="answer" role="status"></div></form></details>`;
}

function control({ name, control, choices = [], value }: TryField, id: string): Html {
  const about = html`id="${id}" data-field="${name}" data-kind="${control}"`;
  const text = html`${about} autocomplete="off" spellcheck="false" autocapitalize="off"`;
  switch (control) {
    case "choice":
      return select(about, ["", ...choices], value);
    case "flag":
      return select(about, ["", "true", "false"], value);
    case "long":
      return html`<textarea ${text} rows="2">${value}</textarea>`;
    case "date":
      return html`<input ${text} value="${value}" placeholder="YYYY-MM-DD">`;
    case "number":
      return html`<input ${text} inputmode="decimal" value="${value}">`;
    case "list":
      return html`<input ${text} value="${value}" placeholder="${choices.slice(0, 2).join(", ")}">`;
    case "json":
    case "text":
      return html`<input ${text} value="${value}">`;
  }
}

function select(about: Html, choices: readonly string[], value: string): Html {
  const options = choices.map((choice) => {
    const mark = choice === value && html` selected`;
    // HTML allows no option without a text.
    return choice === "" ? html`<option value=""${mark}>—</option>` : html`<option${mark}>${choice}</option>`;
  });
  return html`<select ${about}>${options}</select>`;
}
