/** The state of the questions screen: the list by category, and the form in which a question is written. */
import type { Faq } from "../../../src/catalog/edit/everyday.ts";
import { questionCategories } from "../../catalog/terms.ts";
import { type Change, faqsIn } from "../editor/change.ts";
import { type Draft, latest } from "../editor/draft.ts";
import type { KeyPress } from "../kit/keyboard.tsx";
import { lineOf, type TypedLine, trimmedText, typeInto } from "../kit/typed-line.ts";

type Category = Faq["category"];
/** The choice above the list. */
export type Filter = Category | "all";

export function categoriesOf(draft: Draft): Category[] {
  return questionCategories(latest(draft).catalog);
}

export function filtersOf(categories: readonly Category[]): Filter[] {
  return ["all", ...categories];
}

export function nextFilter(filter: Filter, by: number, categories: readonly Category[]): Filter {
  return neighbour(filtersOf(categories), filter, by) ?? "all";
}

/** The entry so many steps away, going round. */
function neighbour<T>(list: readonly T[], from: T, by: number): T | undefined {
  return list[(list.indexOf(from) + by + list.length) % list.length];
}

/** By category; within a category in the order of the file. */
export function faqRows(draft: Draft, filter: Filter): Faq[] {
  const all = faqsIn(latest(draft).source);
  return categoriesOf(draft)
    .filter((category) => filter === "all" || filter === category)
    .flatMap((category) => all.filter((faq) => faq.category === category));
}

const FORM_FIELDS = ["category", "question", "answer"] as const;

export interface FaqForm {
  /** The question before the change; null for a new one. */
  was: Faq | null;
  /** The categories to choose from. */
  categories: readonly Category[];
  category: Category;
  question: TypedLine;
  answer: TypedLine;
  field: (typeof FORM_FIELDS)[number];
  /** Why the last key was refused; null when it was not. */
  refusal: string | null;
}

export function openForm(was: Faq | null, filter: Filter, categories: readonly Category[]): FaqForm {
  const category = was?.category ?? (filter === "all" ? "general" : filter);
  return {
    was,
    categories,
    category,
    question: lineOf(was?.question ?? ""),
    answer: lineOf(was?.answer ?? ""),
    field: "question",
    refusal: null,
  };
}

/**
 * Enter after the answer and Ctrl+S accept the form, Esc drops it; other keys edit it.
 * @param make makes the change of the catalog; it returns why the change is refused, or null
 * @returns null when the form is closed
 */
export function onFormKey(form: FaqForm, press: KeyPress, make: (change: Change) => string | null): FaqForm | null {
  if (press.name === "ctrl+s" || (press.name === "enter" && form.field === "answer")) {
    const change = formChange(form);
    const refusal = typeof change === "string" ? change : make(change);
    return refusal === null ? null : { ...form, refusal };
  }
  if (press.name !== "esc") return edited(form, press);
  return isTouched(form) && form.refusal !== WARNING ? { ...form, refusal: WARNING } : null;
}

const WARNING = "What you typed here is lost: Esc again drops it, Ctrl+S accepts it.";

/** Tab and the arrows go from field to field. Left and right choose a category; everything else is typed. */
function edited(form: FaqForm, press: KeyPress): FaqForm {
  const by = { tab: 1, down: 1, enter: 1, backtab: -1, up: -1 }[press.name];
  const fresh = { ...form, refusal: null };
  if (by !== undefined) {
    const next = FORM_FIELDS[FORM_FIELDS.indexOf(form.field) + by];
    return next ? { ...fresh, field: next } : fresh;
  }
  if (form.field !== "category") return { ...fresh, [form.field]: typeInto(form[form.field], press) };
  const step = { left: -1, right: 1, space: 1 }[press.name] ?? 0;
  return { ...fresh, category: neighbour(form.categories, form.category, step) ?? form.category };
}

/** @returns the change, or what is missing */
function formChange({ was, category, question, answer }: FaqForm): Change | string {
  const now = { category, question: trimmedText(question), answer: trimmedText(answer) };
  if (now.question === "") return "Write the question as a customer would ask it.";
  if (now.answer === "") return "Write the answer.";
  return { kind: "faq", what: was ? "question" : "new question", was, now };
}

export function removal(was: Faq): Change {
  return { kind: "faq", what: "question removed", was, now: null };
}

/** Whether dropping the form loses anything. */
function isTouched({ was, category, question, answer }: FaqForm): boolean {
  return (
    trimmedText(question) !== (was?.question ?? "") ||
    trimmedText(answer) !== (was?.answer ?? "") ||
    (was !== null && category !== was.category)
  );
}
