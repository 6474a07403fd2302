/** The interface of a command's file. */
import type { Command } from "commander";

export interface CommandModule {
  /**
   * Adds arguments, options, subcommands and the action.
   * @param args the words after the command's name
   * @param createProgram for completion, which needs the other commands
   */
  configure: (command: Command, args: readonly string[], createProgram: CreateProgram) => void | Promise<void>;
}

/**
 * Makes the program with the names of all commands. Only wanted commands have their flags and subcommands.
 * @param args the words after the wanted command's name
 */
export type CreateProgram = (isWanted: (name: string) => boolean, args?: readonly string[]) => Promise<Command>;
