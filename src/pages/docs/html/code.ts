/**
 * Code on the page: one text, or several of which a radio button shows one; no script is needed to switch. The colours are
 * put in here: spans whose class names the kind of word.
 */
import { type Html, html, raw } from "../../markup/html.ts";
import type { Language } from "../content/blocks.ts";

interface Tab {
  name: string;
  language: Language;
  text: string;
  /** JSON that is copied instead of the text, which is a part of it. */
  whole?: string;
}

export function codeFigure(title: string, language: Language, text: string): Html {
  return html`<figure class="code"><figcaption class="bar"><span class="title">${title}</span>${copyButton(title)}</figcaption>${listing(title, language, text)}</figure>`;
}

/**
 * @param id unique on the page
 * @param act a button beside the heading
 */
export function codeTabs(
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
      html`<div class="panel">${listing(`${title}, ${name}`, language, text)}${whole !== undefined && wholeData(whole)}</div>`,
  );
  return html`<div class="code tabs ${className}" role="group" aria-label="${title}"><div class="bar"><span class="title">${heading}</span>${act}${labels}${copyButton(title)}</div>${panels}</div>`;
}

/** Data, which browsers do not execute. */
function wholeData(json: string): Html {
  return html`<script type="application/json">${raw(json.replaceAll("<", "\\u003c"))}</script>`;
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
