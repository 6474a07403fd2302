/** The size of the terminal, and the title at its top. */
import { Box, Text, useWindowSize } from "ink";
import { fit } from "./fit.ts";

export interface Size {
  columns: number;
  rows: number;
}

/** On a smaller terminal the screen is drawn this large, and the terminal cuts it off. */
const SMALLEST: Size = { columns: 40, rows: 10 };

export function useTerminalSize(): Size {
  const { columns, rows } = useWindowSize();
  return { columns: Math.max(columns, SMALLEST.columns), rows: Math.max(rows, SMALLEST.rows) };
}

export function TitleBar({
  title,
  status,
  width,
  isAlarm = false,
}: {
  title: string;
  status: string;
  width: number;
  isAlarm?: boolean;
}) {
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
