/** The environment the process runs in (contract section 9); the only reader of `process.env`. */
import { z } from "zod";
import { readChannels } from "./channel-settings.ts";
import { explain } from "./explain.ts";
import type { Channels } from "./jobs/deliver.ts";
import { type Network, parseNetworks } from "./network.ts";

const schema = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, "must be a port number from 0 to 65535")
    .transform(Number)
    .refine((port) => port <= 65_535, "must be a port number from 0 to 65535")
    .default(3000),
  HOST: z.string().default("127.0.0.1"),
  TINT_TRUSTED_PROXIES: z
    .string()
    .default("")
    .transform((list, ctx): Network[] => {
      try {
        return parseNetworks(
          list
            .split(",")
            .map((one) => one.trim())
            .filter((one) => one !== ""),
        );
      } catch (error) {
        ctx.addIssue({
          code: "custom",
          message: error instanceof Error ? error.message : "is not a list of address ranges",
        });
        return [];
      }
    }),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
});

export interface Env {
  port: number;
  host: string;
  catalog: string;
  data: string;
  trustedProxies: Network[];
  logLevel: string;
  channels: Channels;
}

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

/** Variables of the environment by name, as they are. */
export function rawSettings(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/**
 * @param overrides settings given on the command line, which come before the environment's
 * @throws EnvError
 */
export function readEnv(overrides: { port?: string; host?: string; catalog?: string; data?: string } = {}): Env {
  const set = [...Object.entries(process.env), ["PORT", overrides.port], ["HOST", overrides.host]].filter(
    ([, value]) => value !== undefined && value !== "",
  );
  const parsed = schema.safeParse(Object.fromEntries(set), { error: explain });
  const channels = readChannels(Object.fromEntries(set), explain);
  if (!parsed.success || !channels.success) {
    const issues = [...(parsed.error?.issues ?? []), ...(channels.error?.issues ?? [])];
    throw new EnvError(issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("\n"));
  }
  const { PORT, HOST, TINT_TRUSTED_PROXIES, LOG_LEVEL } = parsed.data;
  return {
    port: PORT,
    host: HOST,
    catalog: catalogFile(overrides.catalog),
    data: dataFolder(overrides.data),
    trustedProxies: TINT_TRUSTED_PROXIES,
    logLevel: LOG_LEVEL,
    channels: channels.data,
  };
}

/** Before the screens are loaded: their libraries look for colours as they load. */
export function prepareScreens(): void {
  // https://no-color.org: any value but an empty one.
  if (process.env.NO_COLOR) process.env.FORCE_COLOR = "0";
}
