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

/** @see createProgram in ../program.ts */
export type CreateProgram = (isWanted: (name: string) => boolean, args: readonly string[]) => Promise<Command>;
