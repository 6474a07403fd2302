/** The questions that customers are shown, with the words by which a search finds them. */
import type { Catalog } from "./schema.ts";
import { isShown } from "./terms.ts";

type Faq = Catalog["faq"][number];

export interface ShownQuestion extends Pick<Faq, "question" | "answer" | "category" | "services" | "on_page"> {
  /** The words of the question that say what it is about. */
  title: ReadonlySet<string>;
  /** Every word of each way to ask: the question itself and the owner's `also`, which is shown to nobody. */
  phrases: readonly ReadonlySet<string>[];
}

export function questionsOf({ faq, services }: Catalog): readonly ShownQuestion[] {
  return faq
    .filter((entry) => isShown(entry, services))
    .map(({ also = [], ...entry }) => {
      const phrases = [entry.question, ...also].map(allWords).filter(({ size }) => size > 0);
      return { ...entry, title: tellingWords(entry.question), phrases };
    });
}

/** Words that say nothing about the subject of a question. */
export const FILLERS = new Set(
  "about all am an and any are at be been but by can could did do does for from get had has have how if in into is it its me my need not of on or our should so some than that the their them then there these they this to us was we were what when where which who why will with would you your".split(
    " ",
  ),
);

/** The words of a text that say what it is about. */
export function tellingWords(text: string): ReadonlySet<string> {
  return allWords(text).difference(FILLERS);
}

export function allWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []);
}
