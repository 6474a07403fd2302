/** The questions that customers of a service ask before they book. */
import { pageQuestions } from "../../../capabilities/shared/faq.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { type Html, html } from "../../markup/html.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";

export function questions(service: string, catalog: Catalog): Html | undefined {
  const all = pageQuestions(service, catalog);
  if (all.length === 0) return undefined;
  return html`<section class="questions" aria-labelledby="questions-title"><h2 id="questions-title">${PAGE_TEXTS.questions.title}</h2>${all.map(({ question, answer }) => html`<details><summary class="questions-line">${question}</summary><p>${answer}</p></details>`)}</section>`;
}
