/** The questions that customers are shown, with the words by which a search finds them. */
import { valueAt } from "../lib/fields.ts";
import type { Catalog } from "./schema.ts";
import { isShown } from "./terms.ts";

type Faq = Catalog["faq"][number];

export interface ShownQuestion extends Pick<Faq, "question" | "answer" | "category" | "services" | "on_page"> {
  /** Other ways to ask, which are shown to nobody. */
  also: readonly string[];
}

export function questionsOf(catalog: Catalog): readonly ShownQuestion[] {
  const isOn = (name: NonNullable<Faq["while"]>) => Boolean(valueAt(catalog, name.split(".")));
  return catalog.faq
    .filter((entry) => isShown(entry, catalog.services))
    .filter((entry) => (!entry.while || isOn(entry.while)) && !(entry.unless && isOn(entry.unless)))
    .map(({ also = [], ...entry }) => ({ ...entry, also }));
}
