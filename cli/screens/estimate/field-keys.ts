/** The keys of a field of the job, the same in the estimate and in the booking form. */
import { type KeyBinding, key, pair } from "../kit/bindings.tsx";
import { REPLACE } from "../kit/dialogs.tsx";
import {
  type EstimateField,
  type EstimateForm,
  editField,
  eraseTyped,
  isSelected,
  takesQ,
  turn,
  typeInField,
} from "./estimate-form.ts";

/** What begins a word where one is looked for. `q`, `?` and `/` keep their meaning there. */
export const LETTERS = [..."0123456789-.abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ", "paste"];

/** What a typed value may hold: every character of a keyboard but `?`, which stays the help. */
const PRINTABLE = Array.from({ length: 0x7f - 0x21 }, (_, i) => String.fromCharCode(0x21 + i));
const OF_A_VALUE = [...PRINTABLE.filter((character) => character !== "?"), "space", "paste"];

export function fieldKeys(
  form: EstimateForm,
  field: EstimateField,
  change: (next: (form: EstimateForm) => EstimateForm) => void,
): KeyBinding[] {
  const isTyped = !field.choices && !field.toggle;
  const choose = (by: number) => change((old) => turn(old, field, by));
  const type = (text: string) => change((old) => typeInField(old, field, text));
  return [
    ...(isTyped
      ? [
          {
            ...{ on: ["left", "right"], label: "←→", does: null, help: "Edit what is there." },
            run: () => change((old) => editField(old, field)),
          },
        ]
      : [
          pair(["left"], ["right"], { label: "←→", does: "choose", help: "The choice before or after." }, choose),
          {
            ...key("space", "on/off", () => type(" "), "Put an extra on or off."),
            ...(!field.toggle && { does: null }),
          },
        ]),
    {
      on: isTyped ? OF_A_VALUE : takesQ(form, field) ? [...LETTERS, "q", "Q"] : LETTERS,
      label: "a-z 0-9",
      does: isSelected(form, field) ? REPLACE.does : "type",
      help: "Type a number or a shade; in a choice, the first letters of a name find it.",
      run: ({ text }) => type(text),
    },
    {
      on: ["backspace", "delete"],
      label: "⌫",
      does: null,
      help: "Take back a letter.",
      run: () => change((old) => eraseTyped(old, field)),
    },
  ];
}
