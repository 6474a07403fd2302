import { Text } from "ink";
import { padded } from "../text/fit.ts";
import type { KeyBinding } from "./bindings.ts";

const GAP = "  ";
const MOST_LINES = 2;

/** What the keys do, on as few lines as they need; those that do not fit are left to the help. */
export function footerLines(bindings: readonly KeyBinding[], width: number): string[] {
  const words = bindings.flatMap(({ label, does }) => (does === null ? [] : [`${label} ${does}`]));
  // The last ones (help, back, quit) are always there.
  for (let dropped = 0; ; dropped++) {
    const last = words.slice(-ALWAYS);
    const lines = pack([...words.slice(0, Math.max(0, words.length - ALWAYS - dropped)), ...last], width);
    if (lines.length <= MOST_LINES || dropped >= words.length) return lines.slice(0, MOST_LINES);
  }
}

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
