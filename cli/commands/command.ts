/** What every file of this folder offers. */
import type { Command } from "commander";

export interface CommandModule {
  /**
   * Adds arguments, options, subcommands and the action.
   * @param args the words behind the command's name
   * @param createProgram for a command that speaks of the others
   */
  configure: (command: Command, args: readonly string[], createProgram: CreateProgram) => void | Promise<void>;
}

/**
 * Makes the program with all its names, and the flags and subcommands of the commands that are wanted.
 * @param args the words behind the wanted command's name
 */
export type CreateProgram = (isWanted: (name: string) => boolean, args?: readonly string[]) => Promise<Command>;
