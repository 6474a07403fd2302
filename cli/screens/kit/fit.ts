/** Text that must fit a number of columns. Whatever goes on a screen passes through here, so strangers' words are cleaned. */
import { clean } from "../../text.ts";

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

export function graphemes(text: string): string[] {
  return Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);
}

/** At most so many columns wide; what is cut off ends in `…`. */
export function cut(text: string, width: number): string {
  const safe = clean(text);
  if (Bun.stringWidth(safe) <= width) return safe;
  if (width < 1) return "";
  let kept = "";
  let used = 1;
  for (const grapheme of graphemes(safe)) {
    used += Bun.stringWidth(grapheme);
    if (used > width) break;
    kept += grapheme;
  }
  return `${kept.trimEnd()}…`;
}

/** Exactly so many columns wide. */
export function fit(text: string, width: number, align: "left" | "right" = "left"): string {
  const shown = cut(text, width);
  const space = " ".repeat(Math.max(0, width - Bun.stringWidth(shown)));
  return align === "left" ? shown + space : space + shown;
}

/** Adds spaces up to a width; the text's own stay. For lines put together from what fits. */
export function padded(line: string, width: number): string {
  return line + " ".repeat(Math.max(0, width - Bun.stringWidth(line)));
}

/** Lines of at most so many columns, broken between words where that is possible. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of clean(text)
    .split(" ")
    .flatMap((one) => pieces(one, width))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (Bun.stringWidth(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function pieces(word: string, width: number): string[] {
  if (Bun.stringWidth(word) <= width) return [word];
  const parts = [""];
  for (const grapheme of graphemes(word)) {
    const last = parts.length - 1;
    const longer = `${parts[last]}${grapheme}`;
    if (Bun.stringWidth(longer) <= width) parts[last] = longer;
    else parts.push(grapheme);
  }
  return parts;
}
