/** The key that goes to any date of the diary. */
import { readDate } from "../../typed/dates.ts";
import { faultIn } from "../../typed/faults.ts";
import { key } from "../kit/input/bindings.ts";
import { type Actions, useActions } from "../kit/widgets/actions.ts";
import { Prompt } from "../kit/widgets/dialogs.tsx";

export function useDatePrompt(today: string, go: (date: string) => void): Actions {
  const read = (typed: string) => readDate(typed, () => today, "nearest");
  return useActions(
    (ask) => [key("g", "go to", () => ask({}), "Go to a date: friday, 11/27, Nov 27, tomorrow.")],
    (_question, close) => (
      <Prompt
        label="Which day, like friday or 11/27"
        submit="go there"
        check={(typed) => faultIn(() => read(typed))}
        onSubmit={(typed) => {
          close();
          go(read(typed));
        }}
        onCancel={close}
      />
    ),
  );
}
