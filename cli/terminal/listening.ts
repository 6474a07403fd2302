/** What the commands that listen have in common. */
import { InvalidArgumentError, Option } from "commander";
import { reasonOf } from "../../src/lib/reasons.ts";
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

const NO_ADDRESS = ["EACCES", "EADDRNOTAVAIL", "EINVAL", "ENOTFOUND"];

/** Why a program cannot listen, as a Failure; anything else as it is. */
export function cannotListen(error: unknown, { port, host }: { port: number; host: string }): unknown {
  const { code, syscall } = Object(error) as { code?: unknown; syscall?: unknown };
  // A folder of the database can be refused with the same codes.
  if (syscall !== "listen") return error;
  if (code === "EADDRINUSE") {
    return new Failure(
      `Port ${port} of ${host} is in use by another program. Stop it, or choose another port with --port.`,
    );
  }
  if (typeof code === "string" && NO_ADDRESS.includes(code))
    return new Failure(`Cannot listen on ${host}:${port} (${reasonOf(code)}).`);
  return error;
}
