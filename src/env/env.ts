/** The environment the process runs in (contract section 9); the only reader of `process.env`. */

/** Thrown when settings are wrong; the message names every one of them. */
export class EnvError extends Error {
  override readonly name = "EnvError";
}

/** The catalog file: from the command line, else from the environment, else ./catalog.yaml. */
export function catalogFile(option?: string): string {
  return option || process.env.TINT_CATALOG || "./catalog.yaml";
}

/** Where parsed catalogs are kept. A checkout has no build, because the code may change between runs. */
export function catalogMemory(): { folder: string; build: string | undefined } | null {
  const cache = process.env.XDG_CACHE_HOME || (process.env.HOME && `${process.env.HOME}/.cache`);
  // `bun run build` replaces TINT_BUILD with a constant.
  return cache ? { folder: `${cache}/tintdesk`, build: process.env.TINT_BUILD } : null;
}

/** The folder of the database: from the command line, else from the environment, else ./data. */
export function dataFolder(option?: string): string {
  return option || process.env.TINT_DATA || "./data";
}

/** All variables of the environment, unchecked. An empty one counts as not set. */
export function rawSettings(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ""));
}

/** Whether to compare every answer with its schema. The test suite switches this on. */
export function checksAnswers(): boolean {
  return process.env.TINT_CHECK_ANSWERS === "1";
}

/** Call this before loading the screens: their libraries decide about colours while loading. */
export function prepareScreens(): void {
  // https://no-color.org: any value but an empty one.
  if (process.env.NO_COLOR) process.env.FORCE_COLOR = "0";
}
