/** Colours for code, put in on the server: spans whose class names the kind of word. */
import type { Language } from "../content/blocks.ts";

const { escapeHTML } = Bun;

/** The closing quote may be missing, so that no text is read twice. */
const STRING = /"(?:[^"\\\n]|\\.)*"?/;
const NUMBER = /(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])/;
const LEFT_OUT = /…(?: \d+ more)?/;
const JSON_WORDS = {
  key: /"[^"\\\n]+"(?=:)/,
  text: STRING,
  value: /\b(?:true|false|null)\b/,
  number: NUMBER,
  faint: LEFT_OUT,
};

/** The kinds of words of each language; where two fit, the first one wins. */
const WORDS: Record<Language, Record<string, RegExp>> = {
  json: JSON_WORDS,
  sh: {
    json: /'\{[^']*\}'(?=$)/,
    text: /'[^']*'/,
    word: /^(?:curl|claude)\b/,
    key: /(?<=\s)-{1,2}[A-Za-z-]+/,
    faint: /\\$/m,
  },
  js: {
    key: /"[\w-]+"(?=:)|\b[a-z]+(?=: [\w"{])/,
    text: STRING,
    word: /\b(?:const|await)\b/,
    value: /\b(?:true|false|null)\b/,
    number: NUMBER,
    name: /\b\w+(?=\()/,
  },
  python: {
    key: /"\w+"(?=:)|\b\w+(?==)/,
    text: STRING,
    word: /\b(?:import)\b/,
    value: /\b(?:True|False|None)\b/,
    number: NUMBER,
    name: /\b\w+(?=\()/,
  },
  http: { key: /^[\w-]+(?=:)/m, text: /\btint_live_\S+/ },
};

const PATTERNS = new Map(
  Object.entries(WORDS).map(([language, words]) => {
    const kinds = Object.entries(words).map(([kind, { source }]) => `(?<${kind}>${source})`);
    return [language, new RegExp(kinds.join("|"), "gm")];
  }),
);

export function highlight(code: string, language: Language): string {
  const pattern = PATTERNS.get(language);
  if (!pattern) return escapeHTML(code);
  let at = 0;
  let html = "";
  for (const match of code.matchAll(pattern)) {
    html += escapeHTML(code.slice(at, match.index)) + marked(match);
    at = match.index + match[0].length;
  }
  return html + escapeHTML(code.slice(at));
}

function marked({ 0: text, groups = {} }: RegExpExecArray): string {
  if (groups.json !== undefined) return `'${highlight(text.slice(1, -1), "json")}'`;
  const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
  return `<span class="${kind}">${escapeHTML(text)}</span>`;
}
