/** Forms: their fields with label, hint and issue, and what visitors sent in them, which the capabilities validate. */
import { type Capability, textOf } from "../../../capabilities/core/capability.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { LIMITS, normalise } from "../../../schema/fields.ts";
import { type Html, html } from "../../markup/html.ts";

/**
 * Makes a form a tool for an assistant in the visitor's browser (WebMCP). Without `toolautosubmit` it is the person who sends
 * the form.
 */
export function asTool({ operationId, description }: Capability, catalog: Shop): Html {
  return html` toolname="${operationId}" tooldescription="${textOf(description, catalog)}"`;
}

/** What a field is for, to such an assistant. */
function asParameter(label: string, hint?: string): Html {
  return html` toolparamdescription="${label}${hint !== undefined && `, ${hint}`}"`;
}

export interface FormField {
  name: string;
  label: string;
  value: string | null;
  type?: "text" | "tel" | "email";
  /** As the HTML standard names it, so that browsers fill it in. */
  autocomplete?: string;
  hint?: string;
  issue?: string;
  required?: boolean;
  maxlength?: number;
  inputmode?: string;
  placeholder?: string;
}

export function inputField({ name, label, value, type = "text", hint, issue, required, ...more }: FormField): Html {
  const about = [issue !== undefined && `${name}-fault`, hint !== undefined && `${name}-hint`]
    .filter(Boolean)
    .join(" ");
  return html`<div class="field${issue !== undefined && " faulty"}"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" value="${value ?? ""}"${asParameter(label, hint)}${required && html` required`}${Object.entries(more).map(([key, one]) => one !== undefined && html` ${key}="${one}"`)}${about !== "" && html` aria-describedby="${about}"`}${issue !== undefined && html` aria-invalid="true"`}>${hint !== undefined && html`<small id="${name}-hint">${hint}</small>`}${issueText(name, issue)}</div>`;
}

export function textArea({ name, label, value, issue, maxlength }: FormField): Html {
  return html`<div class="field wide"><label for="${name}">${label}</label><textarea id="${name}" name="${name}" rows="3"${asParameter(label)}${maxlength !== undefined && html` maxlength="${maxlength}"`}${issue !== undefined && html` aria-invalid="true" aria-describedby="${name}-fault"`}>${value ?? ""}</textarea>${issueText(name, issue)}</div>`;
}

/** The box that the customer ticks. */
export function consentBox(text: string, isTicked: boolean, issue: string | undefined): Html {
  return html`<div class="consent${issue !== undefined && " faulty"}"><input id="consent" name="consent" type="checkbox" value="yes" required${isTicked && html` checked`}${issue !== undefined && html` aria-invalid="true" aria-describedby="consent-fault"`}><label for="consent">${text}</label>${issueText("consent", issue)}</div>`;
}

/** The box for text messages, which is optional and never ticked beforehand (contract 18). */
export function textsBox(text: string, isTicked: boolean): Html {
  return html`<div class="consent"><input id="consent_sms" name="consent_sms" type="checkbox" value="yes"${isTicked && html` checked`}><label for="consent_sms">${text}</label></div>`;
}

function issueText(name: string, issue: string | undefined): Html | undefined {
  return issue === undefined ? undefined : html`<p class="fault" id="${name}-fault">${issue}</p>`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

interface Choice {
  name: string;
  value: string;
  isChosen: boolean;
  type?: "radio" | "checkbox";
}

/** A radio button or a box, and everything that belongs to it, as one large label. */
export function choice({ name, value, isChosen, type = "radio" }: Choice, kind: string, content: Html): Html {
  const id = `${name}-${value || "none"}`;
  return html`<label class="${kind}"><input type="${type}" id="${id}" name="${name}" value="${value}"${isChosen && html` checked`}>${content}</label>`;
}

/** Words to choose one of, in a row. @param nameOf the word as customers read it */
export function pills<Word extends string>(
  legend: string,
  { name, chosen }: { name: string; chosen: string | undefined },
  words: readonly Word[],
  nameOf: (word: Word) => string,
): Html {
  return html`<fieldset><legend>${legend}</legend><div class="pills">${words.map((value) =>
    choice({ name, value, isChosen: value === chosen }, "pill", html`<span class="pill-text">${nameOf(value)}</span>`),
  )}</div></fieldset>`;
}

/** The fields with something in them, by name. */
export function given(form: URLSearchParams, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, visibleText(form, name)]).filter(([, value]) => value !== ""));
}

/** The text of a field as the API cleans it: a number copied from a phone's contacts brings marks along that nobody sees. */
export function visibleText(form: URLSearchParams, name: string): string {
  return String(normalise(form.get(name) ?? ""));
}

/** A number as people type it, like `1,200` or `36,5`; other text stays as it is, and is refused. */
export function numberOrText(text: string): number | string {
  const plain = text
    .trim()
    .replace(/,(?=\d{3}(\D|$))/g, "")
    .replace(",", ".");
  return /^\d{1,9}(\.\d{1,4})?$/.test(plain) ? Number(plain) : text;
}

/**
 * The customer's consent in the fields of the API, which refuses a request without it.
 * @param texts beside the box for texts, which is a no where it was left blank; empty where there is no box
 * @param isGiven by a box, where no button stands for it
 */
export function consentOf(
  form: URLSearchParams,
  statement: string,
  texts = "",
  isGiven = form.get("consent") === "yes",
): object {
  const sms = texts !== "" && form.get("consent_sms") === "yes";
  return {
    confirmed_by_user: isGiven,
    statement: sms ? `${statement} ${texts}`.slice(0, LIMITS.text) : statement,
    ...(texts !== "" && { sms }),
  };
}
