/** Commands that list unless a subcommand is named. */
import type { Command } from "commander";
import { LIST, noSuchSubcommand } from "./help.ts";

/**
 * Adds the subcommand that runs when none is named. A word that names no subcommand gets a suggestion.
 * @param meant suggests a command for words that are no slip, like `hours monday 9-17`
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
