/** The questions of `tint setup`, asked one after the other. */
import { rawSettings } from "../../src/env/env.ts";
import { type Ask, asking, canAsk } from "../terminal/asking.ts";
import { clean, UsageError } from "../terminal/output.ts";
import { issueIn, readContacts } from "../typed/values.ts";
import { type Changes, completed, type Known, SETUP_QUESTIONS, typedIssue } from "./questions.ts";

const NONE = "none";

export function askForSettings(known: Record<string, string>, country: string): Promise<Changes> {
  if (!canAsk()) throw new UsageError("Without a terminal, give every setting as NAME=VALUE: see tint setup --help.");
  process.stderr.write(`Enter keeps what is in brackets, or leaves it for later; ${NONE} removes it.\n`);
  return asking((ask) => askAll(known, country, ask), "Stopped; nothing was written.");
}

async function askAll(known: Record<string, string>, country: string, ask: Ask): Promise<Changes> {
  // What the environment itself sets, as a compose file does, is not asked for: an answer would have no effect.
  const isFixed = (name: string) => rawSettings()[name] !== undefined && rawSettings()[name] !== known[name];
  const changes: Record<string, string | null> = {};
  for (const { name, question, isAsked, isSecret, usual } of SETUP_QUESTIONS) {
    const changed = Object.entries(changes).map(([key, to]) => [key, to ?? undefined]);
    const now: Known = { ...known, ...Object.fromEntries(changed) };
    if (isFixed(name) || isAsked?.(now) === false) continue;
    const hint = now[name] ?? usual;
    const shown = hint === undefined ? "" : ` [${isSecret ? "kept as it is" : clean(hint)}]`;
    for (;;) {
      const typed = await ask(`${question}${isSecret ? ", not shown while you type" : ""}${shown}: `, isSecret);
      const answer = typed || (now[name] === undefined ? (usual ?? "") : "");
      if (answer === "") break;
      const value = answer === NONE ? null : completed(name, answer, country);
      const issue = value === null ? undefined : typedIssue(name, value);
      if (issue === undefined) {
        changes[name] = value;
        break;
      }
      process.stderr.write(`  That ${issue}.\n`);
    }
  }
  return changes;
}

/** @param now who is told so far @returns the new list; undefined when it stays @throws CliError when the owner stops */
export async function askForContacts(now: readonly string[], country: string): Promise<string[] | undefined> {
  const question = `Who is told of bookings: mobiles, e-mail, https addresses (ntfy), with commas [${clean(now.join(", "))}]: `;
  return asking(async (ask) => {
    for (;;) {
      const typed = await ask(question);
      if (typed === "") return undefined;
      const issue = issueIn(() => readContacts(typed, country));
      if (issue === null) return readContacts(typed, country);
      process.stderr.write(`  That ${clean(issue)}.\n`);
    }
  }, "Stopped; who is told stays as it is.");
}
