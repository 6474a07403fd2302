/** Checked settings from the environment (contract 9). Each program reads only the settings it uses. */
import { z } from "zod";
import type { ShopAddress } from "../catalog/at-site.ts";
import { type Networks, parseNetworks } from "../lib/network.ts";
import { explainIssue } from "../schema/explain.ts";
import { locationIssue } from "../store/location/location.ts";
import { CHANNEL_SETTINGS, checksAnswers, EnvError, rawSettings, toChannels, toPayments } from "./env.ts";

const PORT_RULE = "must be a port number from 0 to 65535";
const LISTENING = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, PORT_RULE)
    .transform(Number)
    .refine((port) => port <= 65_535, PORT_RULE)
    .default(3000),
  // IPv6 with the brackets of a URL means the same.
  HOST: z
    .string()
    .transform((host) => host.replace(/^\[(.*)\]$/, "$1"))
    .default("127.0.0.1"),
  TINT_TRUSTED_PROXIES: z
    .string()
    .default("")
    .transform((list, ctx): { list: string; networks: Networks } => {
      try {
        const ranges = list
          .split(",")
          .map((one) => one.trim())
          .filter((one) => one !== "");
        return { list: ranges.join(", "), networks: parseNetworks(ranges) };
      } catch (error) {
        ctx.addIssue({
          code: "custom",
          message: error instanceof Error ? error.message : "is not a list of address ranges",
        });
        return { list: "", networks: parseNetworks([]) };
      }
    }),
});
const LOGGING = z.object({
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
});
const SITE = z.object({
  TINT_SITE_URL: z
    .string()
    .refine(
      isOrigin,
      "must be an address that begins with https:// or http:// and has no path, like https://book.lakeside.example",
    )
    .transform((address) => new URL(address).origin)
    .nullable()
    .default(null),
});

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/`;
}

/** Where Prometheus reads metrics. Callers have no business there, so it has a listener of its own. */
const METRICS = z.object({
  TINT_METRICS: z
    .string()
    .transform((text, ctx) => {
      const [, host = "", port = ""] = /^(\[[0-9a-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? [];
      if (host !== "" && Number(port) <= 65_535) return { host: host.replace(/[[\]]/g, ""), port: Number(port) };
      ctx.addIssue({ code: "custom", message: "must be an address and a port, like 127.0.0.1:9464" });
      return z.NEVER;
    })
    .nullable()
    .default(null),
});

/** Read by `dataLocation` for every program. */
const DATA = z.object({
  TINT_DATA: z.string().superRefine((text, ctx) => {
    const message = locationIssue(text);
    if (message !== undefined) ctx.addIssue({ code: "custom", message });
  }),
});

/** Valkey or Redis, where several servers count limits together. */
const LIMITS = z.object({
  TINT_LIMITS: z
    .string()
    .refine(
      isValkey,
      "must be like redis://user:password@127.0.0.1:6379, rediss://… with TLS, or redis+unix://localhost/run/valkey.sock; escape / ? # in a password",
    )
    .nullable()
    .default(null),
});

function isValkey(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, hash } = new URL(text);
  if (search !== "" || hash !== "") return false;
  if (/^redis(\+tls)?\+unix:$/.test(protocol)) return pathname.length > 1;
  // The path is the number of a database in it.
  return /^(rediss?|valkeys?|redis\+tls):$/.test(protocol) && hostname !== "" && /^(\/\d*)?$/.test(pathname);
}

/** Every setting of the server by name, with its rule. */
export const SETTINGS: Readonly<Record<string, z.ZodType>> = {
  ...LISTENING.shape,
  ...LOGGING.shape,
  ...SITE.shape,
  ...DATA.shape,
  ...LIMITS.shape,
  ...METRICS.shape,
  ...CHANNEL_SETTINGS.shape,
};

const SERVER = LISTENING.extend(LOGGING.shape)
  .extend(SITE.shape)
  .extend(LIMITS.shape)
  .extend(METRICS.shape)
  .extend(CHANNEL_SETTINGS.shape);

/** Settings of every program that listens. */
export type Listening = ReturnType<typeof toListening>;

/** Options of the command line; they win over the environment. */
export interface Overrides {
  port?: string;
  host?: string;
}

/** @throws EnvError */
export function readListening(overrides: Overrides = {}) {
  return toListening(read(LISTENING.extend(LOGGING.shape), overrides));
}

/** Settings of the API server, except for its files. */
export type ServerEnv = ReturnType<typeof readServer>;

/** @throws EnvError */
export function readServer(overrides: Overrides) {
  const env = read(SERVER, overrides);
  return {
    ...toListening(env),
    channels: toChannels(env),
    payments: toPayments(env),
    checkAnswers: checksAnswers(),
    /** Where Prometheus reads metrics; null where nobody reads them. */
    metrics: env.TINT_METRICS,
    /** The URL of Valkey or Redis; null where this process counts limits by itself. */
    limits: env.TINT_LIMITS,
  };
}

/** The URL of Valkey or Redis, as in `readServer`. @throws EnvError */
export function readLimits(): string | null {
  return read(LIMITS, {}).TINT_LIMITS;
}

/** By what a program that does not listen asks for deposits. @throws EnvError */
export function readPayments() {
  return toPayments(read(CHANNEL_SETTINGS, {}));
}

/** Settings of `tint mcp`, which does not listen. @throws EnvError */
export function readAssistant() {
  const env = read(LOGGING.extend(SITE.shape), {});
  return { logLevel: env.LOG_LEVEL, checkAnswers: checksAnswers(), payments: readPayments() };
}

/**
 * Where the shop is reached, for every program. A faulty setting counts as not set: a server refuses it, and doctor names it.
 */
export function readAddress({ port, host }: Overrides = {}): ShopAddress {
  const { TINT_SITE_URL, HOST, PORT, SMTP_URL, MAIL_FROM, STRIPE_SECRET_KEY } = rawSettings();
  return {
    siteUrl: SITE.shape.TINT_SITE_URL.safeParse(TINT_SITE_URL).data ?? null,
    host: LISTENING.shape.HOST.parse(host || HOST),
    port: LISTENING.shape.PORT.safeParse(port || PORT).data ?? 0,
    ...(SMTP_URL && MAIL_FROM && { hasMail: true }),
    ...(STRIPE_SECRET_KEY && { hasPayments: true }),
  };
}

function toListening(env: z.output<typeof LISTENING> & z.output<typeof LOGGING>) {
  // `proxies`: the same as it is written in the setting.
  const { list: proxies, networks: trustedProxies } = env.TINT_TRUSTED_PROXIES;
  return { port: env.PORT, host: env.HOST, trustedProxies, proxies, logLevel: env.LOG_LEVEL };
}

function read<Schema extends z.ZodType>(schema: Schema, { port, host }: Overrides): z.output<Schema> {
  const settings = { ...rawSettings(), ...(port && { PORT: port }), ...(host && { HOST: host }) };
  const parsed = schema.safeParse(settings, { error: explainIssue, jitless: true });
  if (parsed.success) return parsed.data;
  throw new EnvError(parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("\n"));
}
