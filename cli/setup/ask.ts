/** Asks on a terminal for the settings of `tint setup`. */
import { createInterface } from "node:readline/promises";
import { Failure } from "../failure.ts";
import { clean } from "../terminal/text.ts";
import type { Changes } from "./env-file.ts";
import { completed, SETUP_QUESTIONS, settingFault } from "./questions.ts";

/** Typed to remove a setting. */
const NONE = "none";

/**
 * @param known the settings so far
 * @returns the owner's changes
 * @throws Failure when the owner stops
 */
export async function askForSettings(known: Readonly<Record<string, string | undefined>>): Promise<Changes> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const changes: Record<string, string | null> = {};
  process.stderr.write(`Enter keeps what stands in brackets, or leaves it for later; ${NONE} removes it.\n`);
  try {
    for (const { name, question, isAsked, isSecret, usual } of SETUP_QUESTIONS) {
      const now = {
        ...known,
        ...Object.fromEntries(Object.entries(changes).map(([key, to]) => [key, to ?? undefined])),
      };
      if (isAsked?.(now) === false) continue;
      const hint = now[name] ?? usual;
      const shown = hint === undefined ? "" : ` [${isSecret ? "kept as it is" : clean(hint)}]`;
      for (;;) {
        const typed = (await terminal.question(`${question}${shown}: `)).trim();
        const answer = typed || (now[name] === undefined ? (usual ?? "") : "");
        if (answer === "") break;
        const value = answer === NONE ? null : completed(name, answer);
        const fault = value === null ? undefined : settingFault(name, value);
        if (fault === undefined) {
          changes[name] = value;
          break;
        }
        process.stderr.write(`  That ${fault}.\n`);
      }
    }
    return changes;
  } catch (error) {
    // Ctrl-C or Ctrl-D.
    if (error instanceof Error && error.name === "AbortError") throw new Failure("\nStopped; nothing was written.");
    throw error;
  } finally {
    terminal.close();
  }
}
