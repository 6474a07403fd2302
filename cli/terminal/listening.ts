/** Options and refusals of the commands that listen on a port. */
import { InvalidArgumentError, Option } from "commander";
import { errorFacts, reasonOf } from "../../src/lib/reasons.ts";
import { Failure } from "../failure.ts";

export function portOption(usual: string): Option {
  return new Option("--port <number>", `port to listen on (default: ${usual})`).argParser((typed: string) => {
    if (/^\d{1,5}$/.test(typed) && Number(typed) <= 65_535) return typed;
    throw new InvalidArgumentError("It is a number from 0 to 65535.");
  });
}

export function hostOption(): Option {
  return new Option("--host <address>", "address to listen on (default: $HOST or 127.0.0.1)");
}

const NO_ADDRESS = ["EACCES", "EADDRNOTAVAIL", "EINVAL", "ENOENT", "ENOTFOUND"];

/** Turns the refusal of a port or address into a Failure. Other errors are returned unchanged. */
export function cannotListen(error: unknown, { port, host }: { port: number; host: string }): unknown {
  // A database folder can be refused with the same codes.
  const { code, syscall } = errorFacts(error);
  if (syscall !== "listen") return error;
  if (code === "EADDRINUSE") {
    return new Failure(
      `Port ${port} of ${host} is in use by another program. Stop it, or choose another port with --port.`,
    );
  }
  if (code && NO_ADDRESS.includes(code)) return new Failure(`Cannot listen on ${host}:${port} (${reasonOf(code)}).`);
  return error;
}
