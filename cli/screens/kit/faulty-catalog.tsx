/** What is seen when catalog.yaml was never good: its faults, until they are mended. */
import { Box, Text } from "ink";
import type { CatalogError } from "../../../src/catalog/load.ts";
import { cut, fit } from "./fit.ts";
import { Footer } from "./footer.tsx";
import { key, useKeys } from "./keys.tsx";
import { TitleBar, useTerminalSize } from "./terminal.tsx";

export function FaultyCatalog({ fault, quit }: { fault: CatalogError | null; quit: () => void }) {
  const { columns, rows } = useTerminalSize();
  useKeys([key("q", "quit", quit), key("esc", "quit", quit)]);
  const room = rows - 5;
  const lines = (fault?.message ?? "").split("\n");
  const shown = lines.length > room ? [...lines.slice(0, room - 1), `… ${lines.length - room + 1} lines more`] : lines;
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <TitleBar title="The catalog has a mistake" status="" width={columns} isAlarm />
      <Text>{fit("Mend it in your editor; this goes on by itself as soon as the file is good.", columns)}</Text>
      <Text> </Text>
      <Box flexDirection="column" height={room} overflow="hidden">
        {shown.map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of text have no other name
          <Text key={i} wrap="truncate">
            {/* The caret stands under its place, so the spaces before it stay. */}
            {line.replace(/\S.*$/, (words) => cut(words, columns)) || " "}
          </Text>
        ))}
      </Box>
      <Footer lines={["q quit"]} width={columns} />
    </Box>
  );
}
