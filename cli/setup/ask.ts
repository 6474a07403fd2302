/** Asks on a terminal for the settings of `tint setup`. */
import { parseEnv } from "node:util";
import { codeOf, explainCode, replacePrivately } from "../../src/lib/files.ts";
import { type Ask, asking } from "../terminal/asking.ts";
import { CliError, clean } from "../terminal/output.ts";
import { issueIn, readContacts } from "../typed/values.ts";
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

/** New values by name; null removes a setting. */
export type Changes = Readonly<Record<string, string | null>>;

/** @throws CliError for a value that cannot be written into such a file */
export function withSettings(text: string, changes: Changes): string {
  const lines = text.split("\n");
  while (lines.at(-1) === "") lines.pop();
  for (const [name, value] of Object.entries(changes)) {
    const isOf = (line: string) => /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] === name;
    const written = value === null ? [] : [`${name}=${quoted(name, value)}`];
    const at = lines.findIndex(isOf);
    if (at < 0) lines.push(...written);
    else lines.splice(at, 1, ...written);
    // The program reads the last line of a name, so older lines of the same name are removed.
    for (let i = lines.length - 1; i > at && at >= 0; i--) if (isOf(lines[i] ?? "")) lines.splice(i, 1);
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

function quoted(name: string, value: string): string {
  const plain = /^[\w@%+=:,./-]+$/.test(value) ? [value] : [];
  const forms = [...plain, `'${value}'`, `"${value}"`, `\`${value}\``, value];
  const form = forms.find((one) => keeps(name, one, value) && !/[\r\n]/.test(value));
  if (form === undefined) throw new CliError(`${name} holds characters that .env cannot keep.`);
  return form;
}

/** Whether the form is read as the value, and ends on its line whatever follows: a backslash may hide the closing quote. */
function keeps(name: string, form: string, value: string): boolean {
  const read = parseEnv(`${name}=${form}\n_A='1'\n_B="2"\n_C=\`3\`\n`);
  return read[name] === value && read._A === "1" && read._B === "2" && read._C === "3";
}

/** Replaces the file in one step. Only its owner may read it. @throws CliError */
export function writeSettings(file: string, text: string): void {
  try {
    replacePrivately(file, text);
  } catch (error) {
    throw new CliError(`${file} cannot be written: ${explainCode(codeOf(error))}.`);
  }
}
