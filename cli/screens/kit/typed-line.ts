/** A line of text while it is typed. */
import { clean, graphemes } from "../../terminal/output.ts";
import type { KeyPress } from "./keyboard.tsx";
import { cut, padded } from "./text.tsx";

export interface TypedLine {
  /** One entry for each character that the owner sees (a grapheme). */
  characters: readonly string[];
  /** The caret stands before this character. */
  caret: number;
  /** The whole text is selected: what is typed takes its place, and any other key edits it. */
  isSelected?: boolean;
}

export function lineOf(text: string): TypedLine {
  const characters = graphemes(clean(text));
  return { characters, caret: characters.length };
}

/** The line as it is when its field gets the focus: what is there is selected. */
export function selected({ characters }: TypedLine): TypedLine {
  return { characters, caret: characters.length, isSelected: characters.length > 0 };
}

/** The text without spaces around it. */
export function trimmedText({ characters }: TypedLine): string {
  return characters.join("").trim();
}

/** The line after a key press; other keys leave it unchanged. */
export function typeInto(line: TypedLine, { name, text }: KeyPress): TypedLine {
  const { characters, caret } = line.isSelected && text !== "" ? lineOf("") : line;
  switch (name) {
    case "left":
      return { characters, caret: Math.max(0, caret - 1) };
    case "right":
      return { characters, caret: Math.min(characters.length, caret + 1) };
    case "home":
    case "ctrl+a":
      return { characters, caret: 0 };
    case "end":
    case "ctrl+e":
      return { characters, caret: characters.length };
    case "backspace":
      return caret === 0 ? line : { characters: characters.toSpliced(caret - 1, 1), caret: caret - 1 };
    case "delete":
      return { characters: characters.toSpliced(caret, 1), caret };
    case "ctrl+u":
      return { characters: characters.slice(caret), caret: 0 };
  }
  if (text === "") return line;
  const before = [...characters.slice(0, caret), ...graphemes(text)];
  // An accent joins the character before it.
  const joined = graphemes(before.join(""));
  return { characters: [...joined, ...characters.slice(caret)], caret: joined.length };
}

export const CARET = "▏";

/** The part of the line around the caret, exactly `width` columns wide; a selected line is in brackets. */
export function shownLine({ characters, caret, isSelected }: TypedLine, width: number, hasCaret: boolean): string {
  if (hasCaret && isSelected) return padded(`[${cut(characters.join(""), width - 2)}]`, width);
  const all = hasCaret ? [...characters.slice(0, caret), CARET, ...characters.slice(caret)] : characters;
  const size = (from: number, until: number) => Bun.stringWidth(all.slice(from, until).join(""));
  let from = 0;
  while (hasCaret && size(from, caret + 1) > width) from++;
  let until = all.length;
  while (size(from, until) > width) until--;
  return all.slice(from, until).join("") + " ".repeat(Math.max(0, width - size(from, until)));
}
