/** A form that sends a request from the page. Without scripts it stays hidden: the command beside it is enough. */
import { counted } from "../../../lib/text.ts";
import { type Html, html } from "../../markup/html.ts";
import type { TryField, TryForm } from "../content/blocks.ts";

/**
 * @param id unique on the page
 * @param origin of the addresses in commands, without a slash at the end
 */
export function tryIt({ title, method, path, fields, effect }: TryForm, id: string, origin: string): Html {
  const dryRunBox = fields.find(({ name }) => name === "dry_run");
  const shown = fields.filter((field) => field !== dryRunBox);
  const row = (field: TryField) => labelled(field, `${id}.${field.name}`);
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

/** Sends a form that stands elsewhere, as it is. The script shows the button. @param id of the form */
export function runButton(title: string, id: string): Html {
  return html`<button type="submit" form="${id}" class="run" hidden>Run<span class="hidden">: ${title}</span></button>`;
}

function labelled(field: TryField, id: string): Html {
  return html`<div class="row"><label for="${id}">${field.name} <span class="note">${field.note}</span></label>${control(field, id)}</div>`;
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
