/** The environment the process runs in (contract 9); the only reader of `process.env`. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, explainCode } from "../lib/os-errors.ts";
import { type DataLocation, locationIssue, locationOf } from "../store/location/location.ts";

/** Thrown when settings are wrong; the message names every one of them. */
export class EnvError extends Error {
  override readonly name = "EnvError";
}

/** The catalog file: from the command line, else from the environment, else ./catalog.yaml. */
export function catalogFile(option?: string): string {
  return option || process.env.TINT_CATALOG || "./catalog.yaml";
}

/**
 * Removes the variables that Bun itself read from a `.env` in the working folder, which anybody may have written. Bun
 * does so for a checkout that is started elsewhere; the executable reads no such file. Where the system does not tell
 * the real environment, nothing is removed.
 */
export function forgetWorkingFolder(): void {
  if (process.env.TINT_BUILD) return;
  let given: Set<string>;
  try {
    const lines = readFileSync("/proc/self/environ", "utf8").split("\0");
    given = new Set(lines.map((line) => line.slice(0, line.indexOf("="))));
  } catch {
    return;
  }
  for (const name of Object.keys(process.env)) if (!given.has(name)) delete process.env[name];
}

/** The file of settings beside a catalog. */
export function settingsFile(catalog: string): string {
  return join(dirname(catalog), ".env");
}

/**
 * Takes over the settings beside a catalog. A value of the real environment wins.
 * @throws EnvError when the file cannot be read
 */
export function loadSettings(catalog: string): void {
  const file = settingsFile(catalog);
  for (const [name, value] of Object.entries(readSettings(file)))
    if (process.env[name] === undefined) process.env[name] = value;
}

/** The settings in a file; none when there is no file. @throws EnvError when it cannot be read */
export function readSettings(file: string): Record<string, string> {
  try {
    const text = readFileSync(file, "utf8");
    // Loaded only where there is such a file.
    const { parseEnv }: typeof import("node:util") = require("node:util");
    return Object.fromEntries(
      Object.entries(parseEnv(text)).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return {};
    throw new EnvError(`${file} cannot be read: ${explainCode(code)}.`);
  }
}

/** The folder in which the hashes of good catalogs are remembered; null without a home. */
export function catalogMemory(): string | null {
  const cache = process.env.XDG_CACHE_HOME || (process.env.HOME && `${process.env.HOME}/.cache`);
  return cache ? `${cache}/tintdesk` : null;
}

/** Where the data is: from the command line, else from the environment, else in ./data. @throws EnvError */
export function dataLocation(option?: string): DataLocation {
  const text = option || process.env.TINT_DATA || "./data";
  const issue = locationIssue(text);
  if (issue !== undefined) throw new EnvError(`${option ? "--data" : "TINT_DATA"} ${issue}.`);
  return locationOf(text);
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
