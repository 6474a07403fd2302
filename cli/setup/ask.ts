/** Asks on a terminal for the settings of `tint setup`. */
import { type Ask, asking } from "../terminal/asking.ts";
import { clean } from "../terminal/output.ts";
import { readContacts } from "../typed/contacts.ts";
import { issueIn } from "../typed/values.ts";
import type { Changes } from "./env-file.ts";
import { completed, SETUP_QUESTIONS, typedIssue } from "./questions.ts";

/** Typed to remove a setting. */
const NONE = "none";

/**
 * @param known the settings so far @param fixed names that are not asked for, because the environment sets them
 * @param country of the shop, for phone numbers
 * @returns the owner's changes
 * @throws CliError when the owner stops
 */
export async function askForSettings(
  known: Readonly<Record<string, string | undefined>>,
  fixed: ReadonlySet<string>,
  country: string,
): Promise<Changes> {
  process.stderr.write(`Enter keeps what is in brackets, or leaves it for later; ${NONE} removes it.\n`);
  return asking(
    (ask) => askAll(known, fixed, country, ask),
    () => "Stopped; nothing was written.",
  );
}

async function askAll(
  known: Readonly<Record<string, string | undefined>>,
  fixed: ReadonlySet<string>,
  country: string,
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
  return asking(
    async (ask) => {
      const shown = clean(now.join(", "));
      for (;;) {
        const typed = await ask(
          `Who is told of bookings: mobiles, e-mail, https addresses (ntfy), with commas [${shown}]: `,
        );
        if (typed === "") return undefined;
        const issue = issueIn(() => readContacts(typed, country));
        if (issue === null) return readContacts(typed, country);
        process.stderr.write(`  That ${clean(issue)}.\n`);
      }
    },
    () => "Stopped; who is told stays as it is.",
  );
}
