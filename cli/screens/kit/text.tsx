/**
 * Text on a screen: cut, padded or wrapped to a number of columns, as lines that can be counted before they are drawn.
 * Every text on a screen passes through here, so strangers' words are cleaned.
 */
import { Box, Text } from "ink";
import { createContext, useContext } from "react";
import { clean, cleanLines, shorten } from "../../terminal/output.ts";

export interface Line {
  text: string;
  look?: keyof typeof LOOKS;
  /** Drawn dim before the text; runs of spaces in it stay. */
  name?: string;
  /** The text keeps its runs of spaces, as a table does, or a quoted line with a caret under it. */
  isQuoted?: true;
}

const LOOKS = {
  dim: { dimColor: true },
  bold: { bold: true },
  question: { bold: true, color: "yellow" },
  warning: { color: "yellow" },
  error: { color: "red" },
  good: { color: "green" },
} as const;

export function wrapLines(lines: readonly (Line | string)[], width: number): Line[] {
  return lines.flatMap((line) => {
    const { text, ...rest } = typeof line === "string" ? { text: line } : line;
    return wrap(text, width).map((part) => ({ ...rest, text: part }));
  });
}

/** A text wrapped to at most `most` lines of one look; none where it is empty. */
export function linesOf(text: string, width: number, most: number, look?: Line["look"]): Line[] {
  return text === "" ? [] : wrapTo(text, width, most).map((line) => ({ text: line, look }));
}

/** Draws each line on exactly one line of the terminal. */
export function Lines({ lines, width }: { lines: readonly (Line | string)[]; width: number }) {
  return lines.map((line, i) => {
    const { text, look, name = "", isQuoted }: Line = typeof line === "string" ? { text: line } : line;
    const room = width - Bun.stringWidth(name);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of text have no other name
      <Text key={i} {...(look && LOOKS[look])}>
        <Text dimColor>{name}</Text>
        {isQuoted ? padded(cutLine(text, room), room) : fit(text, room)}
      </Text>
    );
  });
}

interface ParagraphProps {
  text: string;
  width: number;
  most: number;
  look?: Line["look"];
}

/** A wrapped text; an empty one takes no line. */
export function Paragraph({ text, width, most, look }: ParagraphProps) {
  return <Lines lines={linesOf(text, width, most, look)} width={width} />;
}

/** The screens have two layouts, for 80 columns and for 120. */
export function isWide(width: number): boolean {
  return width >= 120;
}

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
  return Bun.wrapAnsi(clean(text), width, { hard: true }).split("\n");
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

export interface Size {
  columns: number;
  rows: number;
}

/** On a smaller terminal no screen is drawn, but a sentence. */
const SMALLEST: Size = { columns: 60, rows: 20 };

/** What to do about a terminal that is too small; null on any other. */
export function tooSmallInWords({ columns, rows }: Size): string | null {
  if (columns >= SMALLEST.columns && rows >= SMALLEST.rows) return null;
  return `This window is too small (${columns}×${rows}). Make it ${SMALLEST.columns}×${SMALLEST.rows} or larger; Ctrl+C leaves.`;
}

/** The size of the terminal, at least the smallest. Asked for once: Node warns where too many listen to it. */
export const TerminalSize = createContext(SMALLEST);

export function useTerminalSize(): Size {
  const { columns, rows } = useContext(TerminalSize);
  return { columns: Math.max(columns, SMALLEST.columns), rows: Math.max(rows, SMALLEST.rows) };
}

interface TitleBarProps {
  title: string;
  status?: string;
  width: number;
  isAlarm?: boolean;
}

export function TitleBar({ title, status = "", width, isAlarm = false }: TitleBarProps) {
  const room = Math.max(0, width - Bun.stringWidth(title) - 2);
  return (
    <Box flexDirection="column">
      <Text>
        <Text bold>{fit(title, width - room)}</Text>
        <Text {...(isAlarm && { color: "red" })}>{fit(status, room, "right")}</Text>
      </Text>
      <Text dimColor>{"─".repeat(width)}</Text>
    </Box>
  );
}

/** Shown until the store has answered. */
export const ONE_MOMENT = "One moment…";
