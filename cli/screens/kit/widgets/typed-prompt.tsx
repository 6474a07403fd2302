/** Asks for a text that means something: a day, a time, a percentage. */
import { faultIn } from "../../../typed/faults.ts";
import { Prompt, type PromptProps } from "./dialogs.tsx";

interface TypedPromptProps<Value> extends Omit<PromptProps, "check" | "onSubmit"> {
  /** @throws Misuse, whose message is shown while the text cannot be read */
  read: (text: string) => Value;
  onRead: (value: Value) => void;
}

export function TypedPrompt<Value>({ read, onRead, ...prompt }: TypedPromptProps<Value>) {
  return <Prompt {...prompt} check={(text) => faultIn(() => read(text))} onSubmit={(text) => onRead(read(text))} />;
}
