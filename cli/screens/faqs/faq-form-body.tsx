/** Draws the form of a question; the answer scrolls with the caret. */
import { Text } from "ink";
import { CARET, shownLine, type TypedLine } from "../kit/input/typed-line.ts";
import { fit, wrap } from "../kit/text/fit.ts";
import { Lines } from "../kit/text/lines.tsx";
import type { FaqForm } from "./faq-form.ts";

const LABEL = 12;

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
