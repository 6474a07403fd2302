/** The numbered parts of the page. One that is finished folds to a line, and opens again with a click. */
import { BOOK_PATH } from "../../../catalog/page-addresses.ts";
import { type Html, html } from "../../markup/html.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";

export interface PagePart {
  /** The id of the part in the page; addresses and the script lead to it. */
  id: string;
  title: string;
  /** What was chosen, or what can be; a part without it is never folded. */
  line?: string | undefined;
  isFolded: boolean;
  content: Html;
}

export function numbered(parts: readonly (PagePart | undefined)[]): Html {
  return html`${parts.filter((part) => part !== undefined).map((part, i) => (part.isFolded && part.line !== undefined ? folded(part, part.line, i + 1) : open(part, i + 1)))}`;
}

function open({ id, title, content }: PagePart, number: number): Html {
  return html`<fieldset class="part" id="${id}"><legend>${heading(id, title, number)}</legend>${content}${update(id)}</fieldset>`;
}

function folded({ id, title, content }: PagePart, line: string, number: number): Html {
  return html`<details class="part" id="${id}"><summary class="part-line">${heading(id, title, number)}<span class="line-of-part">${line}</span><span class="change">${PAGE_TEXTS.parts.change}</span></summary><fieldset><legend class="hidden">${title}</legend>${content}${update(id)}</fieldset></details>`;
}

/** The script sends every choice by itself, and a time is chosen by its own button. */
function update(id: string): Html {
  return html`${id !== "times" && html`<p class="update"><button class="quiet" formaction="${BOOK_PATH}#price">${PAGE_TEXTS.film.update}</button></p>`}`;
}

/** @param id of the part */
export function heading(id: string, title: string, number: number): Html {
  return html`<h2 class="part-title" id="${id}-title" tabindex="-1"><span class="number" aria-hidden="true">${number}</span>${title}</h2>`;
}
