/** Puts the words of a command line into the order in which commander reads them. */

export interface Arguments {
  /** The first word that is not an option. It may not be the name of a command. */
  command: string | undefined;
  args: string[];
  globals: string[];
}

/** Options that may also stand before the command. */
const GLOBAL_OPTIONS = ["--catalog", "--data"];

/**
 * Puts the command first and the global options behind it, and reads `help x y` as `x y --help`. A word that is no command is returned
 * alone, so that its --help is refused too.
 */
export function arrange(words: readonly string[], isCommand: (word: string) => boolean): Arguments {
  const count = countGlobals(words);
  const globals = words.slice(0, count);
  const [first, ...rest] = words.slice(count);
  if (first === "help") return arrange([...rest.filter((word) => !isOption(word)), "--help"], isCommand);
  if (first === undefined || isOption(first)) return { command: undefined, args: [...words], globals };
  return { command: first, args: isCommand(first) ? [first, ...globals, ...rest] : [first], globals };
}

/** The number of words that global options take up before the command: `--data=x` is one, `--data x` two. */
function countGlobals(words: readonly string[]): number {
  let count = 0;
  for (;;) {
    const [name = "", ...value] = (words[count] ?? "").split("=");
    if (!GLOBAL_OPTIONS.includes(name)) return count;
    count += value.length > 0 ? 1 : 2;
  }
}

/** The first word that is neither an option nor the value of a global one. */
export function firstWord(args: readonly string[]): string | undefined {
  return args.find((word, at) => !isOption(word) && !GLOBAL_OPTIONS.includes(args[at - 1] ?? ""));
}

export function isOption(word: string): boolean {
  return word.startsWith("-");
}

/** The value of an option, before commander has read the words. */
function optionIn(args: readonly string[], flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? args.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1) : args[at + 1];
}

export function locationsIn(args: readonly string[]): { catalog: string | undefined; data: string | undefined } {
  return { catalog: optionIn(args, "--catalog"), data: optionIn(args, "--data") };
}
