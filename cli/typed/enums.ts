/** Words of a fixed list, as an owner types them. */
import { Argument, InvalidArgumentError, Option } from "commander";
import { didYouMean, oneOf } from "../../src/schema/explain.ts";
import { clean, UsageError } from "../terminal/output.ts";

/** A word of a list as the catalog writes it. People type any case, and dashes or spaces for underscores. */
export function asWord(typed: string): string {
  return typed.trim().toLowerCase().replace(/[ -]/g, "_");
}

/** The word of a list that was typed, in any case, with dashes or spaces for underscores. @throws UsageError with a suggestion */
export function readWord<Word extends string>(what: string, typed: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === asWord(typed));
  if (word) return word;
  const longer = words.filter((one) => typed.length > 1 && one.startsWith(typed.toLowerCase()));
  const guess = didYouMean(typed, words) ?? (longer.length === 1 ? longer[0] : undefined);
  if (words.length === 0) throw new UsageError(`${clean(typed)} is not ${what}: the shop has none.`);
  throw new UsageError(
    `${clean(typed)} is not ${what}${guess ? `; did you mean ${guess}?` : `: it must be ${oneOf(words)}.`}`,
  );
}

/** An argument that takes one of a few words. Help and completion list them; the command checks with `readWord`. */
export function wordArgument(name: string, words: readonly string[], description = ""): Argument {
  return new Argument(name, description).choices(words).argParser((typed: string) => typed);
}

/** The same as an option. */
export function wordOption(flags: string, description: string, words: readonly string[]): Option {
  return new Option(flags, description).choices(words).argParser((typed: string) => typed);
}

/** An option that takes one of a few words, in any case, with dashes for underscores. A typo gets a suggestion. */
export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).argParser((typed: string) => {
    const word = asWord(typed);
    if (choices.includes(word)) return word;
    const guess = didYouMean(word, choices);
    throw new InvalidArgumentError(guess ? `Did you mean ${guess}?` : `It is one of ${oneOf(choices)}.`);
  });
}
