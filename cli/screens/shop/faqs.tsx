/** Questions and answers by category, and the form in which one is written. */
import { Text } from "ink";
import { useState } from "react";
import { fillReferences } from "../../../src/capabilities/faq.ts";
import type { Faq } from "../../../src/catalog/edit/everyday.ts";
import { withDaysToCome } from "../../../src/domain/days-to-come.ts";
import { latest } from "../editor/draft.ts";
import { EditorFrame, editorScreen } from "../editor/editor-frame.tsx";
import type { Editor } from "../editor/use-editor.ts";
import { key, pair } from "../kit/bindings.tsx";
import { Typing } from "../kit/dialogs.tsx";
import { Table, useSelection } from "../kit/list.tsx";
import { useShop } from "../kit/shop.ts";
import { fit, Lines, type Size, wrap, wrapTo } from "../kit/text.tsx";
import { CARET, shownLine, type TypedLine } from "../kit/typed-line.ts";
import {
  categoriesOf,
  type FaqForm,
  type Filter,
  faqRows,
  filtersOf,
  nextFilter,
  onFormKey,
  openForm,
  removal,
} from "./faq-form.ts";

const TITLE = "Questions and answers";
const FORM_KEYS = [
  ["↑↓", "field"],
  ["Enter", "next, accept after the answer"],
  ["Ctrl+S", "accept"],
  ["Esc", "drop"],
] as const;

function Faqs({ editor }: { editor: Editor }) {
  const { now } = useShop();
  const [filter, setFilter] = useState<Filter>("all");
  const [form, setForm] = useState<FaqForm | null>(null);
  const categories = categoriesOf(editor.draft);
  const faqs = faqRows(editor.draft, filter);
  const selection = useSelection(faqs.length);
  const faq = faqs[selection.index];
  const turn = (by: number) => {
    setFilter(nextFilter(filter, by, categories));
    selection.select(0);
  };
  const keys = [
    ...selection.keys,
    pair(["left"], ["right"], { label: "←→", does: "category", help: "Show another category." }, turn),
    key(
      "enter",
      "change",
      () => faq && setForm(openForm(faq, filter, categories)),
      "Change the question or its answer.",
    ),
    key("n", "new", () => setForm(openForm(null, filter, categories)), "Write a new question."),
    key(
      "d",
      "remove",
      () => faq && editor.makeOrSay(removal(faq)),
      "Remove the question; u brings it back until you save.",
    ),
  ];
  return (
    <EditorFrame
      title={TITLE}
      about="What customers and AI assistants are told."
      editor={editor}
      keys={keys}
      dialog={
        form && (
          <Typing
            head={form.was ? "Change a question" : "A new question"}
            refusal={form.refusal}
            keys={FORM_KEYS}
            onKey={(press) => setForm(onFormKey(form, press, editor.make))}
          />
        )
      }
    >
      {(size) =>
        form ? (
          <FaqFormBody form={form} width={size.columns} height={size.rows} />
        ) : (
          <FaqList
            faqs={faqs}
            answer={fillReferences(faq?.answer ?? "", withDaysToCome(latest(editor.draft).catalog, now()))}
            filters={filtersOf(categories)}
            filter={filter}
            selected={selection.index}
            size={size}
          />
        )
      }
    </EditorFrame>
  );
}

interface FaqListProps {
  faqs: readonly Faq[];
  /** The answer to the selected question, as customers read it. */
  answer: string;
  filters: readonly Filter[];
  filter: Filter;
  selected: number;
  size: Size;
}

/** Rows for the answer under the list. */
const ANSWER_ROWS = 5;

function FaqList({ faqs, answer, filters, filter, selected, size: { columns, rows } }: FaqListProps) {
  return (
    <>
      <Text>
        {filters.map((one) => (
          <Text key={one} inverse={one === filter}>{` ${one} `}</Text>
        ))}
      </Text>
      <Table
        columns={[{ head: "question" }, { head: "category", width: 11 }]}
        rows={faqs.map(({ category, question }) => ({
          key: `${category} ${question}`,
          cells: [question, category],
        }))}
        selected={selected}
        width={columns}
        height={rows - ANSWER_ROWS - 2}
        empty="There are no questions here yet: press n to write one."
      />
      <Text dimColor>{"─".repeat(columns)}</Text>
      <Lines lines={wrapTo(answer, columns, ANSWER_ROWS)} width={columns} />
    </>
  );
}

export const Screen = editorScreen(Faqs, TITLE);

const LABEL = 12;

/** Draws the form of a question; the answer scrolls with the caret. */
export function FaqFormBody({ form, width, height }: { form: FaqForm; width: number; height: number }) {
  const head = (field: FaqForm["field"]) => (
    <Text bold={form.field === field}>{fit(`${form.field === field ? "› " : ""}${field}`, LABEL)}</Text>
  );
  const room = height - 5;
  return (
    <>
      <Text>
        {head("category")}
        <Text inverse={form.field === "category"}>{` ‹ ${form.category} › `}</Text>
      </Text>
      <Text> </Text>
      <Text>
        {head("question")}
        {shownLine(form.question, width - LABEL, form.field === "question")}
      </Text>
      <Text> </Text>
      {head("answer")}
      <Lines lines={aroundCaret(form.answer, width, room, form.field === "answer")} width={width} />
    </>
  );
}

function aroundCaret({ characters, caret }: TypedLine, width: number, room: number, hasCaret: boolean): string[] {
  const text = hasCaret ? characters.toSpliced(caret, 0, CARET) : characters;
  const lines = wrap(text.join(""), width);
  const at = lines.findIndex((line) => line.includes(CARET));
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), lines.length - room));
  return lines.slice(first, first + room);
}
