/** Asks on a terminal for the settings of `tint setup`. */
import { type Ask, asking } from "../terminal/asking.ts";
import { clean } from "../terminal/output.ts";
import type { Changes } from "./env-file.ts";
import { completed, SETUP_QUESTIONS, settingIssue } from "./questions.ts";

/** Typed to remove a setting. */
const NONE = "none";

/**
 * @param known the settings so far @param fixed names that are not asked for, because the environment sets them
 * @returns the owner's changes
 * @throws CliError when the owner stops
 */
export async function askForSettings(
  known: Readonly<Record<string, string | undefined>>,
  fixed: ReadonlySet<string>,
): Promise<Changes> {
  process.stderr.write(`Enter keeps what stands in brackets, or leaves it for later; ${NONE} removes it.\n`);
  return asking(
    (ask) => askAll(known, fixed, ask),
    () => "Stopped; nothing was written.",
  );
}

async function askAll(
  known: Readonly<Record<string, string | undefined>>,
  fixed: ReadonlySet<string>,
  ask: Ask,
): Promise<Changes> {
  const changes: Record<string, string | null> = {};
  for (const { name, question, isAsked, isSecret, usual } of SETUP_QUESTIONS) {
    const now = {
      ...known,
      ...Object.fromEntries(Object.entries(changes).map(([key, to]) => [key, to ?? undefined])),
    };
    if (fixed.has(name) || isAsked?.(now) === false) continue;
    const hint = now[name] ?? usual;
    const shown = hint === undefined ? "" : ` [${isSecret ? "kept as it is" : clean(hint)}]`;
    for (;;) {
      const typed = await ask(`${question}${shown}: `);
      const answer = typed || (now[name] === undefined ? (usual ?? "") : "");
      if (answer === "") break;
      const value = answer === NONE ? null : completed(name, answer);
      const issue = value === null ? undefined : settingIssue(name, value);
      if (issue === undefined) {
        changes[name] = value;
        break;
      }
      process.stderr.write(`  That ${issue}.\n`);
    }
  }
  return changes;
}
