/** What MCP and A2A share: one path, and JSON-RPC messages that name a capability; validation, limits and errors are those of REST. */
import type { Shop } from "../../catalog/shop.ts";
import { ERRORS, type Subject } from "../../errors.ts";
import { field } from "../../lib/fields.ts";
import type { Capability } from "./capability.ts";
import type { ErrorBody } from "./envelope.ts";
import type { Envelope } from "./invoke.ts";
import type { Voice } from "./operations.ts";

/** The error shape; what the callers of a protocol do not use can be missing. */
type Refusal = Pick<ErrorBody, "error_code" | "message">;

export interface Protocol {
  path: string;
  /** A message that is answered as it is. */
  sample: Record<string, unknown>;
  /** The capability that a message asks for. Limits count the message like a request to the path of that capability. */
  capabilityOf: (message: object, catalog: Shop) => Capability | undefined;
  /** The words in which its callers know the requests. */
  voice: (catalog: Shop) => Voice;
  /** The answer to a message that is refused before it is carried out; by default a JSON-RPC error. */
  refuse?: (message: object | undefined, error: ErrorBody, catalog: Shop) => Refused;
}

interface Refused {
  body: object;
  /** The refusal is an answer like any other, so its HTTP status is 200. */
  isAnswer: boolean;
}

export interface Call {
  catalog: Shop;
  now: Temporal.Instant;
  /** Runs a capability. A failure is returned in the one error shape, but RATE_LIMITED, which answers the whole message, is thrown. */
  run: (capability: Capability, input: object) => Promise<Envelope | ErrorBody>;
  /** An error in the one error shape. */
  describe: (error: unknown, capability?: Capability) => ErrorBody;
}

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

export function rpcResult(message: object, result: object): object {
  return { jsonrpc: "2.0", id: rpcId(message), result };
}

export function rpcFailure(message: object | undefined, error: RpcError): object {
  return { jsonrpc: "2.0", id: message ? rpcId(message) : null, error };
}

/** The codes that JSON-RPC has itself, and the first that it leaves to servers. */
const CODES: { readonly [About in Subject]?: number } = { JSON: -32700, fault: -32603 };
const REFUSED = -32000;

/** An error of the API as a JSON-RPC error, for a message that is refused before it is read. */
export function rpcRefusal(message: object | undefined, error: Refusal): object {
  return rpcFailure(message, {
    code: CODES[ERRORS[error.error_code].about] ?? REFUSED,
    message: error.message,
    data: error,
  });
}

/** The id of the message; null when it has none of a valid type. */
function rpcId(message: object): string | number | null {
  const id = field(message, "id");
  return typeof id === "string" || typeof id === "number" ? id : null;
}
