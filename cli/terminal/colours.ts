/** Colours for states in lists, only on a terminal that shows them (https://no-color.org). */
import { rawSettings } from "../../src/env/env.ts";
import { isTerminal } from "./is-terminal.ts";

const [GREEN, YELLOW, RED, CYAN, GREY] = [32, 33, 31, 36, 90];

/** By the first word of a state. */
const COLOURS: Record<string, number> = {
  ...{ confirmed: GREEN, completed: GREY, cancelled: RED, no: YELLOW },
  ...{ new: CYAN, contacted: YELLOW, quoted: YELLOW, won: GREEN, lost: GREY },
  ...{ waiting: YELLOW, failed: RED, lapsed: GREY, valid: GREEN, revoked: RED },
};

/** The heads of columns that hold states. */
const COLOURED = ["status", "state"];

/** @returns the cells as they stand in the line, states in their colour */
export function withColours(head: readonly string[]): (cell: string, column: number) => string {
  const { NO_COLOR, TERM } = rawSettings();
  if (NO_COLOR !== undefined || TERM === "dumb" || !isTerminal(1)) return (cell) => cell;
  return (cell, column) => {
    const colour = COLOURED.includes(head[column] ?? "") ? COLOURS[/^\w+/.exec(cell)?.[0] ?? ""] : undefined;
    return colour === undefined ? cell : `\x1b[${colour}m${cell}\x1b[39m`;
  };
}
