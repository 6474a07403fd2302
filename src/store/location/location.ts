/** Where the data of a shop is (`TINT_DATA` or `--data`, contract 19). */

/** A folder of this machine, with the database in one file. `:memory:` is a database that is never saved. */
export interface FolderLocation {
  kind: "folder";
  folder: string;
}

/** A PostgreSQL database, which several machines can share. */
export interface UrlLocation {
  kind: "url";
  /** With the password: show `shownLocation(location)` instead. */
  url: string;
}

export type DataLocation = FolderLocation | UrlLocation;

/** @param text a folder or a URL without a `locationIssue` */
export function locationOf(text: string): DataLocation {
  return /^postgres(ql)?:/i.test(text) ? { kind: "url", url: text } : { kind: "folder", folder: text };
}

/** @returns why a text names no location, to be read after the name of the setting; undefined for a good one */
export function locationIssue(text: string): string | undefined {
  // One letter before the colon is a drive of Windows.
  const [, scheme] = /^([a-z][a-z\d+.-]+):\//i.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  if (!/^postgres(ql)?:\/\//i.test(text))
    return "must be a folder, or the URL of a PostgreSQL database, like postgres://user:password@db.example.com/shop";
  return parseUrl(text)
    ? undefined
    : "cannot be read as a URL: in a password write / as %2F, ? as %3F, # as %23 and @ as %40";
}

/** The location without its password. */
export function shownLocation(location: DataLocation): string {
  return location.kind === "url" ? redacted(location.url) : location.folder;
}

/** The beginning of a sentence about the database: `The database in ./data`. */
export function theDatabase(location: DataLocation): string {
  return `The database ${location.kind === "url" ? shownLocation(location) : `in ${location.folder}`}`;
}

/** The folder that keeps files beside the database; undefined with PostgreSQL. */
export function folderOf(location: DataLocation): string | undefined {
  return location.kind === "folder" ? location.folder : undefined;
}

const MASK = "***";
/** Parameters that carry a secret: `password`, `sslpassword`, `access_token`, … */
const SECRET = /pass|pwd|secret|token|key/i;

/** A URL without any password; of one that cannot be read with certainty only the scheme, because it could be anywhere. */
export function redacted(location: string): string {
  // One letter before the colon is a drive of Windows.
  const [scheme] = /^\s*[a-z][a-z\d+.-]+:/i.exec(location) ?? [];
  if (!scheme) return location;
  const url = parseUrl(location);
  if (!url) return `${scheme.trim()}//…`;
  if (url.password) url.password = MASK;
  for (const name of [...url.searchParams.keys()]) if (SECRET.test(name)) url.searchParams.set(name, MASK);
  url.hash = "";
  return url.href;
}

/** @returns null for a URL that cannot be read with certainty */
function parseUrl(text: string): URL | null {
  const url = URL.parse(text);
  // A password with an unescaped `/`, `?` or `#` ends up behind the host, and so does its @.
  return url && !`${url.pathname}${url.search}${url.hash}`.includes("@") ? url : null;
}
