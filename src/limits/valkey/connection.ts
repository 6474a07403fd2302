/**
 * One connection to Valkey or Redis. It is given up as soon as an answer is late or an error, so that of many requests only
 * those under way wait, and is made anew in the background.
 */
import { RedisClient } from "bun";
import { withTimeout } from "../../lib/durations.ts";
import { errorFacts } from "../../lib/os-errors.ts";

export interface ValkeyConnection {
  /** Whether there is a connection. Without one, `send` and `run` fail. */
  isUp: () => boolean;
  /** @throws when the connection is lost, when the answer is late, or when the server refuses the command */
  send: (command: string, args: string[]) => Promise<unknown>;
  /** Runs a script. @throws as `send` */
  run: Run;
  close: () => void;
}
export type Run = (script: Script, keys: readonly string[], args: readonly string[]) => Promise<unknown>;

export interface Script {
  text: string;
  /** SHA-1 of the text: the name under which the server keeps it until it is restarted. */
  sha: string;
}

export interface Timing {
  waitMs?: number;
  /** How often the server is asked whether it can work, and a lost connection made anew. */
  everyMs?: number;
}

interface ConnectionOptions extends Timing {
  url: string;
  /** @throws when the server cannot do what it is needed for */
  probe: (run: Run) => Promise<unknown>;
  /** The first attempt failed, or the connection is lost. */
  lost: (reason: string) => void;
  /** There is a connection, for the first time or again. */
  found: () => void;
}

/** Contract 19. */
const WAIT_MS = 100;
const EVERY_MS = 1_000;
/** Names, TLS and a log-in take several round trips; no request waits for them. */
const CONNECT_MS = 2_000;

/** Resolves after the first attempt, whether it succeeds or not. */
export async function keepConnected({
  url,
  waitMs = WAIT_MS,
  everyMs = EVERY_MS,
  probe,
  lost,
  found,
}: ConnectionOptions): Promise<ValkeyConnection> {
  let client: RedisClient | undefined;
  let isClosed = false;
  let isBusy = false;

  const drop = (used: RedisClient, reason: string) => {
    if (client !== used) return;
    client = undefined;
    // Refuses what waits for an answer.
    used.close();
    lost(reason);
  };

  /** Commands on a connection, which is given up when one fails. */
  const over = (used: RedisClient, mostMs = waitMs) => {
    const guarded = async (answer: Promise<unknown>) => {
      try {
        return await withTimeout(answer, mostMs);
      } catch (error) {
        drop(used, connectionMessage(error));
        throw error;
      }
    };
    const send: ValkeyConnection["send"] = (command, args) => guarded(used.send(command, args));
    const run: Run = (script, keys, args) => guarded(evaluate(used, script, [String(keys.length), ...keys, ...args]));
    return { send, run };
  };

  const connect = async (): Promise<string | undefined> => {
    const fresh = new RedisClient(url, { autoReconnect: false, enableOfflineQueue: false });
    try {
      await withTimeout(fresh.connect(), CONNECT_MS);
      // A server that is only just fast enough would be lost again at once.
      await probe(over(fresh, waitMs / 2).run);
      if (isClosed) throw new Error("closed meanwhile");
      client = fresh;
      found();
      return undefined;
    } catch (error) {
      fresh.close();
      return connectionMessage(error);
    }
  };

  const beat = async () => {
    if (isBusy) return;
    isBusy = true;
    if (client) await probe(over(client).run).catch(() => {});
    else await connect();
    isBusy = false;
  };

  const failure = await connect();
  if (failure !== undefined) lost(failure);
  const timer = setInterval(beat, everyMs).unref();
  const used = () => {
    if (!client) throw new Error("there is no connection");
    return over(client);
  };
  return {
    isUp: () => client !== undefined,
    send: async (...command) => used().send(...command),
    run: async (...call) => used().run(...call),
    close() {
      isClosed = true;
      clearInterval(timer);
      const last = client;
      client = undefined;
      last?.close();
    },
  };
}

/** Runs a script by its name, or by its text when the server was restarted and forgot the name. */
async function evaluate(client: RedisClient, { text, sha }: Script, args: string[]): Promise<unknown> {
  try {
    return await client.send("EVALSHA", [sha, ...args]);
  } catch (error) {
    if (!errorFacts(error).message?.startsWith("NOSCRIPT")) throw error;
    return client.send("EVAL", [text, ...args]);
  }
}

function connectionMessage(error: unknown): string {
  return errorFacts(error).message ?? "the reason is not known";
}
