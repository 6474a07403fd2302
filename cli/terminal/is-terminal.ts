import { fstatSync } from "node:fs";

/** Whether a standard stream is a terminal. @param file 1 for output, 2 for errors */
export function isTerminal(file: 1 | 2): boolean {
  // Pipes and files need no further question. Loading node:tty takes a thirtieth of a server's start, and setting up
  // process.stdout longer than most commands.
  return fstatSync(file).isCharacterDevice() && require("node:tty").isatty(file);
}
