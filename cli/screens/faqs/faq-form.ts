/** The questions and answers: the list by category, and the form in which one is written. */
import type { Faq } from "../../../src/catalog/edit/everyday.ts";
import { FAQ_CATEGORIES } from "../../../src/vocabulary.ts";
import { type Change, faqsIn } from "../editor/change.ts";
import { type Draft, latest } from "../editor/draft.ts";
import type { KeyPress } from "../kit/input/keyboard.tsx";
import { lineOf, type TypedLine, typeInto } from "../kit/input/typed-line.ts";

export type Category = Faq["category"];
/** What the list shows; all comes first. */
export const FILTERS = ["all", ...FAQ_CATEGORIES] as const;
export type Filter = (typeof FILTERS)[number];

export function nextFilter(filter: Filter, by: number): Filter {
  return FILTERS[(FILTERS.indexOf(filter) + by + FILTERS.length) % FILTERS.length] ?? "all";
}

/** In the order of the categories, and of the file within one. */
export function faqRows(draft: Draft, filter: Filter): Faq[] {
  const all = faqsIn(latest(draft).source);
  return FAQ_CATEGORIES.filter((category) => filter === "all" || filter === category).flatMap((category) =>
    all.filter((faq) => faq.category === category),
  );
}

export const FORM_FIELDS = ["category", "question", "answer"] as const;

export interface FaqForm {
  /** The question that is changed; null for a new one. */
  was: Faq | null;
  category: Category;
  question: TypedLine;
  answer: TypedLine;
  field: (typeof FORM_FIELDS)[number];
  refusal: string | null;
}

export function openForm(was: Faq | null, filter: Filter): FaqForm {
  const category = was?.category ?? (filter === "all" ? "general" : filter);
  return {
    was,
    category,
    question: lineOf(was?.question ?? ""),
    answer: lineOf(was?.answer ?? ""),
    field: "question",
    refusal: null,
  };
}

/** Tab and the arrows go from field to field; in the category, left and right choose; all else is typed. */
export function onFormKey(form: FaqForm, press: KeyPress): FaqForm {
  const by = { tab: 1, down: 1, enter: 1, backtab: -1, up: -1 }[press.name];
  const fresh = { ...form, refusal: null };
  if (by !== undefined) {
    const next = FORM_FIELDS[FORM_FIELDS.indexOf(form.field) + by];
    return next ? { ...fresh, field: next } : fresh;
  }
  if (form.field !== "category") return { ...fresh, [form.field]: typeInto(form[form.field], press) };
  const step = { left: -1, right: 1, space: 1 }[press.name] ?? 0;
  const at = (FAQ_CATEGORIES.indexOf(form.category) + step + FAQ_CATEGORIES.length) % FAQ_CATEGORIES.length;
  return { ...fresh, category: FAQ_CATEGORIES[at] ?? form.category };
}

/** @returns what is missing, as text */
export function formChange({ was, category, question, answer }: FaqForm): Change | string {
  const now = { category, question: textOf(question), answer: textOf(answer) };
  if (now.question === "") return "Write the question as a customer would ask it.";
  if (now.answer === "") return "Write the answer.";
  return { kind: "faq", what: was ? "question" : "new question", was, now };
}

export function removal(was: Faq): Change {
  return { kind: "faq", what: "question removed", was, now: null };
}

/** Whether leaving the form would lose anything. */
export function isTouched({ was, category, question, answer }: FaqForm): boolean {
  return (
    textOf(question) !== (was?.question ?? "") ||
    textOf(answer) !== (was?.answer ?? "") ||
    (was !== null && category !== was.category)
  );
}

function textOf({ characters }: TypedLine): string {
  return characters.join("").trim();
}
