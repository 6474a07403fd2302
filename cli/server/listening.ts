/** Where the server listens: options and refusals of a port, and the question whether it answers there. */
import { Option } from "commander";
import { z } from "zod";
import { codeOf, errorFacts, explainCode } from "../../src/lib/files.ts";
import { ownOrigin } from "../../src/lib/network.ts";
import { NoMetricsListener, runningServer } from "../../src/programs/listen.ts";
import type { DataLocation } from "../../src/store/location/location.ts";
import { numberBetween } from "../terminal/lists.ts";
import { CliError } from "../terminal/output.ts";

export function portOption(usual: string): Option {
  return new Option("--port <number>", `port to listen on (default: ${usual})`).argParser((typed: string) =>
    String(numberBetween(0, 65_535)(typed)),
  );
}

export function hostOption(): Option {
  return new Option("--host <address>", "address to listen on (default: $HOST or 127.0.0.1)");
}

const NO_ADDRESS = ["EACCES", "EADDRNOTAVAIL", "EINVAL", "ENOENT", "ENOTFOUND"];

/** Why nobody can listen on an address. The system says ENOENT for a name that stands for no machine. */
export function listenReason(code: string | undefined): string {
  return code === "ENOENT" || code === "ENOTFOUND" ? "no machine has this name" : explainCode(code);
}

/** Tries to listen. @returns the system's code of why nobody can, undefined when it is free */
export function listenFailure(host: string, port: number): string | undefined {
  try {
    Bun.listen({ hostname: host, port, socket: { data() {} } }).stop(true);
    return undefined;
  } catch (error) {
    return codeOf(error) ?? "";
  }
}

/** Turns the refusal of a port or address into a CliError. Other errors are returned unchanged. */
export function cannotListen(error: unknown, api: { port: number; host: string }): unknown {
  const isForMetrics = error instanceof NoMetricsListener;
  const { host, port } = isForMetrics ? error : api;
  // A database folder can be refused with the same codes.
  const { code, syscall } = errorFacts(isForMetrics ? error.cause : error);
  if (syscall !== "listen") return error;
  if (code === "EADDRINUSE") {
    const other = isForMetrics ? "name another port in TINT_METRICS" : "choose another port with --port";
    return new CliError(`Port ${port} of ${host} is in use by another program. Stop it, or ${other}.`);
  }
  if (code && NO_ADDRESS.includes(code))
    return new CliError(`Cannot listen on ${host}:${port} (${listenReason(code)}).`);
  return error;
}

const ANSWER_MS = 2_000;

const READINESS = z.object({
  status: z.string(),
  checks: z.object({ store: z.string(), catalog: z.string() }).optional(),
  /** What the owner should look at while the server serves. */
  warnings: z.array(z.string()).optional(),
  jobs: z.object({ off: z.array(z.string()) }).optional(),
});
export type Readiness = z.output<typeof READINESS>;

export interface ServerSeen {
  at: string;
  /** Undefined when no server answers there. */
  says: Readiness | undefined;
}

/** Finds the server where it said that it listens, else where this terminal would start one. @param here by this terminal's settings */
export async function findServer(location: DataLocation, here: { host: string; port: number }): Promise<ServerSeen> {
  const announced = location.kind === "folder" ? runningServer(location.folder) : null;
  if (announced) {
    const says = await askServer(announced.host, announced.port);
    // A server that cannot read its database does not say which messages it sends; it has written it down.
    if (says) return { at: addressOf(announced), says: { ...says, jobs: says.jobs ?? { off: announced.off } } };
  }
  return { at: addressOf(here), says: here.port === 0 ? undefined : await askServer(here.host, here.port) };
}

function addressOf({ host, port }: { host: string; port: number }): string {
  return `${host}:${port}`;
}

/** Asks a server for its readiness. @returns undefined when none answers there */
export async function askServer(host: string, port: number): Promise<Readiness | undefined> {
  try {
    const response = await fetch(`${ownOrigin(host, port)}/readyz`, {
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: "manual",
    });
    if (!response.headers.has("x-request-id")) return undefined;
    return READINESS.parse(await response.json());
  } catch {
    return undefined;
  }
}
