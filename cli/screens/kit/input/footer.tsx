/** The footer: a word or two for each key, on two lines at most. */
import { Text } from "ink";
import { padded } from "../text/fit.ts";
import type { KeyBinding } from "./bindings.ts";

const GAP = "  ";
const MOST_LINES = 2;

/** The keys on as few lines as possible. Keys without room are left out; the help has them all. */
export function footerLines(bindings: readonly Pick<KeyBinding, "label" | "does">[], width: number): string[] {
  const words = bindings.flatMap(({ label, does }) => (does === null ? [] : [`${label} ${does}`]));
  for (let dropped = 0; ; dropped++) {
    const last = words.slice(-ALWAYS);
    const lines = pack([...words.slice(0, Math.max(0, words.length - ALWAYS - dropped)), ...last], width);
    if (lines.length <= MOST_LINES || dropped >= words.length) return lines.slice(0, MOST_LINES);
  }
}

/** The last bindings (help, back, quit) always stay. */
const ALWAYS = 3;

function pack(words: readonly string[], width: number): string[] {
  const lines: string[] = [""];
  for (const word of words) {
    const line = lines.at(-1) ?? "";
    const longer = line === "" ? word : line + GAP + word;
    if (Bun.stringWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

export function Footer({ lines, width }: { lines: readonly string[]; width: number }) {
  return lines.map((line) => (
    <Text key={line} dimColor>
      {padded(line, width)}
    </Text>
  ));
}
