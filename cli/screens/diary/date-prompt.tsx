/** The key that goes to any date of the diary. */
import { readDate } from "../../typed/dates.ts";
import { key } from "../kit/input/bindings.ts";
import { type Actions, useActions } from "../kit/widgets/actions.ts";
import { TypedPrompt } from "../kit/widgets/typed-prompt.tsx";

export function useDatePrompt(today: string, go: (date: string) => void): Actions {
  return useActions(
    (ask) => [key("g", "go to", () => ask({}), "Go to a date: friday, 11/27, Nov 27, tomorrow.")],
    (_question, close) => (
      <TypedPrompt
        label="Which day, like friday or 11/27"
        submit="go there"
        read={(typed) => readDate(typed, () => today, "nearest")}
        onRead={(date) => {
          close();
          go(date);
        }}
        onCancel={close}
      />
    ),
  );
}
