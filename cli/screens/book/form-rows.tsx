/** Draws the rows of the booking form, as many as fit around the selected one. */
import { Box, Text } from "ink";
import { dayAndDate, timeOfDay } from "../../../src/domain/dates-in-words.ts";
import { fieldValue, hintOf, withSearch } from "../estimate/estimate-form.ts";
import { AddonField, markOf, typedValue } from "../estimate/form-fields.tsx";
import { cut, fit } from "../kit/text.tsx";
import { shownLine } from "../kit/typed-line.ts";
import type { BookForm, FormRow } from "./book-form.ts";

export const BOOK_FORM_WIDTH = 40;
const LABEL = 17;
const VALUE = BOOK_FORM_WIDTH - LABEL - 3;

interface FormRowsProps {
  form: BookForm;
  rows: readonly FormRow[];
  /** The time that is booked; empty when the day has no free one. */
  time: string;
  /** Whether every bay is busy then. */
  isBusy: boolean;
  height: number;
}

export function FormRows({ form, rows, time, isBusy, height }: FormRowsProps) {
  const first = Math.max(0, Math.min(form.row - Math.floor(height / 2), rows.length - height));
  if (height <= 0) return null;
  return (
    <Box flexDirection="column" width={BOOK_FORM_WIDTH}>
      {rows.slice(first, first + height).map((row, i) => {
        const isHere = first + i === form.row;
        if (row.kind === "job" && row.field.toggle)
          return (
            <AddonField
              key={row.label}
              label={row.label}
              isOn={fieldValue(form.job, row.field) !== ""}
              isHere={isHere}
              width={BOOK_FORM_WIDTH}
            />
          );
        return (
          <Text key={row.label}>
            <Text bold={isHere}>{markOf(isHere) + fit(row.label, LABEL)}</Text>
            <Value row={row} form={form} isHere={isHere} time={time} isBusy={isBusy} />
          </Text>
        );
      })}
    </Box>
  );
}

interface ValueProps extends Pick<FormRowsProps, "form" | "time" | "isBusy"> {
  row: FormRow;
  isHere: boolean;
}

function Value({ row, form, isHere, time, isBusy }: ValueProps) {
  switch (row.kind) {
    case "more":
      return <Text dimColor>{isHere ? "Enter: note, price, extras" : ""}</Text>;
    case "day":
      return <Chosen text={dayAndDate(form.date)} isHere={isHere} />;
    case "time":
      return (
        <Chosen
          text={time === "" ? "none free" : timeOfDay(time) + (isBusy ? " busy" : "")}
          isHere={isHere}
          isWrong={isBusy || time === ""}
        />
      );
    case "text": {
      const line = form.texts[row.name];
      const isEmpty = line.characters.length === 0;
      return isEmpty && !isHere ? (
        <Text dimColor>{cut(row.hint, VALUE)}</Text>
      ) : (
        <Text>{shownLine(line, VALUE, isHere)}</Text>
      );
    }
    case "job": {
      const { field } = row;
      const value = fieldValue(form.job, field);
      if (!field.choices)
        return (
          <Text>
            {typedValue(form.job, field, isHere, VALUE)}
            <Text dimColor>{value === "" ? cut(hintOf(form.job, field), VALUE - 1) : ""}</Text>
          </Text>
        );
      // Only the class of a car can be open.
      const label = field.choices.find((one) => one.value === value)?.label ?? "which class?";
      return <Chosen text={isHere ? withSearch(label, form.job, field) : label} isHere={isHere} />;
    }
  }
}

function Chosen({ text, isHere, isWrong = false }: { text: string; isHere: boolean; isWrong?: boolean }) {
  return (
    <Text inverse={isHere} {...(isWrong && { color: "red" })}>
      {`‹ ${cut(text, VALUE - 4)} ›`}
    </Text>
  );
}
