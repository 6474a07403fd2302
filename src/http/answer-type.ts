/** In which form an answer of MCP is sent. Clients name JSON, event streams, both, a wildcard, or nothing. Contract 16. */
import { preferredType } from "./representation.ts";

export const JSON_TYPE = "application/json";
export const STREAM_TYPE = "text/event-stream";
/** The library serves nobody who does not name both. */
export const BOTH_TYPES = `${JSON_TYPE}, ${STREAM_TYPE}`;

/** JSON wherever the caller takes it; undefined where they take neither form. */
export function answerType(request: Request): typeof JSON_TYPE | typeof STREAM_TYPE | undefined {
  return ([JSON_TYPE, STREAM_TYPE] as const).find((type) => preferredType(request, [type]) !== undefined);
}

export function takesStream(request: Request): boolean {
  return preferredType(request, [STREAM_TYPE]) !== undefined;
}

/** A stream of one message. @param json without line ends */
export function asStream(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}

/** The last message of a stream: the answer. */
export function lastMessage(stream: string): string {
  const start = "data: ";
  return (
    stream
      .split("\n")
      .findLast((line) => line.startsWith(start))
      ?.slice(start.length) ?? ""
  );
}
