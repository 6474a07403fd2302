/** The `.env` beside the catalog: changes of single settings. Notes and other lines stay. */
import { renameSync, rmSync } from "node:fs";
import { parseEnv } from "node:util";
import { codeOf, explainCode, makePrivate, temporaryName } from "../../src/lib/files.ts";
import { CliError } from "../terminal/output.ts";

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
  const temporary = temporaryName(file);
  try {
    makePrivate(temporary, text);
    renameSync(temporary, file);
  } catch (error) {
    throw new CliError(`${file} cannot be written: ${explainCode(codeOf(error))}.`);
  } finally {
    rmSync(temporary, { force: true });
  }
}
