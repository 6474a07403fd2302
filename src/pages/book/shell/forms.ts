/** Forms: their fields, what visitors sent in them, which the capabilities validate, and what was wrong with it, in words. */
import { type Capability, textOf } from "../../../capabilities/core/capability.ts";
import type { ErrorBody } from "../../../capabilities/core/envelope.ts";
import { say } from "../../../capabilities/core/operations.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { ERRORS } from "../../../errors.ts";
import { type Html, html } from "../../../lib/html.ts";
import { newId } from "../../../lib/ids.ts";
import { LIMITS, normalize } from "../../../schema/fields.ts";
import { issuesByField } from "./problems.ts";
import { DETAILS, QUOTE } from "./texts.ts";

/** Makes a form a tool of an assistant in the browser (WebMCP); without `toolautosubmit` it is the person who sends it. */
export function asTool({ operationId, description }: Capability, catalog: Shop): Html {
  return html` toolname="${operationId}" tooldescription="${say(textOf(description, catalog), { catalog })}"`;
}

type Attribute = "autocapitalize" | "autocomplete" | "inputmode" | "list" | "placeholder" | "spellcheck";

export interface FormField extends Partial<Record<Attribute, string>> {
  name: string;
  label: string;
  value: string | null;
  type?: "text" | "tel" | "email";
  hint?: string;
  issue?: string | undefined;
  required?: boolean;
  maxlength?: number;
  /** Of a field for more than a line. */
  rows?: number;
}

export function inputField({
  name,
  label,
  value,
  type = "text",
  hint,
  issue,
  required,
  rows,
  ...more
}: FormField): Html {
  const hasHint = hint !== undefined;
  const about = [issue !== undefined && `${name}-fault`, hasHint && `${name}-hint`].filter(Boolean).join(" ");
  const attributes = [
    html` toolparamdescription="${label}${hasHint && `, ${hint}`}"`,
    required && html` required`,
    Object.entries(more).map(([key, one]) => one !== undefined && html` ${key}="${one}"`),
    about !== "" && html` aria-describedby="${about}"`,
    issue !== undefined && html` aria-invalid="true"`,
  ];
  const input = rows
    ? html`<textarea id="${name}" name="${name}" rows="${rows}"${attributes}>${value ?? ""}</textarea>`
    : html`<input id="${name}" name="${name}" type="${type}" value="${value ?? ""}"${attributes}>`;
  const small = hasHint && html`<small id="${name}-hint">${hint}</small>`;
  return html`<div class="field${rows && " wide"}"><label for="${name}">${label}</label>${input}${small}${issueText(name, issue)}</div>`;
}

/** A box that stands for consent; that for text messages is optional and never ticked beforehand (contract 18). */
export function consentBox(
  name: "consent" | "consent_sms",
  text: string,
  typed: URLSearchParams,
  issue?: string,
): Html {
  const fault = issue !== undefined && html` aria-invalid="true" aria-describedby="${name}-fault"`;
  const attributes = html`${name === "consent" && html` required`}${typed.has(name) && html` checked`}${fault}`;
  const box = html`<input id="${name}" name="${name}" type="checkbox" value="yes"${attributes}>`;
  return html`<div class="consent">${box}<label for="${name}">${text}</label>${issueText(name, issue)}</div>`;
}

export function issueText(name: string, issue: string | undefined): Html | undefined {
  return issue === undefined ? undefined : html`<p class="fault" id="${name}-fault">${issue}</p>`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

interface Choice extends Record<"name" | "value", string> {
  isChosen: boolean;
  type?: "radio" | "checkbox";
}

/** A radio button or a box, and everything that belongs to it, as one large label. */
export function choice({ name, value, isChosen, type = "radio" }: Choice, kind: string, content: Html): Html {
  const id = `${name}-${value || "none"}`;
  const button = html`<input type="${type}" id="${id}" name="${name}" value="${value}"${isChosen && html` checked`}>`;
  return html`<label class="${kind}">${button}${content}</label>`;
}

/** Words to choose one of, in a row. @param nameOf the word as customers read it */
export function pills<Word extends string>(
  legend: string,
  { name, chosen }: { name: string; chosen: string | undefined },
  words: readonly Word[],
  nameOf: (word: Word) => string,
): Html {
  const choices = words.map((value) => pill({ name, value, isChosen: value === chosen }, nameOf(value)));
  return html`<fieldset><legend>${legend}</legend><div class="pills">${choices}</div></fieldset>`;
}

export function pill(one: Choice, text: string): Html {
  return choice(one, "pill", html`<span class="pill-text">${text}</span>`);
}

export function given(form: URLSearchParams, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, visibleText(form, name)]).filter(([, value]) => value !== ""));
}

/** The text of a field as the API cleans it: a number copied from a phone's contacts brings marks along that nobody sees. */
export function visibleText(form: URLSearchParams, name: string): string {
  return String(normalize(form.get(name) ?? ""));
}

/**
 * The customer's consent in the fields of the API, which refuses a request without it.
 * @param texts beside the box for texts, which is a no where it was left blank; empty where there is no box
 * @param isGiven by a box or by the button
 */
export function consentOf(form: URLSearchParams, statement: string, texts: string, isGiven: boolean): object {
  const sms = texts !== "" && form.get("consent_sms") === "yes";
  return {
    confirmed_by_user: isGiven,
    statement: sms ? `${statement} ${texts}`.slice(0, LIMITS.text) : statement,
    ...(texts !== "" && { sms }),
  };
}

export interface Sent {
  typed: URLSearchParams;
  error?: ErrorBody;
  /** Shown above the form, for example that the time is not free. */
  about?: Html;
  /** A field, and what is asked before it is taken. */
  asked?: readonly [field: string, question: string];
}

/** A form, empty or as it was sent. @param idName the field that tells a repeated request from a new one */
export function formAfter(sent: Sent | undefined, idName: string) {
  const typed = sent?.typed ?? new URLSearchParams();
  const issues = sent?.asked ? new Map([sent.asked]) : issuesByField(sent?.error);
  const isSentBefore = sent?.error !== undefined && ERRORS[sent.error.error_code].about === "request id";
  const line = (name: string, label: string, more: Partial<FormField>) =>
    inputField({ name, label, value: typed.get(name), issue: issues.get(name), ...more });
  const needed = (type: "tel" | "email") => ({ type, autocomplete: type, required: true });
  return {
    typed,
    issue: (name: string) => issues.get(name),
    id: hidden(idName, (!isSentBefore && typed.get(idName)) || newId("try")),
    line,
    phone: (name: string) => line(name, DETAILS.phone, { ...needed("tel"), maxlength: LIMITS.phone }),
    email: (name: string) => line(name, DETAILS.email, { ...needed("email"), maxlength: LIMITS.email }),
    note: (name: string, label: string, maxlength: number) => line(name, label, { maxlength, rows: 3 }),
  };
}

/** Beside the price: why it, or the work that it is for, is not what was asked for. */
export function quoteNote(text: string): Html {
  return html`<p class="quote notice" role="status">${text}</p>`;
}

export function keptFields(kept: string | undefined): Html | undefined {
  return kept === undefined ? undefined : html`${hidden("estimate_id", kept)}${hidden("own", "1")}`;
}

/** A link with the price in it, which the script gives to the device's share sheet, or copies. */
export function sendLink(address: string): Html {
  return html`<p class="send"><a class="button quiet" href="${address}" data-share="${QUOTE.copied}">${QUOTE.send}</a></p>`;
}
