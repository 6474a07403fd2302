/** The frame of every screen: title and status, the body, a line for notices, and what the keys do. */
import { Box } from "ink";
import { type ReactNode, useRef, useState } from "react";
import { type KeyBinding, key, useKeys } from "../input/bindings.ts";
import { Footer, footerLines } from "../input/footer.tsx";
import { useKeyPress } from "../input/keyboard.tsx";
import { useNav } from "../shell/navigation.ts";
import { useShop } from "../shell/shop.ts";
import { wrapTo } from "../text/fit.ts";
import { Lines } from "../text/lines.tsx";
import { type Size, TitleBar, useTerminalSize } from "../text/terminal.tsx";
import { Help } from "./help.tsx";

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
  const { catalogFault, isCatalogMissing } = useShop();
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
  useCtrlC(() => {
    setHelpOpen(false);
    leave(quit);
  });
  if (isHelpOpen)
    return (
      <Help title={title} about={about} bindings={all} size={{ columns, rows }} close={() => setHelpOpen(false)} />
    );

  const lines = footerLines(all, columns);
  const isError = notice?.kind === "error";
  const said = wrapTo(notice ? `${isError ? "✗" : "✓"} ${notice.text}` : "", columns, NOTICE_ROWS);
  const body = { columns, rows: rows - 2 - (hasDialog ? DIALOG_ROWS : said.length + lines.length) };
  const alarm = isCatalogMissing ? "there is no catalog" : "catalog.yaml has a mistake";
  const both = [catalogFault ? alarm : "", status].filter((part) => part !== "").join(" · ");
  const isTooLong = Bun.stringWidth(title + both) + 2 > columns;
  const right = catalogFault && isTooLong ? alarm : both;
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <TitleBar title={title} status={right} width={columns} isAlarm={catalogFault !== null} />
      <Box flexDirection="column" height={body.rows} overflow="hidden">
        {children(body)}
      </Box>
      {hasDialog ? (
        <Box flexDirection="column" height={DIALOG_ROWS} justifyContent="flex-end" overflow="hidden">
          {dialog}
        </Box>
      ) : (
        <>
          <Lines lines={said.map((text) => ({ text, look: isError ? "error" : "good" }))} width={columns} />
          <Footer lines={lines} width={columns} />
        </>
      )}
    </Box>
  );
}

/** Ctrl+C leaves as q does, and may be asked about as that is; a second one leaves whatever was asked. */
function useCtrlC(leave: () => void): void {
  const { quit } = useNav();
  const wasPressed = useRef(false);
  useKeyPress(({ name }) => {
    const isAgain = wasPressed.current;
    wasPressed.current = name === "ctrl+c";
    if (wasPressed.current) (isAgain ? quit : leave)();
  });
}

const NOTICE_ROWS = 3;
/** A question and what follows from it, or what is typed and what was wrong with it: two lines each; and the keys. */
const DIALOG_ROWS = 5;
