/** Commands that list unless a subcommand is named. */
import type { Command } from "commander";
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
