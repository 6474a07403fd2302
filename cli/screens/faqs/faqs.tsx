/** Questions and answers by category, and the form in which one is written. */
import { Text } from "ink";
import { useState } from "react";
import { type Editor, EditorFrame, editorScreen } from "../editor/editor.tsx";
import { type KeyPress, key, pair } from "../kit/input/keyboard.tsx";
import { useNav } from "../kit/shell/navigation.ts";
import { wrapTo } from "../kit/text/fit.ts";
import { Lines } from "../kit/text/lines.tsx";
import { Table, useSelection } from "../kit/widgets/list.tsx";
import { Typing } from "../kit/widgets/typing.tsx";
import {
  type FaqForm,
  FILTERS,
  type Filter,
  faqRows,
  formChange,
  isTouched,
  nextFilter,
  onFormKey,
  openForm,
  removal,
} from "./faq-form.ts";
import { FaqFormBody } from "./faq-form-body.tsx";

const TITLE = "Questions and answers";
const FORM_KEYS = [
  ["↑↓", "field"],
  ["Enter", "next, accept after the answer"],
  ["Ctrl+S", "accept"],
  ["Esc", "drop"],
] as const;
/** Rows for the answer under the list. */
const ANSWER_ROWS = 5;

function Faqs({ editor }: { editor: Editor }) {
  const { say } = useNav();
  const [filter, setFilter] = useState<Filter>("all");
  const [form, setForm] = useState<FaqForm | null>(null);
  const faqs = faqRows(editor.draft, filter);
  const selection = useSelection(faqs.length);
  const faq = faqs[selection.index];
  const turn = (by: number) => {
    setFilter(nextFilter(filter, by));
    selection.select(0);
  };
  const accept = (filled: FaqForm) => {
    const change = formChange(filled);
    const refusal = typeof change === "string" ? change : editor.make(change);
    setForm(refusal === null ? null : { ...filled, refusal });
  };
  const onKey = (filled: FaqForm, press: KeyPress) => {
    if (press.name === "ctrl+s" || (press.name === "enter" && filled.field === "answer")) accept(filled);
    else if (press.name !== "esc") setForm(onFormKey(filled, press));
    else if (isTouched(filled) && filled.refusal !== LOSES) setForm({ ...filled, refusal: LOSES });
    else setForm(null);
  };
  const remove = () => {
    const refusal = faq ? editor.make(removal(faq)) : null;
    if (refusal !== null) say({ kind: "error", text: refusal });
  };
  const keys = [
    ...selection.keys,
    pair(["left"], ["right"], { label: "←→", does: "category", help: "Show another category." }, turn),
    key("enter", "change", () => faq && setForm(openForm(faq, filter)), "Change the question or its answer."),
    key("n", "new", () => setForm(openForm(null, filter)), "Write a new question."),
    key("d", "remove", remove, "Remove the question; u brings it back until you save."),
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
            onKey={(press) => onKey(form, press)}
          />
        )
      }
    >
      {({ columns, rows }) =>
        form ? (
          <FaqFormBody form={form} width={columns} height={rows} />
        ) : (
          <>
            <Text>
              {FILTERS.map((one) => (
                <Text key={one} inverse={one === filter}>{` ${one} `}</Text>
              ))}
            </Text>
            <Table
              columns={[{ head: "question" }, { head: "category", width: 11 }]}
              rows={faqs.map(({ category, question }) => ({
                key: `${category} ${question}`,
                cells: [question, category],
              }))}
              selected={selection.index}
              width={columns}
              height={rows - ANSWER_ROWS - 2}
              empty="There are no questions here yet: press n to write one."
            />
            <Text dimColor>{"─".repeat(columns)}</Text>
            <Lines lines={wrapTo(faq?.answer ?? "", columns, ANSWER_ROWS)} width={columns} />
          </>
        )
      }
    </EditorFrame>
  );
}

const LOSES = "What you typed here is lost: Esc again drops it, Ctrl+S accepts it.";

export const Screen = editorScreen(Faqs, TITLE);
