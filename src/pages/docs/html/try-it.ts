/** A form that sends a request from the page. Without scripts it stays hidden: the command beside it is enough. */
import { counted } from "../../../lib/text.ts";
import type { TryField, TryForm } from "../content/blocks.ts";

const { escapeHTML } = Bun;

/** @param id unique on the page */
export function tryIt({ title, method, path, fields, effect }: TryForm, id: string): string {
  const rehearsal = fields.find(({ name }) => name === "dry_run");
  const shown = fields.filter((field) => field !== rehearsal);
  const row = (field: TryField) => labelled(field, `${id}.${field.name}`);
  const usual = shown.filter(({ isUsual }) => isUsual);
  const others = shown.filter(({ isUsual }) => !isUsual);
  return `<details class="try" hidden><summary>Try it<span class="hidden">: ${escapeHTML(title)}</span></summary>
<form data-method="${method}" data-path="${path}">
${usual.map(row).join("")}
${others.length > 0 ? `<details><summary>${counted(others.length, "more field")}</summary>${others.map(row).join("")}</details>` : ""}
<div class="row"><label for="${id}.key">API key <span class="note">optional</span></label><input id="${id}.key" class="api-key" autocomplete="off" spellcheck="false" placeholder="tint_live_…"></div>
${rehearsal ? check("dry_run", "Dry run: everything is checked, nothing is stored or sent.", " checked") : ""}
${effect ? check("agreed", `${effect} I mean to send it.`, "", rehearsal ? " hidden" : "") : ""}
<button type="submit">Send</button><div class="answer" role="status"></div></form></details>`;
}

function check(name: string, words: string, state: string, hidden = ""): string {
  return `<label class="check ${name}"${hidden}><input type="checkbox"${state}> <span>${escapeHTML(words)}</span></label>`;
}

function labelled(field: TryField, id: string): string {
  return `<div class="row"><label for="${id}">${escapeHTML(field.name)} <span class="note">${escapeHTML(field.note)}</span></label>${control(field, id)}</div>`;
}

function control({ name, control, choices, value }: TryField, id: string): string {
  const about = `id="${id}" data-field="${escapeHTML(name)}" data-kind="${control}"`;
  const text = `${about} autocomplete="off" spellcheck="false" autocapitalize="off"`;
  switch (control) {
    case "choice":
      return select(about, ["", ...(choices ?? [])], value);
    case "flag":
      return select(about, ["", "true", "false"], value);
    case "long":
      return `<textarea ${text} rows="2">${escapeHTML(value)}</textarea>`;
    case "date":
      return `<input ${text} value="${escapeHTML(value)}" placeholder="YYYY-MM-DD">`;
    case "number":
      return `<input ${text} inputmode="decimal" value="${escapeHTML(value)}">`;
    case "list":
      return `<input ${text} value="${escapeHTML(value)}" placeholder="${escapeHTML(choices?.slice(0, 2).join(", ") ?? "")}">`;
    case "json":
    case "text":
      return `<input ${text} value="${escapeHTML(value)}">`;
  }
}

function select(about: string, choices: readonly string[], value: string): string {
  const options = choices.map((choice) => {
    const mark = choice === value ? " selected" : "";
    // HTML allows no option without a text.
    return choice === "" ? `<option value=""${mark}>—</option>` : `<option${mark}>${escapeHTML(choice)}</option>`;
  });
  return `<select ${about}>${options.join("")}</select>`;
}
