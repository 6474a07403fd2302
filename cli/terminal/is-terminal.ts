/** Whether a standard stream is a terminal. @param file 1 for output, 2 for errors */
export function isTerminal(file: 1 | 2): boolean {
  // Loaded on first use: most commands never ask, and setting up process.stdout takes longer than a quote.
  const { isatty }: typeof import("node:tty") = require("node:tty");
  return isatty(file);
}
