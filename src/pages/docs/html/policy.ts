import { createHash } from "node:crypto";

/**
 * Headers of a page that may load only the given sources.
 * @param sources by directive of the Content-Security-Policy, like `{"img-src": "'self'"}`
 */
export function pagePolicy(sources: Record<string, string>): Record<string, string> {
  const directives = {
    "default-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    ...sources,
  };
  return {
    "Content-Security-Policy": Object.entries(directives)
      .map(([name, value]) => `${name} ${value}`)
      .join("; "),
    "Referrer-Policy": "no-referrer",
  };
}

/** Allows one inline script or style element by its text. */
export function inlineSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
