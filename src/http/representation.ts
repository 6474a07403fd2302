/** Bodies that callers may keep: they carry an ETag, and a caller who has the same body gets 304. */
import { createHash } from "node:crypto";

export interface Representation {
  body: string;
  headers: Record<string, string>;
  etag: string;
}

export function represent(
  body: string,
  contentType: string,
  headers: Readonly<Record<string, string>> = {},
): Representation {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  return {
    body,
    etag,
    headers: { ...headers, "Content-Type": contentType, ETag: etag, "Cache-Control": "no-cache" },
  };
}

export const JSON_TYPE = "application/json;charset=utf-8";

export function toResponse({ headers: asked }: Request, { body, headers, etag }: Representation): Response {
  const known = asked.get("if-none-match");
  if (known !== null && matches(known, etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers });
}

/** Weak comparison (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(",").some((one) => {
    const tag = one.trim().replace(/^W\//, "");
    return tag === etag || tag === "*";
  });
}
