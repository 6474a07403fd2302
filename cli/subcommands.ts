import { type Command, InvalidArgumentError, Option } from "commander";
import { didYouMean, oneOf } from "../src/explain.ts";
import { Misuse } from "./program.ts";
import { clean } from "./text.ts";

/** The subcommand that runs when none is named. A word that names none gets a suggestion. */
export function listCommand(command: Command): Command {
  return command
    .command("list", { isDefault: true })
    .allowExcessArguments()
    .hook("preAction", (_, { args }) => {
      const [word] = args;
      if (word === undefined) return;
      const names = command.commands.map((one) => one.name());
      const guess = didYouMean(word, names);
      throw new Misuse(
        `There is no tint ${command.name()} ${clean(word)}. ${guess ? `Did you mean ${guess}?` : `There are ${oneOf(names)}.`}`,
      );
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
