import { type Command, InvalidArgumentError, Option } from "commander";
import { didYouMean, oneOf } from "../../src/schema/explain.ts";
import { LIST, noSuchSubcommand } from "./help.ts";

/**
 * The subcommand that runs when none is named. A word that names none gets a suggestion.
 * @param meant what the words probably mean, where that is no slip of the pen
 */
export function listCommand(
  command: Command,
  meant: (words: readonly string[]) => string | undefined = () => undefined,
): Command {
  return command
    .command(LIST, { isDefault: true })
    .allowExcessArguments()
    .hook("preAction", (_, { args }) => {
      if (args[0] !== undefined) throw noSuchSubcommand(command, args[0], meant(args));
    });
}

/** An option that takes one of a few words; a dash counts as an underscore, and a slip gets a suggestion. */
export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).argParser((typed: string) => {
    const word = typed.toLowerCase().replaceAll("-", "_");
    if (choices.includes(word)) return word;
    const guess = didYouMean(word, choices);
    throw new InvalidArgumentError(guess ? `Did you mean ${guess}?` : `It is one of ${oneOf(choices)}.`);
  });
}
