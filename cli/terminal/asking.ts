/** Asks the owner for a missing word of a command. Only on a terminal: a pipe gets the usual complaint. */
import { createInterface } from "node:readline/promises";
import { capitalised } from "../../src/lib/text.ts";
import { Failure } from "../failure.ts";

/** Questions go to standard error, so that standard output holds nothing but the answer of the command. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** @returns what was typed, without space around it @throws Failure after Ctrl-C or Ctrl-D */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(`${question}: `)).trim();
  } catch (error) {
    throw error instanceof Error && error.name === "AbortError" ? new Failure("\nNothing was changed.") : error;
  } finally {
    terminal.close();
  }
}

/**
 * Asks for an argument or an option that is missing.
 * @param before the words in front of it, like `--name`
 * @returns its words; none where nobody can be asked
 * @throws Failure when nothing is typed
 */
export async function missingWord(description: string, before: readonly string[]): Promise<string[]> {
  if (!canAsk()) return [];
  const typed = await ask(capitalised(description));
  if (typed === "") throw new Failure("Nothing was changed.");
  return [...before, typed];
}
