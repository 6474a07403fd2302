/** Drives the program in a real terminal: each has its own tmux server, with a shell that reads no start-up files. */
import { randomUUID } from "node:crypto";
import { childEnv, MAIN, type ShopFolder } from "../process/server.ts";

const WITHIN_MS = 15_000;
const PROMPT = "READY>";
const TMUX = Bun.which("tmux");

export interface RealTerminal extends AsyncDisposable {
  /** The terminal as it is now. */
  screen: () => Promise<string>;
  /** The same with its colours, as escape sequences. */
  coloured: () => Promise<string>;
  /** Waits until the text is on the terminal. @returns the terminal */
  see: (what: string | RegExp) => Promise<string>;
  /** Keys by their names in tmux (`Enter`, `Escape`, `Down`), or characters. */
  press: (...keys: string[]) => Promise<void>;
  /** Types a command and Enter. */
  run: (command: string) => Promise<void>;
  /** Whether a full-screen program has put its own screen over the shell's. */
  isAlternate: () => Promise<boolean>;
  isCursorShown: () => Promise<boolean>;
  /** Waits for the shell to ask for the next command. @returns the last lines */
  prompt: () => Promise<string>;
}

export interface Size {
  columns: number;
  rows: number;
}

/** A shell in a terminal; `tint` is the command under test, in the shop's folder. */
export async function openTerminal(folder: ShopFolder, { columns, rows }: Size): Promise<RealTerminal> {
  if (!TMUX) throw new Error("tmux is not installed. These tests drive a real terminal: apt-get install tmux.");
  const socket = `tint-${randomUUID()}`;
  const env = childEnv({
    TINT_CATALOG: folder.catalog,
    TINT_DATA: folder.data,
    TERM: "xterm-256color",
    LC_ALL: "C.UTF-8",
  });
  const tmux = async (...args: string[]) => {
    const child = Bun.spawn([TMUX, "-L", socket, "-f", "/dev/null", ...args], {
      env,
      cwd: folder.path,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (status !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const size = ["-x", String(columns), "-y", String(rows)];
  await tmux("new-session", "-d", ...size, `env 'PS1=${PROMPT} ' bash --norc --noprofile -i`);
  const screen = () => tmux("capture-pane", "-p");
  const see = async (what: string | RegExp) => {
    const deadline = performance.now() + WITHIN_MS;
    for (;;) {
      const text = await screen();
      if (typeof what === "string" ? text.includes(what) : what.test(text)) return text;
      if (performance.now() > deadline) throw new Error(`${what} within ${WITHIN_MS} ms; there is:\n${text}`);
      await Bun.sleep(20);
    }
  };
  const press = async (...keys: string[]) => void (await tmux("send-keys", ...keys));
  const flag = async (name: string) => (await tmux("display-message", "-p", `#{${name}}`)).trim() === "1";
  const prompt = () => see(new RegExp(`${PROMPT}\\s*$`));
  await prompt();
  await press(`tint() { '${process.execPath}' '${MAIN}' "$@"; }; clear`, "Enter");
  await prompt();
  return {
    screen,
    coloured: () => tmux("capture-pane", "-p", "-e"),
    see,
    press,
    run: (command) => press(command, "Enter"),
    isAlternate: () => flag("alternate_on"),
    isCursorShown: () => flag("cursor_flag"),
    prompt,
    [Symbol.asyncDispose]: async () => void (await tmux("kill-server")),
  };
}

/** The least terminal that the screens are made for, and a wide one. */
export const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
] as const;
