/** Text cut, padded or wrapped to a number of columns. Every text on a screen passes through here, so strangers' words are cleaned. */
import { clean, cleanLines, graphemes, shorten } from "../../../terminal/text.ts";

/** At most `width` columns wide; a text that is cut ends in `…`. */
export function cut(text: string, width: number): string {
  return shorten(clean(text), width);
}

/** Like `cut`, but keeps runs of spaces, for a quoted line with a caret under it. */
export function cutLine(line: string, width: number): string {
  return shorten(cleanLines(line), width);
}

/** Exactly `width` columns wide. */
export function fit(text: string, width: number, align: "left" | "right" = "left"): string {
  const shown = cut(text, width);
  const space = " ".repeat(Math.max(0, width - Bun.stringWidth(shown)));
  return align === "left" ? shown + space : space + shown;
}

/** Adds spaces up to a width. For lines whose parts are fitted already. */
export function padded(line: string, width: number): string {
  return line + " ".repeat(Math.max(0, width - Bun.stringWidth(line)));
}

/** Lines of at most `width` columns, broken between words where possible. */
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

/** Wrapped to at most `most` lines; a text that is cut ends in `…`. */
export function wrapTo(text: string, width: number, most: number): string[] {
  const lines = wrap(text, width);
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), cut(lines.slice(most - 1).join(" "), width)];
}

/** Wraps texts; a text without room is left out whole. @param room lines */
export function wholeTexts(texts: readonly string[], width: number, room: number): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const wrapped = wrap(text, width);
    if (lines.length + wrapped.length <= room) lines.push(...wrapped);
  }
  return lines;
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
