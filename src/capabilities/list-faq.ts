import { z } from "zod";
import type { Shop } from "../catalog/shop.ts";
import { exampleOf, LIMITS, line, optional } from "../schema/fields.ts";
import { defineCapability } from "./core/capability.ts";
import { pricing } from "./core/samples.ts";
import { termFields } from "./core/shapes.ts";
import { faqOf, searchFaq } from "./shared/faq.ts";

/** Questions in the answer to a search: enough to find the right one, few enough to read. */
const MOST_FOUND = 5;

const request = (catalog: Shop) =>
  z.object({
    category: optional(termFields(catalog).faqCategory).meta({
      description: "Only questions of this category.",
      ...exampleOf(catalog.terms.faqCategories[0]),
    }),
    q: optional(line(LIMITS.search)).meta({
      description: `Words to search for; the answer holds at most ${MOST_FOUND} questions, the best first.`,
      example: "medical exemption",
    }),
  });

/** Questions and answers. Source: contract 10, contract 15. */
export const listFaq = defineCapability({
  id: "list_faq",
  title: "Questions and answers",
  description: "Questions and answers: all, of one category, or by words.",
  returnsPrice: false,
  useWhen: ["The user asks how something works: tint law, curing, warranty, cancelling."],
  avoidWhen: ["You need a price or an open time: use the estimates and check_availability."],
  input: request,
  output: (catalog) =>
    z.array(
      z
        .object({
          question: z.string().describe("As customers ask it."),
          answer: z.string().describe("With today's prices and rules."),
          category: termFields(catalog).faqCategory,
        })
        .meta({ title: "Question", description: "A question with its answer." }),
    ),
  status: 200,
  errors: [],
  catalogOnly: true,
  sample: (catalog) => ({
    category: catalog.terms.faqCategories.find((category) =>
      catalog.questions.some((entry) => entry.category === category),
    ),
  }),
  run({ category, q }, { catalog }) {
    return {
      data: q === undefined ? faqOf(catalog, category) : searchFaq(q, catalog, category).slice(0, MOST_FOUND),
      suggestions: pricing(catalog),
    };
  },
});
