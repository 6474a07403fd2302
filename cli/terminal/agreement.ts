/** Asks the owner before something is done that is hard to undo. */
import { createInterface } from "node:readline/promises";
import { Failure, Misuse } from "../failure.ts";

/**
 * Waits for the owner to type yes.
 * @param unasked said where nobody can be asked
 * @param refused said when the owner does not agree
 * @throws Failure when the owner does not agree, Misuse without a terminal
 */
export async function askToAgree(question: string, unasked: string, refused: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new Misuse(unasked);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} Type yes: `);
    if (answer.trim().toLowerCase() !== "yes") throw new Failure(refused);
  } catch (error) {
    // Ctrl-C or Ctrl-D.
    throw error instanceof Error && error.name === "AbortError" ? new Failure(`\n${refused}`) : error;
  } finally {
    terminal.close();
  }
}
