/** Drives the program in a real terminal: each has its own tmux server, with a shell that reads no start-up files. */
import { randomUUID } from "node:crypto";
import { neededPath } from "../needs.ts";
import { childEnv, PROGRAM_IN_SHELL, type ShopFolder } from "../process/server.ts";

const WITHIN_MS = 15_000;
/** Looks again after this time, even without news. */
const LOOK_MS = 200;
const PROMPT = "READY>";

/** Typed once this is awaited; what comes then can be waited for at once. */
type Typed = Promise<void> & Pick<RealTerminal, "see">;

export interface RealTerminal extends AsyncDisposable {
  /** The terminal as it is now. */
  screen: () => Promise<string>;
  /** The same with its colours, as escape sequences. */
  coloured: () => Promise<string>;
  /** Waits until the text is on the terminal. @returns the terminal */
  see: (what: string | RegExp) => Promise<string>;
  /** Keys by their names in tmux (`Enter`, `Escape`, `Down`), or characters. */
  press: (...keys: string[]) => Typed;
  /** Types a command and Enter. */
  run: (command: string) => Typed;
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
  const tmux = neededPath("tmux");
  const socket = `tint-${randomUUID()}`;
  const env = childEnv({
    TINT_CATALOG: folder.catalog,
    TINT_DATA: folder.data,
    TERM: "xterm-256color",
    LC_ALL: "C.UTF-8",
  });
  const spawned = { env, cwd: folder.path, stderr: "inherit" } as const;
  const size = ["-x", String(columns), "-y", String(rows)];
  const shell = `env 'PS1=${PROMPT} ' bash --norc --noprofile -i`;
  const start = Bun.spawn([tmux, "-L", socket, "-f", "/dev/null", "new-session", "-d", ...size, shell], spawned);
  if ((await start.exited) !== 0) throw new Error("tmux does not start");
  // One client that stays takes a command in a line, and says when something is written. A program for each question would
  // take more time than the screens.
  const client = Bun.spawn([tmux, "-L", socket, "-C", "attach-session", "-f", "ignore-size"], {
    ...spawned,
    stdin: "pipe",
    stdout: "pipe",
  });
  const { answer, change } = followClient(client.stdout);
  await answer();
  const ask = async (...words: string[]) => {
    client.stdin.write(`${words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")}\n`);
    client.stdin.flush();
    return await answer();
  };
  const screen = () => ask("capture-pane", "-p");
  const see = async (what: string | RegExp) => {
    const deadline = performance.now() + WITHIN_MS;
    for (;;) {
      const changed = change();
      const text = await screen();
      if (typeof what === "string" ? text.includes(what) : what.test(text)) return text;
      if (performance.now() > deadline) throw new Error(`${what} within ${WITHIN_MS} ms; there is:\n${text}`);
      await Promise.race([changed, Bun.sleep(LOOK_MS)]);
    }
  };
  const press = (...keys: string[]): Typed => {
    const typed = ask("send-keys", ...keys).then(() => {});
    return Object.assign(typed, { see: (what: string | RegExp) => typed.then(() => see(what)) });
  };
  const flag = async (name: string) => (await ask("display-message", "-p", `#{${name}}`)).trim() === "1";
  const prompt = () => see(new RegExp(`${PROMPT}\\s*$`));
  await prompt();
  await press(`tint() { ${PROGRAM_IN_SHELL} "$@"; }; clear`, "Enter");
  await prompt();
  return {
    screen,
    coloured: () => ask("capture-pane", "-p", "-e"),
    see,
    press,
    run: (command) => press(command, "Enter"),
    isAlternate: () => flag("alternate_on"),
    isCursorShown: () => flag("cursor_flag"),
    prompt,
    [Symbol.asyncDispose]: async () => {
      client.stdin.write("kill-server\n");
      client.stdin.flush();
      await client.exited;
    },
  };
}

/** Reads what tmux says in its control mode: answers to commands, in their order, and news. */
function followClient(stdout: ReadableStream<Uint8Array>) {
  const waiting: { resolve: (text: string) => void; reject: (error: Error) => void }[] = [];
  const watchers: (() => void)[] = [];
  let block: string[] | undefined;
  const take = (line: string) => {
    if (block && /^%(end|error) /.test(line)) {
      const text = block.map((one) => `${one}\n`).join("");
      const asked = waiting.shift();
      block = undefined;
      if (line.startsWith("%end")) asked?.resolve(text);
      else asked?.reject(new Error(`tmux: ${text}`));
    } else if (block) block.push(line);
    else if (line.startsWith("%begin ")) block = [];
    else for (const wake of watchers.splice(0)) wake();
  };
  (async () => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of stdout) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) take(line);
    }
    for (const { reject } of waiting.splice(0)) reject(new Error("tmux has ended"));
  })();
  return {
    /** The answer to the command sent last. */
    answer: () => new Promise<string>((resolve, reject) => waiting.push({ resolve, reject })),
    /** Waits for the next news: something was written on the terminal. */
    change: () => new Promise<void>((resolve) => watchers.push(resolve)),
  };
}
