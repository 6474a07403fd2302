/** The capability that answers with the questions and answers of the catalog. */
import { z } from "zod";
import type { Shop } from "../catalog/shop.ts";
import { exampleOf, LIMITS, line, optional } from "../schema/fields.ts";
import { type Context, defineCapability, type Suggestion } from "./core/capability.ts";
import { say } from "./core/operations.ts";
import { pricing } from "./core/samples.ts";
import { termFields } from "./core/shapes.ts";
import { faqOf } from "./faq.ts";
import { searchFaq } from "./search-faq.ts";

/** Questions in the answer to a search: enough to find the right one, few enough to read. */
const MOST_FOUND = 5;

const listInput = (catalog: Shop) =>
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
  inTools: ["How things work: tint law, curing, warranty, cancelling. Search by words with q."],
  returnsPrice: false,
  useWhen: ["The user asks how something works: tint law, curing, warranty, cancelling."],
  avoidWhen: ["You need a price or an open time: use the estimates and {tool:check_availability}."],
  input: listInput,
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
  beside: (catalog) => ({
    message: z.string().optional().describe("Of an answer without questions: what to do instead."),
    categories: z
      .array(termFields(catalog).faqCategory)
      .optional()
      .describe("Of an answer without questions: the subjects that have some."),
  }),
  run({ category, q }, ctx) {
    const { catalog, now } = ctx;
    const data =
      q === undefined ? faqOf(catalog, category) : searchFaq(q, catalog, now, category).found.slice(0, MOST_FOUND);
    const [first] = data;
    if (first)
      return { data, suggestions: pricing(catalog, category ?? (q === undefined ? undefined : first.category)) };
    return { data, beside: noAnswer(ctx), suggestions: withoutAnswer(q, catalog) };
  },
});

/** What an answer says that has no question. */
function noAnswer(ctx: Pick<Context, "catalog" | "voice">) {
  const said = "The shop has published no answer to this. Call {phone}, or send it as a {tool:quote_request}.";
  return {
    message: say(said, ctx),
    categories: ctx.catalog.terms.faqCategories.filter((category) =>
      ctx.catalog.questions.some((one) => one.category === category),
    ),
  };
}

/** @param question as it was asked */
function withoutAnswer(question: string | undefined, catalog: Shop): Suggestion[] {
  const person = ["first_name", "phone", "email", "service_type"];
  return [
    {
      action: "quote_request",
      description: "Send the question to the shop, which gets in touch.",
      input: question === undefined ? {} : { message: question },
      fillIn: question === undefined ? [...person, "message"] : person,
    },
    ...(catalog.questions.length > 0
      ? [{ action: "list_faq" as const, description: "Read all questions and answers.", input: {} }]
      : []),
  ];
}
