/** Asks the owner before something is done that is hard to undo. */
import { Failure, Misuse } from "../failure.ts";
import { asking, canAsk } from "./asking.ts";

/**
 * Waits for the owner to type yes.
 * @param unasked said where nobody can be asked
 * @param refused said when the owner does not agree
 * @throws Failure when the owner does not agree, Misuse without a terminal
 */
export async function askToAgree(question: string, unasked: string, refused: string): Promise<void> {
  if (!canAsk()) throw new Misuse(unasked);
  const answer = await asking(
    (ask) => ask(`${question} Type yes: `),
    () => refused,
  );
  if (answer.toLowerCase() !== "yes") throw new Failure(refused);
}
