/** The environment the process runs in (contract section 9); the only reader of `process.env`. */

/** A setting of the environment is wrong; the message names every one. */
export class EnvError extends Error {
  override readonly name = "EnvError";
}

/** The catalog file: the command line's, else the environment's, else the one in this folder. */
export function catalogFile(option?: string): string {
  return option || process.env.TINT_CATALOG || "./catalog.yaml";
}

/** Where the one executable remembers catalogs; null in a checkout, whose program changes from run to run. */
export function catalogMemory(): { folder: string; build: string } | null {
  // `bun run build` puts a text of its own in the place of this variable.
  const build = process.env.TINT_BUILD;
  const cache = process.env.XDG_CACHE_HOME || (process.env.HOME && `${process.env.HOME}/.cache`);
  return build && cache ? { folder: `${cache}/tintdesk`, build } : null;
}

/** The folder of the database, found the same way. */
export function dataFolder(option?: string): string {
  return option || process.env.TINT_DATA || "./data";
}

/** Variables of the environment by name, as they are; an empty one counts as not set. */
export function rawSettings(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ""));
}

/** Before the screens are loaded: their libraries look for colours as they load. */
export function prepareScreens(): void {
  // https://no-color.org: any value but an empty one.
  if (process.env.NO_COLOR) process.env.FORCE_COLOR = "0";
}
