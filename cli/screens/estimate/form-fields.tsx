/** Draws the fields of the estimate form. */
import { Box, Text } from "ink";
import { graphemes } from "../../terminal/output.ts";
import { cut, fit } from "../kit/text.tsx";
import { CARET } from "../kit/typed-line.ts";
import { type EstimateField, type EstimateForm, fieldValue, hintOf, isSelected, withSearch } from "./estimate-form.ts";
import type { IssuesByField } from "./price.ts";

/** A typed value with its caret; in brackets while typing replaces it. */
export function typedValue(form: EstimateForm, field: EstimateField, isHere: boolean, width: number): string {
  const value = fieldValue(form, field);
  if (!isHere) return cut(value, width);
  // The end of a long value is what is being typed.
  return isSelected(form, field)
    ? `[${cut(value, width - 2)}]`
    : graphemes(value)
        .slice(1 - width)
        .join("") + CARET;
}

export const ESTIMATE_FORM_WIDTH = 38;
const LABEL = 17;
const VALUE = ESTIMATE_FORM_WIDTH - LABEL - 4;

interface FormFieldsProps {
  form: EstimateForm;
  fields: readonly EstimateField[];
  issues: IssuesByField;
}

export function FormFields({ form, fields, issues }: FormFieldsProps) {
  return (
    <Box flexDirection="column" width={ESTIMATE_FORM_WIDTH}>
      {fields.map((field, i) => {
        const value = fieldValue(form, field);
        const isHere = i === form.row[form.tab];
        return field.toggle ? (
          <AddonField
            key={field.toggle}
            label={field.label}
            isOn={value !== ""}
            isHere={isHere}
            width={ESTIMATE_FORM_WIDTH}
          />
        ) : (
          <ValueField
            key={field.name}
            field={field}
            value={value}
            form={form}
            isWrong={value !== "" && issues[field.name] !== undefined}
            isHere={isHere}
          />
        );
      })}
    </Box>
  );
}

/** Stands before the label of a field. */
export function markOf(isHere: boolean): string {
  return isHere ? "› " : "  ";
}

interface AddonFieldProps {
  label: string;
  isOn: boolean;
  isHere: boolean;
  /** Columns of the form. */
  width: number;
}

/** A name needs more room than the mark. */
export function AddonField({ label, isOn, isHere, width }: AddonFieldProps) {
  return (
    <Text bold={isHere}>
      {markOf(isHere)}
      <Text inverse={isHere}>{isOn ? "[x]" : "[ ]"}</Text> {cut(label, width - 8)}
    </Text>
  );
}

interface ValueFieldProps {
  field: EstimateField;
  value: string;
  form: EstimateForm;
  isWrong: boolean;
  isHere: boolean;
}

function ValueField({ field, value, form, isWrong, isHere }: ValueFieldProps) {
  const { label, choices } = field;
  const choice = choices?.find((one) => one.value === value);
  return (
    <Text>
      <Text bold={isHere}>{markOf(isHere) + fit(label, LABEL)}</Text>
      {choices ? (
        <Text
          inverse={isHere}
        >{`‹ ${cut(isHere ? withSearch(choice?.label ?? "", form, field) : (choice?.label ?? ""), VALUE - 4)} ›`}</Text>
      ) : (
        <>
          <Text {...(isWrong && { color: "red" })}>{typedValue(form, field, isHere, VALUE)}</Text>
          {value === "" && <Text dimColor>{cut(hintOf(form, field), VALUE)}</Text>}
        </>
      )}
    </Text>
  );
}
