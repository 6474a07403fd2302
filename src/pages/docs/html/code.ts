/** Code on the page: one text, or several of which a radio button shows one. No script is needed to switch. */
import type { Language } from "../content/blocks.ts";
import { highlight } from "./highlight.ts";

const { escapeHTML } = Bun;

interface Tab {
  name: string;
  language: Language;
  text: string;
}

/** @param title plain text */
export function code(title: string, language: Language, text: string): string {
  return `<figure class="code"><figcaption class="bar"><span class="title">${escapeHTML(title)}</span>${copyButton(title)}</figcaption>${listing(title, language, text)}</figure>`;
}

/** @param id unique on the page @param heading HTML */
export function tabs(id: string, title: string, heading: string, all: readonly Tab[], className: string): string {
  const labels = all.map(
    ({ name }, i) =>
      `<input type="radio" name="${id}" id="${id}.${i}" data-name="${escapeHTML(name)}"${i === 0 ? " checked" : ""}><label for="${id}.${i}">${escapeHTML(name)}</label>`,
  );
  const panels = all.map(
    ({ name, language, text }) => `<div class="panel">${listing(`${title}, ${name}`, language, text)}</div>`,
  );
  return `<div class="code tabs ${className}" role="group" aria-label="${escapeHTML(title)}"><div class="bar"><span class="title">${heading}</span>${labels.join("")}${copyButton(title)}</div>${panels.join("")}</div>`;
}

/** The script shows the button where the browser lets it write to the clipboard. */
function copyButton(title: string): string {
  return `<button type="button" class="copy" hidden>Copy<span class="hidden"> ${escapeHTML(title)}</span></button>`;
}

/** It may be wider than the page, so the keyboard has to reach it. */
function listing(label: string, language: Language, text: string): string {
  return `<pre tabindex="0" role="group" aria-label="${escapeHTML(label)}"><code>${highlight(text, language)}</code></pre>`;
}
