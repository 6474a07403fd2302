/** The frame of every screen: title and status, the body, a line for notices, and what the keys do. */
import { Box, Text } from "ink";
import { type ReactNode, useState } from "react";
import { fit } from "./fit.ts";
import { Footer, footerLines } from "./footer.tsx";
import { Help } from "./help.tsx";
import { type KeyBinding, key, useKeys } from "./keys.tsx";
import { useNav } from "./nav.tsx";
import { useShop } from "./shop.tsx";
import { type Size, TitleBar, useTerminalSize } from "./terminal.tsx";

interface FrameProps {
  title: string;
  /** At the right of the title, such as a date or a count. */
  status?: string;
  /** The screen's own keys; help, back and quit are added. */
  keys: readonly KeyBinding[];
  /** What the screen is for, above the keys in the help. */
  about?: string;
  /** A question that takes the keys, and the place of notices and footer: a Confirm or a Prompt. */
  dialog?: ReactNode;
  /** Asked before the screen is left; call `go` to leave. For unsaved changes. */
  beforeLeaving?: (go: () => void) => void;
  /** Draws the body in a given number of columns and rows; what is larger is cut off. */
  children: (size: Size) => ReactNode;
}

export function Frame({ title, status = "", keys, about, dialog, beforeLeaving, children }: FrameProps) {
  const { columns, rows } = useTerminalSize();
  const { notice, say, isFirst, back, quit } = useNav();
  const { catalogFault } = useShop();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const leave = beforeLeaving ?? ((go) => go());
  const closing = [
    { ...key("?", "help", () => setHelpOpen(true)), help: "Show what every key does." },
    ...(isFirst ? [] : [key("esc", "back", () => leave(back), "Go back to the screen before.")]),
    key("q", "quit", () => leave(quit), "Leave the program."),
  ];
  const all = [...keys, ...closing];
  const hasDialog = dialog !== undefined && dialog !== null && dialog !== false;
  useKeys(
    all.map((binding) => ({
      ...binding,
      run: (press) => {
        say(null);
        binding.run(press);
      },
    })),
    !hasDialog && !isHelpOpen,
  );
  if (isHelpOpen)
    return (
      <Help title={title} about={about} bindings={all} size={{ columns, rows }} close={() => setHelpOpen(false)} />
    );

  const lines = footerLines(all, columns);
  const bottom = hasDialog ? DIALOG_ROWS : lines.length + 1;
  const body = { columns, rows: rows - 2 - bottom };
  const right = catalogFault ? `catalog.yaml has a mistake · ${status}` : status;
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <TitleBar title={title} status={right} width={columns} isAlarm={catalogFault !== null} />
      <Box flexDirection="column" height={body.rows} overflow="hidden">
        {children(body)}
      </Box>
      {hasDialog ? (
        dialog
      ) : (
        <>
          <Text color={notice?.kind === "error" ? "red" : "green"}>
            {fit(notice ? `${notice.kind === "error" ? "✗" : "✓"} ${notice.text}` : "", columns)}
          </Text>
          <Footer lines={lines} width={columns} />
        </>
      )}
    </Box>
  );
}

/** A question, what is typed or what was wrong with it, and what the keys do. */
const DIALOG_ROWS = 3;
