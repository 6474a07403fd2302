import { fstatSync } from "node:fs";

/** Whether a standard stream is a terminal. @param file 1 for output, 2 for errors */
export function isTerminal(file: 1 | 2): boolean {
  // A pipe or a file needs no further question. Loading node:tty takes a thirtieth of a server's start, and setting up
  // process.stdout longer than most commands.
  if (!fstatSync(file).isCharacterDevice()) return false;
  const { isatty }: typeof import("node:tty") = require("node:tty");
  return isatty(file);
}
