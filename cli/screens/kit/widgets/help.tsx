/** The help over a screen: every key, in a sentence. */
import { Box } from "ink";
import { type KeyBinding, useKeys } from "../input/bindings.ts";
import { Footer, footerLines } from "../input/footer.tsx";
import { fit, wrap } from "../text/fit.ts";
import { type Line, Lines } from "../text/lines.tsx";
import { type Size, TitleBar } from "../text/terminal.tsx";
import { useScroll } from "./list.tsx";

interface HelpProps {
  title: string;
  about: string | undefined;
  bindings: readonly KeyBinding[];
  size: Size;
  close: () => void;
}

export function Help({ title, about, bindings, size: { columns, rows }, close }: HelpProps) {
  const lines = [
    ...(about ? [...wrap(about, columns), ""] : []).map((text) => ({ text })),
    ...bindings.flatMap((one) => explained(one, columns)),
  ];
  const room = rows - 3;
  const scroll = useScroll(lines.length - room);
  const keys = [...scroll.keys, { on: ["?", "esc", "q", "enter"], label: "Esc", does: "close the help", run: close }];
  useKeys(keys);
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <TitleBar title={`${title}: help`} status="" width={columns} />
      <Box flexDirection="column" height={room} overflow="hidden">
        <Lines lines={lines.slice(scroll.top, scroll.top + room)} width={columns} />
      </Box>
      <Footer lines={footerLines(keys, columns)} width={columns} />
    </Box>
  );
}

const LABEL_WIDTH = 12;

function explained({ label, does, help }: KeyBinding, columns: number): Line[] {
  return wrap(help ?? does ?? "", columns - LABEL_WIDTH).map((text, i) => ({
    name: fit(i === 0 ? label : "", LABEL_WIDTH),
    text,
  }));
}
