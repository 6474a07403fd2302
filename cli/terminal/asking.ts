/** Asks the owner on the terminal. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { capitalized } from "../../src/lib/text.ts";
import { CliError, UsageError } from "./output.ts";

/** A pipe cannot be asked. Questions go to standard error: standard output holds nothing but the answer of the command. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Puts a question. @param isSecret nothing of what is typed is shown @returns what was typed, trimmed */
export type Ask = (question: string, isSecret?: boolean) => Promise<string>;

/** Lines that were typed, or pasted, before their question was put. */
const ahead: string[] = [];

/** The answer of somebody who wants the question before again. */
export const BACK = Symbol("back");

/** Puts a question that ← on an empty line leaves, back to the one before. */
export type AskOrBack = (question: string) => Promise<string | typeof BACK>;

/** Runs a task that asks. @throws CliError that says `stopped` after Ctrl-C or Ctrl-D */
export async function asking<Answer>(
  task: (ask: Ask, askOrBack: AskOrBack) => Promise<Answer>,
  stopped: string | (() => string),
): Promise<Answer> {
  let isHidden = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) process.stderr.write(chunk);
      done();
    },
  });
  // Long questions wrap, and the line editor has to know where.
  Object.defineProperty(output, "columns", { get: () => process.stderr.columns });
  const terminal = createInterface({ input: process.stdin, output, terminal: canAsk() });
  terminal.on("line", (line) => ahead.push(line));
  const put = async (question: string, signal?: AbortSignal) => {
    const line = ahead.shift();
    if (line === undefined) return (await terminal.question(question, signal ? { signal } : {})).trim();
    process.stderr.write(`${question}\n`);
    return line.trim();
  };
  const askOrBack: AskOrBack = async (question) => {
    const leaving = new AbortController();
    const onKey = (_text: string | undefined, key?: { name?: string }) => {
      if (key?.name === "left" && terminal.line === "") leaving.abort();
    };
    process.stdin.on("keypress", onKey);
    try {
      return await put(question, leaving.signal);
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
      process.stderr.write("\n");
      return BACK;
    } finally {
      process.stdin.off("keypress", onKey);
    }
  };
  const ask: Ask = async (question, isSecret = false) => {
    if (!isSecret) return put(question);
    process.stderr.write(question);
    isHidden = true;
    try {
      return await put("");
    } finally {
      isHidden = false;
      process.stderr.write("\n");
    }
  };
  try {
    return await task(ask, askOrBack);
  } catch (error) {
    throw error instanceof Error && error.name === "AbortError"
      ? new CliError(`\n${typeof stopped === "string" ? stopped : stopped()}`)
      : error;
  } finally {
    terminal.close();
  }
}

/** @returns what was typed, without the space around it @throws CliError after Ctrl-C or Ctrl-D */
export function askOnce(label: string): Promise<string> {
  return asking((ask) => ask(`${label}: `), "Nothing was changed.");
}

/** Asks for a missing argument or option. @param before the words in front of it, like `--name` @returns none where nobody can be asked */
export async function missingWord(description: string, before: readonly string[]): Promise<string[]> {
  if (!canAsk()) return [];
  const typed = await askOnce(capitalized(description));
  if (typed === "") throw new CliError("Nothing was changed.");
  return [...before, typed];
}

/** Waits for y or yes. @throws CliError that says `refused`, UsageError that says `unasked` where nobody can be asked */
export async function askToAgree(question: string, unasked: string, refused: string): Promise<void> {
  if (!canAsk()) throw new UsageError(unasked);
  if (!(await isAgreed(question, refused))) throw new CliError(refused);
}

/** @param stopped said after Ctrl-C @throws CliError after Ctrl-C or Ctrl-D */
export async function isAgreed(question: string, stopped: string): Promise<boolean> {
  const answer = await asking((ask) => ask(`${question} Type y for yes: `), stopped);
  return /^y(es)?$/i.test(answer);
}
