/** The help over a screen: every key, in a sentence. */
import { Box, Text } from "ink";
import { useState } from "react";
import { fit, wrap } from "./fit.ts";
import { Footer } from "./footer.tsx";
import { type KeyBinding, useKeys } from "./keys.tsx";
import { type Size, TitleBar } from "./terminal.tsx";

interface HelpProps {
  title: string;
  about: string | undefined;
  bindings: readonly KeyBinding[];
  size: Size;
  close: () => void;
}

export function Help({ title, about, bindings, size: { columns, rows }, close }: HelpProps) {
  const [top, setTop] = useState(0);
  const lines = [
    ...(about ? [...wrap(about, columns), ""] : []),
    ...bindings.flatMap((one) => explained(one, columns)),
  ];
  const room = rows - 3;
  const last = Math.max(0, lines.length - room);
  const scroll = (by: number) => setTop((old) => Math.max(0, Math.min(last, old + by)));
  useKeys([
    { on: ["up"], label: "↑", does: "up", run: () => scroll(-1) },
    { on: ["down"], label: "↓", does: "down", run: () => scroll(1) },
    { on: ["?", "esc", "q", "enter"], label: "Esc", does: "close", run: close },
  ]);
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <TitleBar title={`${title}: help`} status="" width={columns} />
      <Box flexDirection="column" height={room} overflow="hidden">
        {lines.slice(top, top + room).map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of text have no other name
          <Text key={i}>{line === "" ? " " : line}</Text>
        ))}
      </Box>
      <Footer lines={[last > 0 ? "↑↓ scroll  Esc close the help" : "Esc close the help"]} width={columns} />
    </Box>
  );
}

const LABEL_WIDTH = 12;

function explained({ label, does, help }: KeyBinding, columns: number): string[] {
  return wrap(help ?? does ?? "", columns - LABEL_WIDTH).map(
    (line, i) => fit(i === 0 ? label : "", LABEL_WIDTH) + line,
  );
}
