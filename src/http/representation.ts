/**
 * Bodies that callers may keep: they carry an ETag, and a caller who has the same body gets 304. They are compressed for
 * callers who accept it, once for each coding, at the first request for it.
 */
import { promisify } from "node:util";
import { type Coding, preferredCoding } from "./content-coding.ts";
import type { Exchange } from "./exchange.ts";
import { headersFor, preparedHeaders } from "./headers.ts";

export interface Representation {
  text: string;
  inCoding: (coding: Coding) => Form | Promise<Form>;
}

/** A body in one content coding. A Blob, because a response shares its bytes and would copy those of an array. */
interface Form {
  body: Blob;
  headers: Headers;
  etag: string;
}

/** Smaller bodies fit into one packet as they are. */
const MIN_COMPRESSED = 1024;

/** In Bun's thread pool, where a large body holds up no request. */
const COMPRESS = {
  // The strongest quality takes ten times as long for a twentieth of the size.
  br: (bytes: Uint8Array) => {
    const { brotliCompress, constants } = zlib();
    return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  },
  gzip: (bytes: Uint8Array) => promisify(zlib().gzip)(bytes),
} satisfies Partial<Record<Coding, unknown>>;
const BROTLI_QUALITY = 9;
/** Loaded for the first compressed body, so that a start does not wait for it. */
const zlib = (): typeof import("node:zlib") => require("node:zlib");

export function represent(
  text: string,
  contentType: string,
  headers: Readonly<Record<string, string>> = {},
): Representation {
  const bytes = Buffer.from(text);
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 27);
  const isCompressed = bytes.length >= MIN_COMPRESSED;
  const toForm = (body: Uint8Array<ArrayBuffer>, coding: Coding): Form => {
    const etag = coding === "identity" ? `"${hash}"` : `"${hash}-${coding}"`;
    const vary = [headers.Vary, isCompressed && "Accept-Encoding"].filter(Boolean).join(", ");
    const own = {
      "Cache-Control": "no-cache",
      ...headers,
      "Content-Type": contentType,
      ETag: etag,
      ...(vary && { Vary: vary }),
      ...(coding !== "identity" && { "Content-Encoding": coding }),
    };
    return { body: new Blob([body]), etag, headers: preparedHeaders(own) };
  };
  const identity = toForm(bytes, "identity");
  const compressed = new Map<Coding, Form | Promise<Form>>();
  return {
    text,
    inCoding(coding) {
      if (coding === "identity" || !isCompressed) return identity;
      const known = compressed.get(coding);
      if (known) return known;
      const making = COMPRESS[coding](bytes).then(
        (body) => {
          const form = toForm(new Uint8Array(body), coding);
          compressed.set(coding, form);
          return form;
        },
        // Nobody has to take a compressed body.
        () => identity,
      );
      compressed.set(coding, making);
      return making;
    },
  };
}

export function toResponse(exchange: Exchange, { inCoding }: Representation): Response | Promise<Response> {
  const form = inCoding(preferredCoding(exchange.request.headers.get("accept-encoding")));
  return form instanceof Promise ? formResponseLater(exchange, form) : formResponse(exchange, form);
}

async function formResponseLater(exchange: Exchange, making: Promise<Form>): Promise<Response> {
  return formResponse(exchange, await making);
}

function formResponse(exchange: Exchange, { body, headers: prepared, etag }: Form): Response {
  const known = exchange.request.headers.get("if-none-match");
  const headers = headersFor(exchange, prepared);
  return known !== null && matches(known, etag)
    ? new Response(null, { status: 304, headers })
    : new Response(body, { headers });
}

/** Weak comparison (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(",").some((one) => {
    const tag = one.trim().replace(/^W\//, "");
    return tag === etag || tag === "*";
  });
}
