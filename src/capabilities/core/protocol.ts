/**
 * What MCP and A2A have in common: one path, JSON-RPC messages, and a capability that is named inside them. Both use a
 * capability as REST does, with the same validation, limits and errors.
 */

import type { Catalog } from "../../catalog/schema.ts";
import type { Capability } from "./capability.ts";
import type { ErrorBody } from "./envelope.ts";
import type { Envelope } from "./invoke.ts";

export interface Protocol {
  path: string;
  /** What a message asks for; it is charged and admitted like a request to the capability's own path. */
  capabilityOf: (message: object) => Capability | undefined;
}

/** The circumstances in which one message is answered. */
export interface Call {
  catalog: Catalog;
  now: Temporal.Instant;
  /**
   * Uses a capability. A failure is an answer too, in the one error shape.
   * @throws ApiError RATE_LIMITED, which is not the protocol's to answer
   */
  run: (capability: Capability, input: object) => Promise<Envelope | ErrorBody>;
  /** An error in that shape. */
  describe: (error: unknown, capability?: Capability) => ErrorBody;
}

/** A JSON-RPC error. */
export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

export function rpcResult(message: object, result: object): object {
  return { jsonrpc: "2.0", id: idOf(message), result };
}

export function rpcFailure(message: object | undefined, error: RpcError): object {
  return { jsonrpc: "2.0", id: message ? idOf(message) : null, error };
}

const CODES: Partial<Record<ErrorBody["error_code"], number>> = { INVALID_JSON: -32700, INTERNAL_ERROR: -32603 };
/** The first of the codes that JSON-RPC leaves to servers. */
const REFUSED = -32000;

/** An error of the API as a JSON-RPC error, for what is refused before the message is looked into. */
export function rpcRefusal(message: object | undefined, error: ErrorBody): object {
  return rpcFailure(message, { code: CODES[error.error_code] ?? REFUSED, message: error.message, data: error });
}

/** A field of a value of unknown shape. */
export function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The id to answer to; a message without one of its own kind is answered to `null`. */
function idOf(message: object): string | number | null {
  const id = field(message, "id");
  return typeof id === "string" || typeof id === "number" ? id : null;
}
