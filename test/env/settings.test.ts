/** Settings from the environment: defaults, what is refused and in which words, and which channels they switch on. */
import { afterEach, expect, test } from "bun:test";
import {
  EnvError,
  prepareScreens,
  rawSettings,
  readAddress,
  readLimits,
  readListening,
  readPayments,
  readServer,
} from "../../src/env/env.ts";
import { parseAddress } from "../../src/lib/network.ts";
import { unconfiguredChannels } from "../../src/messages/channels.ts";

const before = { ...process.env };
const OURS = /^(PORT|HOST|LOG_LEVEL|NO_COLOR|FORCE_COLOR|TINT_.*|TWILIO_.*|CRM_.*|SMTP_.*|MAIL_FROM|STRIPE_.*)$/;

function setEnv(env: Record<string, string | undefined>): void {
  for (const name of Object.keys(process.env)) if (OURS.test(name)) delete process.env[name];
  Object.assign(process.env, env);
}
afterEach(() => setEnv(Object.fromEntries(Object.entries(before).filter(([name]) => OURS.test(name)))));

test("without settings a server listens to this machine only, trusts no proxy and sends nothing", () => {
  // An empty variable counts as not set.
  setEnv({ PORT: "", TWILIO_FROM: "" });
  expect(rawSettings().PORT).toBeUndefined();
  const { trustedProxies, channels, ...rest } = readServer({});
  expect(rest).toEqual({
    port: 3000,
    host: "127.0.0.1",
    proxies: "",
    logLevel: "info",
    payments: null,
    metrics: null,
    limits: null,
    checkAnswers: false,
  });
  expect(trustedProxies.has(parseAddress("127.0.0.1"))).toBe(false);
  expect(unconfiguredChannels(channels)).toEqual(["sms", "crm", "email"]);
});

test("an IPv6 address may be in brackets, as in a URL", () => {
  setEnv({ HOST: "[::1]" });
  expect(readListening().host).toBe("::1");
});

test("the command line wins over the environment", () => {
  setEnv({ PORT: "8080", HOST: "0.0.0.0", TINT_TRUSTED_PROXIES: " 10.0.0.0/8, ::1 ,", LOG_LEVEL: "warn" });
  expect(readListening()).toMatchObject({ port: 8080, host: "0.0.0.0", logLevel: "warn" });
  const { port, host, proxies, trustedProxies } = readListening({ port: "0", host: "::" });
  expect([port, host, proxies]).toEqual([0, "::", "10.0.0.0/8, ::1"]);
  const trusted = ["10.1.2.3", "::1", "11.0.0.1"].filter((one) => trustedProxies.has(parseAddress(one)));
  expect(trusted).toEqual(["10.1.2.3", "::1"]);
});

test.each([
  [{ PORT: "65536" }, "PORT must be a port number from 0 to 65535"],
  [{ TINT_SITE_URL: "localhost:3000" }, "TINT_SITE_URL must be an address that begins with https://"],
  [
    { TINT_SITE_URL: "https://example.com/api/v1" },
    "TINT_SITE_URL must be an address that begins with https:// or http:// and has no path",
  ],
  [{ TINT_LIMITS: "postgres://127.0.0.1/shop" }, "TINT_LIMITS must be like redis://"],
  [{ TINT_LIMITS: "redis://:pass/word@127.0.0.1" }, "TINT_LIMITS must be like redis://"],
  [{ TINT_LIMITS: "redis+unix://localhost" }, "TINT_LIMITS must be like redis://"],
  [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be"],
  [{ TINT_TRUSTED_PROXIES: "10.0.0.0/8, bananas" }, "TINT_TRUSTED_PROXIES "],
  [{ CRM_WEBHOOK_URL: "http://crm.example.com" }, "CRM_WEBHOOK_URL must begin with https://"],
  [{ CRM_WEBHOOK_SECRET: "pass word" }, "CRM_WEBHOOK_SECRET must be whsec_ and base64 of 24 to 64 bytes"],
  [{ CRM_WEBHOOK_ALLOW_PRIVATE: "yes" }, "CRM_WEBHOOK_ALLOW_PRIVATE must be true or false"],
  [{ SMTP_URL: "mail.example.com" }, "SMTP_URL must be like smtps://"],
  [{ MAIL_FROM: "desk" }, "MAIL_FROM must be like Shop <desk@example.com>"],
  [{ TWILIO_FROM: "404-555-0142" }, "TWILIO_FROM must be a number like +14045550142"],
  [{ TWILIO_ACCOUNT_SID: "AC/../x" }, "TWILIO_ACCOUNT_SID must be an account SID"],
  [{ STRIPE_SECRET_KEY: "pk_live_0123456789" }, "STRIPE_SECRET_KEY must be a secret or restricted key"],
  [{ STRIPE_BASE_URL: "http://stripe.example.com" }, "STRIPE_BASE_URL must begin with https://"],
  [{ TWILIO_BASE_URL: "http://twilio.example.com" }, "TWILIO_BASE_URL must begin with https://"],
])("%j is refused by name", (env, message) => {
  setEnv(env);
  const issues = issuesOf(() => readServer({}));
  expect(issues).toHaveLength(1);
  expect(issues[0]).toStartWith(message);
});

test.each([
  ["http://localhost:3000", "http://localhost:3000"],
  ["https://try.example.com/", "https://try.example.com"],
])("TINT_SITE_URL %s", (TINT_SITE_URL, siteUrl) => {
  setEnv({ TINT_SITE_URL });
  expect(readAddress()).toEqual({ siteUrl, host: "127.0.0.1", port: 3000 });
});

test("where the server listens is read leniently: a faulty setting is named by a server and by doctor", () => {
  setEnv({ TINT_SITE_URL: "here", PORT: "x", HOST: "[::1]" });
  expect(readAddress()).toEqual({ siteUrl: null, host: "::1", port: 0 });
  expect(readAddress({ port: "8080", host: "0.0.0.0" })).toEqual({ siteUrl: null, host: "0.0.0.0", port: 8080 });
});

test.each([
  "redis://127.0.0.1",
  "valkey://user:secret@[::1]:6379/",
  "redis+unix:///run/valkey/valkey.sock",
  "redis+unix://user:secret@localhost/run/valkey.sock",
])("TINT_LIMITS %s", (TINT_LIMITS) => {
  setEnv({ TINT_LIMITS });
  expect([readServer({}).limits, readLimits()]).toEqual([TINT_LIMITS, TINT_LIMITS]);
});

test("all wrong settings are named at once", () => {
  setEnv({ PORT: "-1", LOG_LEVEL: "loud", MAIL_FROM: "desk" });
  expect(issuesOf(() => readServer({})).map((line) => line.split(" ")[0])).toEqual(["PORT", "LOG_LEVEL", "MAIL_FROM"]);
});

const TWILIO = { TWILIO_ACCOUNT_SID: "AC1", TWILIO_AUTH_TOKEN: "secret", TWILIO_FROM: "+14045550142" };
const CRM = { CRM_WEBHOOK_URL: "https://crm.example.com/hook", CRM_WEBHOOK_SECRET: "whsec_c2VjcmV0" };
const MAIL = { SMTP_URL: "smtps://mail.example.com", MAIL_FROM: "Shop <desk@example.com>" };

test.each([
  [TWILIO, ["crm", "email"]],
  [CRM, ["sms", "email"]],
  [MAIL, ["sms", "crm"]],
  [{ ...TWILIO, ...CRM, ...MAIL }, []],
  // A channel needs all of its settings.
  [{ ...TWILIO, TWILIO_FROM: "" }, ["sms", "crm", "email"]],
  [{ ...MAIL, MAIL_FROM: "" }, ["sms", "crm", "email"]],
])("with %j these channels are off: %j", (env, off) => {
  setEnv(env);
  expect(unconfiguredChannels(readServer({}).channels)).toEqual(off);
});

test("deposits are taken with a key, at Stripe or a stand-in", () => {
  setEnv({ STRIPE_SECRET_KEY: "rk_live_0123456789" });
  expect(readServer({}).payments).toEqual({ secretKey: "rk_live_0123456789", baseUrl: "https://api.stripe.com" });
  expect(readAddress().hasPayments).toBe(true);
  setEnv({ STRIPE_SECRET_KEY: "sk_test_0123456789", STRIPE_BASE_URL: "http://127.0.0.1:12111" });
  expect(readPayments()?.baseUrl).toBe("http://127.0.0.1:12111");
});

test.each([
  ["1", "0"],
  // Any value but an empty one.
  ["", undefined],
  [undefined, undefined],
])("NO_COLOR %j turns colours to %j", (noColor, forced) => {
  setEnv(noColor === undefined ? {} : { NO_COLOR: noColor });
  prepareScreens();
  expect(process.env.FORCE_COLOR).toBe(forced);
});

function issuesOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof EnvError) return error.message.split("\n");
    throw error;
  }
  return [];
}
