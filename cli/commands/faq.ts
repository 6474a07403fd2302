/** `tint faq`: the questions and answers of the catalog. */
import { fillReferences } from "../../src/capabilities/faq.ts";
import { addFaq, editFaq, type Faq, removeFaq } from "../../src/catalog/edit/everyday.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { withDaysToCome } from "../../src/domain/days-to-come.ts";
import { addAskedEditOptions, addEditOptions, type EditOptions, makeEdit } from "../catalog/edits.ts";
import { catalogForHelp, questionCategories } from "../catalog/terms.ts";
import { catalogSource } from "../shop/catalog.ts";
import type { Command } from "../terminal/command.ts";
import { clean, jsonLine, print, UsageError } from "../terminal/output.ts";
import { choiceOption } from "../typed/enums.ts";
import { readNumber } from "../typed/values.ts";

type FaqOptions = EditOptions & Partial<Faq>;

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  const categories = questionCategories(await catalogForHelp(args));
  const category = () => choiceOption("--category <category>", "the part of the list", categories);
  command.examples("tint faq", 'tint faq edit 12 --answer "From 259 dollars in standard film."');
  command
    .list("the questions and answers, numbered")
    .description(
      "The questions and answers as customers read them, with the numbers that edit and remove take. --json has the answers as they are written, with places of the catalog in braces.",
    )
    .addOption(category())
    .examples("tint faq list", `tint faq list --category ${categories[0]}`)
    .jsonAction(list);

  addEditOptions(command.subcommand("add", "add a question"))
    .description("Adds a question after the others of its category.")
    .addOption(category().makeOptionMandatory())
    .requiredOption("--question <text>", "as a customer would ask it")
    .requiredOption("--answer <text>", "what customers and AI assistants are told")
    .examples('tint faq add --category general --question "Do you have a waiting room?" --answer "Yes, with coffee."')
    .action(add);

  addEditOptions(command.subcommand("edit", "change a question or its answer"))
    .description("Changes the parts of a question that are given; the rest stays.")
    .argument("<number>", "its number in tint faq list")
    .addOption(category())
    .option("--question <text>", "the new question")
    .option("--answer <text>", "the new answer")
    .examples('tint faq edit 12 --answer "From 259 dollars in standard film."')
    .action(edit);

  addAskedEditOptions(command.subcommand("remove", "remove a question"))
    .description("Removes a question. The questions after it move up by one number.")
    .argument("<number>", "its number in tint faq list")
    .examples("tint faq remove 12")
    .action(remove);
}

async function list({ catalog: file, category, json }: FaqOptions): Promise<void> {
  const { catalog } = loadCatalog(catalogSource({ catalog: file }));
  const faqs = catalog.faq
    .map((faq, i) => ({ number: i + 1, ...faq }))
    .filter((faq) => category === undefined || faq.category === category);
  if (json) await print(jsonLine(faqs));
  else if (faqs.length === 0) process.stderr.write("There are no questions yet: `tint faq add` adds one.\n");
  else {
    const today = withDaysToCome(catalog, Temporal.Now.instant());
    const texts = faqs.map((faq) => faqText(faq.number, { ...faq, answer: fillReferences(faq.answer, today) }));
    await print(texts.join("\n"));
  }
}

function faqText(number: number, { category, question, answer }: Faq): string {
  return `${number}. ${clean(question)} [${category}]\n   ${clean(answer)}\n`;
}

async function add({ category, question, answer, ...options }: EditOptions & Faq): Promise<void> {
  const faq = { category, question, answer };
  await makeEdit(options, (text) => addFaq(text, faq), {
    words: ({ after: { faq: all } }) =>
      faqText(all.findIndex(({ question }) => question === faq.question.trim()) + 1, faq),
    json: () => faq,
  });
}

async function edit(typed: string, { category, question, answer, ...options }: FaqOptions): Promise<void> {
  const number = readNumber(typed, "a question", "tint faq list");
  if (category === undefined && question === undefined && answer === undefined)
    throw new UsageError("Say what to change: --question, --answer or --category.");
  await makeEdit(options, (text) => editFaq(text, number - 1, { category, question, answer }), {
    words: ({ before, after: { faq } }) => {
      const [old, now] = [before?.faq[number - 1], faq[number - 1]].map((one) => (one ? faqText(number, one) : ""));
      return old === "" ? String(now) : `${old}→\n${now}`;
    },
    json: ({ after: { faq } }) => ({ number, ...faq[number - 1] }),
  });
}

async function remove(typed: string, options: FaqOptions): Promise<void> {
  const number = readNumber(typed, "a question", "tint faq list");
  await makeEdit(options, (text) => removeFaq(text, number - 1), {
    words: ({ before }) => {
      const gone = before?.faq[number - 1];
      return `Removed:\n${gone ? faqText(number, gone) : ""}`;
    },
    json: ({ before }) => ({ number, removed: before?.faq[number - 1] ?? null }),
    question: () => "Remove it?",
  });
}
