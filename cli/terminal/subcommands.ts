/** Commands that list unless a subcommand is named. */
import type { Command } from "commander";
import { LIST, noSuchSubcommand } from "./help.ts";

interface OtherWords {
  /** Suggests a command for words that are no slip, like `hours monday 9-17`. */
  meant?: (words: readonly string[]) => string | undefined;
  /** Whether the only word names one of the things listed, which is then shown. */
  isName?: (word: string) => boolean;
}

/** Adds the subcommand that runs when none is named. A word that names no subcommand gets a suggestion. */
export function listCommand(
  command: Command,
  { meant = () => undefined, isName = () => false }: OtherWords = {},
): Command {
  return command
    .command(LIST, { isDefault: true })
    .allowExcessArguments()
    .hook("preAction", (_, { args }) => {
      if (args[0] === undefined || (args.length === 1 && isName(args[0]))) return;
      throw noSuchSubcommand(command, args[0], meant(args));
    });
}
