/** Questions and answers by category, and the form in which one is written. */
import { Text } from "ink";
import { useState } from "react";
import { fillReferences } from "../../../src/capabilities/faq.ts";
import type { Faq } from "../../../src/catalog/edit/everyday.ts";
import { withDaysToCome } from "../../../src/domain/days-to-come.ts";
import { questionCategories } from "../../catalog/terms.ts";
import { type Column, LEAST } from "../../terminal/columns.ts";
import { faqsIn, latest } from "../editor/draft.ts";
import { type Editor, EditorFrame, editorScreen } from "../editor/editor.tsx";
import { key, pair } from "../kit/bindings.tsx";
import { Form } from "../kit/form.tsx";
import { ListBody } from "../kit/frame.tsx";
import { useList } from "../kit/list.tsx";
import { useShop } from "../kit/screen.ts";
import { wrapTo } from "../kit/text.tsx";

const TITLE = "Questions and answers";
type Filter = Faq["category"] | "all";

/** The questions by category; within a category in the order of the file. */
function faqRows({ draft }: Editor, categories: readonly string[], filter: Filter): Faq[] {
  const all = faqsIn(latest(draft).source);
  return categories
    .filter((category) => filter === "all" || filter === category)
    .flatMap((category) => all.filter((faq) => faq.category === category));
}

function Faqs({ editor }: { editor: Editor }) {
  const { now } = useShop();
  const [filter, setFilter] = useState<Filter>("all");
  /** The question before the change; null for a new one. */
  const [changing, change] = useState<{ was: Faq | null } | null>(null);
  const { catalog } = latest(editor.draft);
  const categories = questionCategories(catalog);
  const filters: Filter[] = ["all", ...categories];
  const faqs = faqRows(editor, categories, filter);
  const list = useList(faqs, {
    id: ({ category, question }) => `${category} ${question}`,
    ...{ columns: COLUMNS, narrow: ["question", "category"], about: filter },
  });
  const faq = list.row;
  if (changing) {
    const { was } = changing;
    const usual = was?.category ?? (filter === "all" ? "general" : filter);
    return (
      <Form
        title={was ? "Change a question" : "A new question"}
        about="What customers and AI assistants are told; nothing is written before you save."
        submit="accept"
        fields={[
          { name: "category", label: "Category", initial: usual, choices: categories },
          {
            ...{ name: "question", label: "Question", initial: was?.question, isProse: true, isFirst: true as const },
            check: (text) => (text === "" ? "Question is missing: write it as a customer would ask it." : null),
          },
          {
            ...{ name: "answer", label: "Answer", initial: was?.answer, isProse: true },
            check: (text) => (text === "" ? "Answer is missing." : null),
          },
        ]}
        onSubmit={({ question = "", answer = "", category: chosen }) => {
          const category = categories.find((one) => one === chosen) ?? usual;
          const now = { ...was, category, question, answer };
          if (editor.make({ kind: "faq", what: was ? "question" : "new question", was, now })) change(null);
        }}
        onCancel={() => change(null)}
      />
    );
  }
  const turn = (by: number) =>
    setFilter(filters[(filters.indexOf(filter) + by + filters.length) % filters.length] ?? "all");
  const remove = (was: Faq) => editor.make({ kind: "faq", what: "question removed", was, now: null });
  return (
    <EditorFrame
      title={list.filter === "" ? TITLE : `${TITLE}, only ${list.filter}`}
      about="What customers and AI assistants are told."
      editor={editor}
      keys={[
        ...list.keys,
        pair(["left"], ["right"], "←→", "category", "Show another category.", turn),
        faq && key("enter", "change", () => change({ was: faq }), "Change the question or its answer."),
        key("n", "new", () => change({ was: null }), "Write a new question."),
        faq && key("x", "remove", () => remove(faq), "Remove the question; u brings it back until you save."),
      ]}
      dialog={list.dialog}
    >
      {({ columns, rows }) => (
        <>
          <Text>
            {filters.map((one) => (
              <Text key={one} inverse={one === filter}>{` ${one} `}</Text>
            ))}
          </Text>
          <ListBody
            list={list}
            size={{ columns, rows: rows - 1 }}
            below={() => {
              const answer = fillReferences(faq?.answer ?? "", withDaysToCome(catalog, now()));
              const lines = wrapTo(answer, columns, ANSWER_ROWS);
              const room = Array.from({ length: ANSWER_ROWS }, (_, i) => lines[i] ?? "");
              return [{ text: "─".repeat(columns), look: "dim" }, ...room];
            }}
            empty="There are no questions here yet: press n to write one."
          />
        </>
      )}
    </EditorFrame>
  );
}

const ANSWER_ROWS = 5;

const COLUMNS: readonly Column<Faq>[] = [
  { name: "question", value: ({ question }) => question, min: LEAST },
  { name: "category", value: ({ category }) => category },
  { name: "answer", value: ({ answer }) => answer },
];

export const Screen = editorScreen(Faqs, TITLE);
