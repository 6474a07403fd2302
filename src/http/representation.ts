/** Bodies that callers may keep: with an ETag, 304 for who has the body, and compressed once for each coding, at the first request. */
import { promisify } from "node:util";
import Negotiator from "negotiator";
import { shopDate } from "../domain/schedule.ts";
import type { RequestContext } from "./request-context.ts";

const CODINGS = ["br", "gzip", "identity"];

export interface Representation {
  /** Parts of it by themselves, by id. */
  sections?: ReadonlyMap<string, Representation>;
  /** @param coding one of `CODINGS` */
  inCoding: (coding: string) => Promise<Encoded>;
}

/** Bun sends a Blob without a copy for each answer. A class of our own, because Elysia answers a Blob like a file. */
class Bytes extends Blob {}

interface Encoded {
  body: Bytes;
  headers: Readonly<Record<string, string>>;
}

/** Smaller bodies fit into one packet as they are. */
const MIN_COMPRESSED = 1024;
/** The strongest quality takes ten times as long for a twentieth of the size. */
const BROTLI_QUALITY = 9;

export function represent(
  content: string | Uint8Array,
  contentType: string,
  headers: Readonly<Record<string, string>> = {},
): Representation {
  const bytes = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 27);
  // Bytes are a picture, which is compressed already.
  const isCompressed = typeof content === "string" && bytes.length >= MIN_COMPRESSED;
  const vary = [headers.Vary, isCompressed && "Accept-Encoding"].filter(Boolean).join(", ");
  const encodedAs = async (coding: string): Promise<Encoded> => ({
    body: new Bytes([coding === "identity" ? bytes : await compressed(bytes, coding)]),
    headers: {
      "Cache-Control": "no-cache",
      ...headers,
      "Content-Type": contentType,
      ETag: coding === "identity" ? `"${hash}"` : `"${hash}-${coding}"`,
      ...(vary && { Vary: vary }),
      ...(coding !== "identity" && { "Content-Encoding": coding }),
    },
  });
  const made = new Map([["identity", encodedAs("identity")]]);
  return {
    inCoding(coding) {
      const chosen = isCompressed ? coding : "identity";
      let encoded = made.get(chosen);
      if (!encoded) {
        // Nobody has to take a compressed body.
        encoded = encodedAs(chosen).catch(() => encodedAs("identity"));
        made.set(chosen, encoded);
      }
      return encoded;
    },
  };
}

/** In Bun's thread pool, where a large body holds up no request. */
async function compressed(bytes: Uint8Array, coding: string): Promise<Uint8Array<ArrayBuffer>> {
  // Loaded for the first compressed body, so that a start does not wait for it.
  const { brotliCompress, constants, gzip } = await import("node:zlib");
  const body =
    coding === "br"
      ? await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
      : await promisify(gzip)(bytes);
  return new Uint8Array(body);
}

/** What handlers unpack and hand on as `{ call, set }`: Elysia reads their source, and leaves out what they do not name. */
export interface Sending {
  call: RequestContext;
  set: { status?: number | string; headers: Record<string, string | number> };
}

/** Answers with a representation: 304 to a caller who has it. HEAD states the length of the body that GET would have. */
export async function sendRepresentation(
  { call: { request }, set }: Sending,
  { inCoding }: Representation,
): Promise<object | string> {
  const { body, headers } = await inCoding(preferredCoding(request.headers.get("accept-encoding")));
  Object.assign(set.headers, headers);
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  // Weak comparison (RFC 9110, 13.1.2).
  if (known.some((tag) => ["*", headers.ETag].includes(tag.trim().replace(/^W\//, "")))) {
    set.status = 304;
    return "";
  }
  if (request.method !== "HEAD") return body;
  set.headers["Content-Length"] = String(body.size);
  return "";
}

/** The media type that a caller prefers (RFC 9110, 12.5.1); undefined when they take none of them. */
export function preferredType({ headers }: Request, types: string[]): string | undefined {
  return new Negotiator({ headers: { accept: headers.get("accept") || "*/*" } }).mediaType(types);
}

/** Of the answers of MCP, as its library names them. */
export const PLAIN_JSON_TYPE = "application/json";
export const STREAM_TYPE = "text/event-stream";

/** JSON wherever the caller takes it; undefined where they take neither form. Clients name JSON, streams, both, or nothing. Contract 16. */
export function answerType(request: Request): typeof PLAIN_JSON_TYPE | typeof STREAM_TYPE | undefined {
  return ([PLAIN_JSON_TYPE, STREAM_TYPE] as const).find((type) => preferredType(request, [type]) !== undefined);
}

/** A stream of one message. @param json without line ends */
export function asStream(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}

/** The content coding that a caller prefers (RFC 9110, 12.5.3). @param accepted the Accept-Encoding header */
function preferredCoding(accepted: string | null): string {
  if (accepted === null) return "identity";
  const headers = { "accept-encoding": accepted.replaceAll("x-gzip", "gzip") };
  return new Negotiator({ headers }).encoding(CODINGS, { preferred: CODINGS }) ?? "identity";
}

/** Keeps the last value, for requests with the same key. A failure is not kept: the next request tries again. */
export function cached<From, Value>(
  make: (from: From) => Promise<Value>,
  keyOf: (from: From) => readonly unknown[],
): (from: From) => Promise<Value> {
  let last: { key: readonly unknown[]; made: Promise<Value> } | undefined;
  return (from) => {
    const key = keyOf(from);
    if (last && key.every((part, i) => part === last?.key[i])) return last.made;
    const next = { key, made: make(from) };
    last = next;
    next.made.catch(() => {
      if (last === next) last = undefined;
    });
    return next.made;
  };
}

/** The key of documents that show dates, and change with the catalog and the shop's day. */
export function byDay({ catalog, now }: RequestContext): readonly unknown[] {
  return [catalog, shopDate(catalog, now)];
}
