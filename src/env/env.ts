/** The environment and its settings (contract 9); the only reader of `process.env`. Each program reads only the settings it uses. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { ShopAddress } from "../catalog/at-site.ts";
import { codeOf, explainCode } from "../lib/files.ts";
import { isSecureAddress, type Networks, parseNetworks } from "../lib/network.ts";
import type { Channels } from "../messages/channels.ts";
import type { StripeSettings } from "../payments/stripe.ts";
import { explainIssue } from "../schema/explain.ts";
import { type DataLocation, locationIssue, locationOf } from "../store/location/location.ts";

/** Thrown when settings are wrong; the message names every one of them. */
export class EnvError extends Error {
  override readonly name = "EnvError";
}

/** The catalog file: from the command line, else from the environment, else ./catalog.yaml. */
export function catalogFile(option?: string): string {
  return option || process.env.TINT_CATALOG || "./catalog.yaml";
}

/** Of a `.env` in the working folder, which anybody may have written: Bun reads it where a checkout is started elsewhere. */
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

export function settingsFile(catalog: string): string {
  return join(dirname(catalog), ".env");
}

/** Takes over the settings beside a catalog. A value of the real environment wins. */
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

/** Call this before loading the screens: their libraries decide about colors while loading. */
export function prepareScreens(): void {
  // https://no-color.org: any value but an empty one.
  if (process.env.NO_COLOR) process.env.FORCE_COLOR = "0";
}

/** An address that gets customers' data, so it must use TLS unless it is on this machine. */
const webAddress = z
  .string()
  .refine(isSecureAddress, "must begin with https:// (http:// only to this machine)")
  .optional();

/** The signing library takes base64 with or without the prefix. `tint doctor` checks the length. */
const SIGNING_SECRET = /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/;

/** One entry per setting, so that `tint doctor` can check them one by one. */
export const CHANNEL_SETTINGS = z.object({
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^\w{2,64}$/, "must be an account SID as Twilio's console shows it: AC and 32 characters")
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().optional(),
  TWILIO_FROM: z
    .string()
    .regex(/^(\+[1-9]\d{6,14}|MG\w{1,62})$/, "must be a number like +14045550142, or a messaging service (MG…)")
    .optional(),
  TWILIO_BASE_URL: webAddress,
  CRM_WEBHOOK_URL: webAddress,
  CRM_WEBHOOK_SECRET: z
    .string()
    .regex(SIGNING_SECRET, "must be whsec_ and base64 of 24 to 64 bytes: copy it from the CRM whole")
    .optional(),
  CRM_WEBHOOK_ALLOW_PRIVATE: z.enum(["true", "false"]).default("false"),
  /** Allows addresses of `alerts.to` in a private network. */
  ALERTS_ALLOW_PRIVATE: z.enum(["true", "false"]).default("false"),
  SMTP_URL: z.string().refine(isMailServer, "must be like smtps://user:password@mail.example.com:465").optional(),
  /** Mail holds customers' data, so plain text is the owner's decision. */
  SMTP_ALLOW_PLAIN: z.enum(["true", "false"]).default("false"),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>\r\n]* <[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/, "must be like Shop <desk@example.com>")
    .optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(
      /^[sr]k_(test|live)_\w{8,250}$/,
      "must be a secret or restricted key as Stripe's dashboard shows it: sk_live_…",
    )
    .optional(),
  STRIPE_BASE_URL: webAddress,
});

function isMailServer(text: string): boolean {
  return /^smtps?:\/\//.test(text) && URL.canParse(text) && new URL(text).hostname !== "";
}

/** A channel with a missing setting is off. */
export function toChannels(env: z.output<typeof CHANNEL_SETTINGS>): Channels {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = env;
  const { CRM_WEBHOOK_URL: url, CRM_WEBHOOK_SECRET: secret, SMTP_URL: smtp, MAIL_FROM: sender } = env;
  const baseUrl = (env.TWILIO_BASE_URL ?? "https://api.twilio.com").replace(/(?<!\/)\/+$/, "");
  return {
    twilio: accountSid && authToken && from ? { accountSid, authToken, from, baseUrl } : null,
    crm: url && secret ? { url, secret, allowPrivate: env.CRM_WEBHOOK_ALLOW_PRIVATE === "true" } : null,
    mail: smtp && sender ? { url: smtp, from: sender, allowPlain: env.SMTP_ALLOW_PLAIN === "true" } : null,
    push: { allowPrivate: env.ALERTS_ALLOW_PRIVATE === "true" },
  };
}

/** Null where no deposits are taken. */
function toPayments(env: z.output<typeof CHANNEL_SETTINGS>): StripeSettings | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_BASE_URL: baseUrl = "https://api.stripe.com" } = env;
  return secretKey ? { secretKey, baseUrl } : null;
}

/** The settings without which a channel is off, or no deposits are taken. */
export const KEYS_OF = {
  twilio: ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"],
  crm: ["CRM_WEBHOOK_URL", "CRM_WEBHOOK_SECRET"],
  mail: ["SMTP_URL", "MAIL_FROM"],
  stripe: ["STRIPE_SECRET_KEY"],
} as const;

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

export interface Overrides {
  port?: string;
  host?: string;
}

export function readListening(overrides: Overrides = {}) {
  return toListening(read(LISTENING.extend(LOGGING.shape), overrides));
}

/** Settings of the API server, except for its files. */
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

/** Where the shop is reached. A faulty setting counts as not set: a server refuses it, and doctor names it. */
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
