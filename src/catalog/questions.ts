/** The questions that customers are shown, with the words by which a search finds them. */
import type { Catalog } from "./schema.ts";
import { isShown } from "./terms.ts";

type Faq = Catalog["faq"][number];

export interface ShownQuestion extends Pick<Faq, "question" | "answer" | "category" | "services" | "on_page"> {
  /** Other ways to ask, which are shown to nobody. */
  also: readonly string[];
}

export function questionsOf({ faq, services }: Catalog): readonly ShownQuestion[] {
  return faq.filter((entry) => isShown(entry, services)).map(({ also = [], ...entry }) => ({ ...entry, also }));
}
