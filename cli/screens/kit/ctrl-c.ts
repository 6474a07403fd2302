/** Ctrl+C on every screen. */
import { useRef } from "react";
import { useKeyPress } from "./keyboard.tsx";
import { useNav } from "./navigation.ts";

/** Ctrl+Z is answered. Ctrl+C asks before it leaves, as q does; pressed twice in a row it leaves without asking. */
export function useCtrlC(leave: () => void): void {
  const { interrupt, say } = useNav();
  const wasPressed = useRef(false);
  useKeyPress(({ name }) => {
    if (name === "ctrl+z") say({ kind: "error", text: "Ctrl+Z has no effect here: q leaves, and tint comes back." });
    const isAgain = wasPressed.current;
    wasPressed.current = name === "ctrl+c";
    if (wasPressed.current) (isAgain ? interrupt : leave)();
  });
}
