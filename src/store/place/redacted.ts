/** The name of a place for messages and logs: a URL without any password, a folder as it is. */

const MASK = "***";
/** Parameters that carry a secret: `password`, `sslpassword`, `access_token`, … */
const SECRET = /pass|pwd|secret|token|key/i;

/**
 * @param place a folder, or the URL of a database or of Valkey
 * @returns only the scheme of a URL that cannot be read with certainty, because its password could be anywhere
 */
export function redacted(place: string): string {
  // One letter before the colon is a drive of Windows.
  const [scheme] = /^\s*[a-z][a-z\d+.-]+:/i.exec(place) ?? [];
  if (!scheme) return place;
  const url = parseUrl(place);
  if (!url) return `${scheme.trim()}//…`;
  if (url.password) url.password = MASK;
  for (const name of [...url.searchParams.keys()]) if (SECRET.test(name)) url.searchParams.set(name, MASK);
  url.hash = "";
  return url.href;
}

/** @returns null for a URL that cannot be read with certainty */
export function parseUrl(text: string): URL | null {
  const url = URL.parse(text);
  // A password with an unescaped `/`, `?` or `#` ends up behind the host, and so does its @.
  return url && !`${url.pathname}${url.search}${url.hash}`.includes("@") ? url : null;
}
