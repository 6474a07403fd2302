/** `tint setup`, and the `.env` beside the catalog that every command reads. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { withSettings } from "../../cli/commands/setup.ts";
import { SETUP_QUESTIONS } from "../../cli/setup/questions.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { fileSource } from "../../src/store/catalog/file-source.ts";
import { until } from "../jobs/outbox.ts";
import { startTwilio } from "../jobs/twilio.ts";
import { freePort, type ShopFolder, shopFolder, startServer } from "../process/server.ts";
import { openTerminal } from "../screens/tmux.ts";
import { catalogText } from "../small-shop.ts";
import { tint } from "./run.ts";

setDefaultTimeout(30_000);

const fileIn = (folder: ShopFolder) => join(folder.path, ".env");
const settingsIn = (folder: ShopFolder) => parseEnv(readFileSync(fileIn(folder), "utf8"));

test("the settings are in a file that only its owner may read; a test text goes to the number for alerts", async () => {
  using folder = shopFolder({ "alerts.to": ["+15125550143"] });
  await using twilio = await startTwilio();
  const { accountSid, authToken, from, baseUrl } = twilio.settings;
  const arrives = until(
    () => twilio.messages[0],
    (message) => message !== undefined,
  ).then((message) => Object.assign(message ?? {}, { status: "delivered" }));
  const all = [`TWILIO_ACCOUNT_SID=${accountSid}`, `TWILIO_AUTH_TOKEN=${authToken}`, `TWILIO_FROM=${from}`];
  const setup = ["setup", ...all, `TWILIO_BASE_URL=${baseUrl}`, "--test", "--json"];
  const { status, stdout, stderr } = await tint(folder, setup);
  await arrives;
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringContaining("A test text was delivered to +15125550143."),
  });
  expect(JSON.parse(stdout)).toMatchObject({ tried: [{ name: "text", isGood: true }] });
  expect(twilio.messages).toMatchObject([{ to: "+15125550143", body: expect.stringContaining("test message") }]);
  expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600);
  expect(settingsIn(folder)).toMatchObject({ TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from });
  // One setting is no reason for a text that costs money.
  expect((await tint(folder, ["setup", "TINT_METRICS=127.0.0.1:9464"])).status).toBe(0);
  expect(twilio.messages).toHaveLength(1);
  // Another command sees them.
  const doctor = await tint(folder, ["doctor", "--json"], { env: { PORT: String(freePort()) } });
  expect(doctor.stdout).toContain(`on, but through ${baseUrl}`);
});

test.each([
  [20003, "account SID or auth token is wrong"],
  [21608, "a trial account sends only to verified numbers"],
])("when Twilio answers %d the owner reads: %s", async (code, words) => {
  using folder = shopFolder();
  await using twilio = await startTwilio(() => code);
  const { accountSid, authToken, from, baseUrl } = twilio.settings;
  writeFileSync(fileIn(folder), `TWILIO_ACCOUNT_SID=${accountSid}\nTWILIO_FROM=${from}\nTWILIO_BASE_URL=${baseUrl}\n`);
  const { status, stderr } = await tint(folder, ["setup", `TWILIO_AUTH_TOKEN=${authToken}`, "--test"]);
  expect(status).toBe(1);
  expect(stderr).toContain(words);
  expect(settingsIn(folder).TWILIO_AUTH_TOKEN).toBe(authToken);
});

test("who does not hear of bookings is said at once, and so is that no test text was sent", async () => {
  using folder = shopFolder({ "alerts.to": ["pat@example.com"] });
  const account = [`TWILIO_ACCOUNT_SID=AC${"0".repeat(32)}`, `TWILIO_AUTH_TOKEN=${"0".repeat(32)}`];
  const from = "+15125550142";
  const setup = async (...words: string[]) => (await tint(folder, ["setup", ...words])).stderr;
  const NOBODY = "Nobody in alerts.to hears of bookings: e-mails are off.";
  const other = await setup("TINT_METRICS=127.0.0.1:9464");
  expect([other.includes(NOBODY), other.includes("test text")]).toEqual([true, false]);
  expect(await setup(...account)).toContain("No test text was sent: TWILIO_FROM not set.");
  expect(await setup(`TWILIO_FROM=${from}`)).toContain("No test text was sent: alerts.to has no mobile.");
  writeFileSync(folder.catalog, catalogText({ "alerts.to": ["+15125550143"] }));
  const all = await setup(`TWILIO_FROM=${from}`);
  expect(all).toContain("No test text was sent: tint doctor --send-test sends one.");
  expect(all).not.toContain("hears of bookings");
  expect(await setup(`TWILIO_FROM=${from}`, "--no-test")).not.toContain("test text");
});

test("wrong settings are named, all of them, and nothing is written", async () => {
  using folder = shopFolder();
  const wrong = "TINT_SITE_URL=https://a.example/path TWILIO_FRM=+15125550142 PORT TINT_TRUSTED_PROXIES=here";
  const { status, stderr } = await tint(folder, ["setup", ...wrong.split(" ")]);
  expect(status).toBe(2);
  for (const words of [
    "TINT_SITE_URL must be",
    "Did you mean TWILIO_FROM?",
    "PORT needs a value",
    "TINT_TRUSTED_PROXIES ",
  ])
    expect(stderr).toContain(words);
  expect(existsSync(fileIn(folder))).toBe(false);
  expect((await tint(folder, ["setup"])).status).toBe(2);
});

describe("the web address goes into the catalog", () => {
  const ADDRESS = "https://book.lakeside.example";
  const setup = async (folder: ShopFolder, address = ADDRESS) => {
    const run = await tint(folder, ["setup", "--no-test", "--json", `TINT_SITE_URL=${address}`]);
    expect(JSON.parse(run.stdout)).toMatchObject({ changed: ["TINT_SITE_URL"] });
    const { business, site } = loadCatalog(fileSource(folder.catalog)).catalog;
    return { ...run, business, site };
  };

  test("in place of the examples, with all notes; links to pages elsewhere stay", async () => {
    using folder = shopFolder();
    const map = "https://marlowridge.example/map";
    folder.write(folder.read().replace(/^ {2}url: .*\n/m, `$&  links: {map: ${map}}\n`));
    const before = folder.read();
    const { status, stderr, business, site } = await setup(folder);
    expect([status, stderr]).toEqual([0, expect.stringContaining(`site.mcp_url, business.url lead to ${ADDRESS}.`)]);
    expect(site).toMatchObject({
      url: ADDRESS,
      base_url: `${ADDRESS}/api/v1`,
      agent_proxy_url: `${ADDRESS}/api/v1`,
      mcp_url: `${ADDRESS}/mcp`,
    });
    expect(business.url).toBe(ADDRESS);
    expect(business.links.map).toBe(map);
    const changed = folder
      .read()
      .split("\n")
      .filter((line, i) => line !== before.split("\n")[i]);
    expect(changed).toHaveLength(5);
    expect((await tint(folder, ["catalog", "undo"])).status).toBe(0);
    expect(folder.read()).toBe(before);
  });

  test("a website elsewhere and a proxy on another host stay; the server's own address moves on", async () => {
    using folder = shopFolder({
      "business.url": "https://lakeside.test",
      "site.url": "https://lakeside.test",
      "site.base_url": "https://lakeside.test/api/v1",
      "site.agent_proxy_url": "https://agents.lakeside.test/api/v1",
      "site.mcp_url": "https://lakeside.test/mcp",
    });
    const { business, site } = await setup(folder);
    expect(business.url).toBe("https://lakeside.test");
    expect([site.url, site.base_url, site.mcp_url]).toEqual([ADDRESS, `${ADDRESS}/api/v1`, `${ADDRESS}/mcp`]);
    expect(site.agent_proxy_url).toBe("https://agents.lakeside.test/api/v1");
  });

  test("but not one of this machine, and not into a catalog with a mistake", async () => {
    using folder = shopFolder();
    const before = folder.read();
    await setup(folder, "http://localhost:3000");
    expect(folder.read()).toBe(before);
    folder.write(before.replace("scheduling:", "schedulin:"));
    const { status } = await tint(folder, ["setup", "--no-test", `TINT_SITE_URL=${ADDRESS}`]);
    expect(status).toBe(0);
    expect(folder.read()).toContain("url: https://marlowridge.example");
    expect(settingsIn(folder).TINT_SITE_URL).toBe(ADDRESS);
  });
});

test("a mail server that is not there is said to be so", async () => {
  using folder = shopFolder();
  const settings = [`SMTP_URL=smtp://127.0.0.1:${freePort()}`, "MAIL_FROM=Shop <desk@shop.example>"];
  const { status, stderr } = await tint(folder, ["setup", ...settings]);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /The e-mail does not work: (nothing answers at|no connection to) the host and port of SMTP_URL/,
  );
});

test("any value survives; other lines stay as they are", () => {
  const value = fc.string({ unit: "grapheme-ascii", minLength: 1 }).filter((text) => !/['"`]|\\$/.test(text));
  fc.assert(
    fc.property(value, (secret) => {
      const text = withSettings("# mine\nA=1 # note\nSMTP_URL=old\nB='x'\nSMTP_URL=older\n", {
        SMTP_URL: secret,
        A: null,
      });
      expect(parseEnv(text)).toEqual({ SMTP_URL: secret, B: "x" });
      expect(text).toStartWith("# mine\nSMTP_URL=");
    }),
    { numRuns: 200, examples: [["\\"], ["a b\\"]] },
  );
  expect(withSettings("", { A: `it's "both"` })).toBe('A=`it\'s "both"`\n');
  // A backslash at the end hides a closing quote, and a space at the beginning needs quotes.
  for (const value of ["two\nlines", " \\"]) expect(() => withSettings("", { A: value })).toThrow("cannot keep");
  expect(withSettings("A=1", { A: null })).toBe("");
});

describe("the file beside the catalog", () => {
  test("is read by the server; the real environment wins", async () => {
    using folder = shopFolder();
    const port = freePort();
    writeFileSync(fileIn(folder), "TINT_SITE_URL=https://file.example\nLOG_LEVEL=fatal\n");
    await using server = await startServer(folder, { env: { LOG_LEVEL: "info" } });
    const text = await (await fetch(`http://127.0.0.1:${server.port}/llms.txt`)).text();
    expect(text).toContain("https://file.example/");
    expect(port).toBeGreaterThan(0);
  });

  test("a $ stays a $, also with the file in the working folder", async () => {
    using folder = shopFolder();
    writeFileSync(fileIn(folder), "MAIL_FROM='a$HOME@b.example'\nSMTP_URL=smtps://a:b$HOME@mail.example\n");
    const { stdout } = await tint(folder, ["doctor", "--json"], { env: { PORT: String(freePort()) } });
    expect(stdout).toContain("on, from a$HOME@b.example through mail.example");
  });

  test("that cannot be read is an error", async () => {
    using folder = shopFolder();
    mkdirSync(fileIn(folder));
    const { status, stderr } = await tint(folder, ["price", "list"]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining("cannot be read: it is a folder"),
    });
  });
});

test.each([
  [{}, []],
  [{ TINT_SITE_URL: "https://book.example" }, ["TINT_TRUSTED_PROXIES"]],
  [{ TINT_SITE_URL: "http://localhost:3000" }, []],
  [{ TWILIO_ACCOUNT_SID: "AC1" }, ["TWILIO_AUTH_TOKEN", "TWILIO_FROM"]],
  [{ SMTP_URL: "smtp://mail.example" }, ["MAIL_FROM"]],
])("after %p it also asks for %p", (known, more) => {
  const asked = SETUP_QUESTIONS.filter(({ isAsked }) => isAsked?.(known) !== false).map(({ name }) => name);
  const always = ["TINT_SITE_URL", "TWILIO_ACCOUNT_SID", "SMTP_URL", "STRIPE_SECRET_KEY"];
  expect(asked.toSorted()).toEqual([...always, ...more].toSorted());
});

test("on a terminal it asks only what makes sense and what the environment does not set, and keeps a secret to itself", async () => {
  using folder = shopFolder();
  writeFileSync(fileIn(folder), "TWILIO_AUTH_TOKEN=hidden-token\n");
  await using terminal = await openTerminal(folder, { columns: 120, rows: 40 });
  await terminal.run("MAIL_FROM=desk@lakeside.example tint setup --no-test").see("Web address under which");
  await terminal.run("lakeside").see("That must be an address that begins with https://");
  await terminal.run("book.lakeside.example").see("[127.0.0.1]");
  await terminal.run("").see("account SID of Twilio");
  await terminal
    .run(`AC${"0123456789abcdef".repeat(2)}`)
    .see("auth token of Twilio, not shown while you type [kept as it is]");
  await terminal.run("").see("your Twilio number");
  await terminal.run("(512) 555-0142").see("mail server, like");
  await terminal.run("smtps://desk:unseen@mail.example.com").see("secret key of Stripe, like sk_live_");
  await terminal
    .run("sk_live_unseen0123456789")
    .see(".env is saved: TINT_SITE_URL, TINT_TRUSTED_PROXIES, TWILIO_ACCOUNT_SID, TWILIO_FROM");
  await terminal.see("Who is told of bookings");
  await terminal.run("512-555-0143; pat at example.com").see("That must be mobiles, e-mail addresses, or addresses");
  const shown = await terminal.run("(512) 555-0143, pat@example.com").see("alerts.to: +15125550143, pat@example.com");
  expect(shown).not.toContain("unseen");
  expect(folder.read()).toContain('alerts: {to: ["+15125550143", pat@example.com]}');
  expect(settingsIn(folder)).toMatchObject({
    TINT_SITE_URL: "https://book.lakeside.example",
    TINT_TRUSTED_PROXIES: "127.0.0.1",
    TWILIO_AUTH_TOKEN: "hidden-token",
    TWILIO_FROM: "+15125550142",
  });
});

test("beside a catalog with a mistake no test text is sent, and the settings are saved", async () => {
  using folder = shopFolder();
  writeFileSync(folder.catalog, folder.read().replace("scheduling:", "schedulin:"));
  const { status, stderr } = await tint(folder, ["setup", `TWILIO_AUTH_TOKEN=${"a".repeat(32)}`, "--test"]);
  expect({ status, says: stderr.includes("No test text was sent: ") }).toEqual({ status: 1, says: true });
  expect(readFileSync(join(folder.path, ".env"), "utf8")).toContain("TWILIO_AUTH_TOKEN");
});
