/** `tint setup`, and the `.env` beside the catalog that every command reads; and `tint keys`. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { withSettings } from "../../cli/commands/setup.ts";
import { SETUP_QUESTIONS } from "../../cli/setup/questions.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { isApiKey } from "../../src/lib/ids.ts";
import { fileSource } from "../../src/store/catalog/file-source.ts";
import { API, inOwnName } from "../fixed-day.ts";
import { until } from "../jobs/outbox.ts";
import { startTwilio } from "../jobs/twilio.ts";
import { freePort, type ShopFolder, shopFolder, startServer } from "../process/server.ts";
import { openTerminal } from "../screens/tmux.ts";
import { catalogText } from "../small-shop.ts";
import { expectRefusals, saying, tint, tintJson } from "./run.ts";

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
  expect([status, stderr]).toEqual([0, expect.stringContaining("A test text was delivered to +15125550143.")]);
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
  const { TWILIO_AUTH_TOKEN: token = "", ...rest } = twilio.env;
  writeFileSync(
    fileIn(folder),
    Object.entries(rest)
      .map((pair) => `${pair.join("=")}\n`)
      .join(""),
  );
  const run = await tint(folder, ["setup", `TWILIO_AUTH_TOKEN=${token}`, "--test"]);
  expect([run.status, run.stderr]).toEqual([1, expect.stringContaining(words)]);
  expect(settingsIn(folder).TWILIO_AUTH_TOKEN).toBe(token);
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
  for (const says of [
    "TINT_SITE_URL must be",
    "Did you mean TWILIO_FROM?",
    "PORT needs a value",
    "TINT_TRUSTED_PROXIES ",
  ])
    await expectRefusals(folder, [[`setup ${wrong}`, 2, says]]);
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
    const api = `${ADDRESS}/api/v1`;
    expect(site).toMatchObject({ url: ADDRESS, base_url: api, agent_proxy_url: api, mcp_url: `${ADDRESS}/mcp` });
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
    writeFileSync(fileIn(folder), "TINT_SITE_URL=https://file.example\nLOG_LEVEL=fatal\n");
    await using server = await startServer(folder, { env: { LOG_LEVEL: "info" } });
    const text = await (await fetch(`http://127.0.0.1:${server.port}/llms.txt`)).text();
    expect(text).toContain("https://file.example/");
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
    await expectRefusals(folder, [["price list", 1, "cannot be read: it is a folder"]]);
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

describe("keys of programs", () => {
  const ISSUE = ["keys", "issue", "--name", "Example Assistant", "--email", "agent@example.com"];

  test("a key is printed once and works at once; rotated and revoked ones do not", async () => {
    using folder = shopFolder();
    await using server = await startServer(folder);
    const asks = async (key: string) => {
      const response = await server.fetch(`${API}/location`, { headers: { "X-API-Key": key } });
      return { status: response.status, limit: response.headers.get("x-ratelimit-limit") };
    };

    const issued = await tint(folder, [...ISSUE, "--limit", "7"]);
    const key = issued.stdout.trimEnd();
    expect(isApiKey(key)).toBe(true);
    expect(issued.stderr).toContain("shown this once");
    expect(issued.stderr).not.toContain(key);
    expect(await asks(key)).toEqual({ status: 200, limit: "7" });

    const list = (await tint(folder, ["keys"])).stdout;
    expect(list).toContain(`${key.slice(0, 12)}…`);
    expect(list).not.toContain(key);
    const [listed] = await tintJson(folder, ["keys", "list"]);
    expect(listed).toMatchObject({ name: "Example Assistant", rate_limit_per_minute: 7, revoked_at: null });

    const rotated = await tint(folder, ["keys", "rotate", listed.key_id.slice(0, 8)]);
    const fresh = rotated.stdout.trimEnd();
    expect(isApiKey(fresh)).toBe(true);
    expect((await asks(key)).status).toBe(401);
    expect(await asks(fresh)).toEqual({ status: 200, limit: "7" });

    expect((await tint(folder, ["keys", "revoke", listed.key_id])).stderr).toContain("is revoked");
    expect((await asks(fresh)).status).toBe(403);
    const back = await tintJson(folder, ["keys", "rotate", listed.key_id]);
    expect(back).toMatchObject({ key_id: listed.key_id, revoked_at: null });
    expect((await asks(back.api_key)).status).toBe(200);
  });

  test("keys, bookings and leads work with a faulty catalog", async () => {
    using folder = shopFolder();
    await tint(folder, ISSUE);
    folder.write(folder.read().replace(/bays: \d+/, "bays: none"));
    const list = await tint(folder, ["keys"]);
    expect(list).toMatchObject(saying(0, "tint catalog check"));
    expect(list.stdout).toContain("unknown");
    const [{ key_id: id, rate_limit_per_minute: limit }] = await tintJson(folder, ["keys"]);
    expect(limit).toBeNull();
    for (const act of ["rotate", "revoke"]) expect((await tint(folder, ["keys", act, id])).status).toBe(0);
    for (const command of ["bookings", "leads"])
      expect(await tint(folder, command)).toMatchObject(saying(0, "tint catalog check"));
  });

  test("refusals say what to do", async () => {
    using folder = shopFolder();
    expect((await tint(folder, ["keys"])).stderr).toBe(`There is no database in ${folder.data} yet.\nNo keys.\n`);
    expect(existsSync(folder.data)).toBe(false);
    await tint(folder, ISSUE);
    await tint(folder, ["keys", "issue", "--name", "Other", "--email", "other@example.com"]);
    const [{ key_id: id }] = await tintJson(folder, ["keys"]);
    const swapped = id.slice(0, -1) + (id.endsWith("x") ? "y" : "x");
    const all = "--name must not be blank.\n--email must be an e-mail address, like name@example.com.\n--limit must be";
    await expectRefusals(folder, [
      [[...ISSUE.slice(0, 5), "Agent@Example.com"], 1, "has a key already: key_"],
      ["keys issue --name X", 2, "--email"],
      ["keys issue --name  --email x --limit 0", 2, all],
      [[...ISSUE, "--limit", "1e3"], 2, "--limit must be"],
      ["keys revoke key_", 1, "may be any of key_"],
      [["keys", "revoke", swapped], 1, `Did you mean ${id}?`],
      ["keys rotate nothing-like-it", 1, "There is no key"],
    ]);
  });

  test("rotate-signing voids every estimate, and a running server follows", async () => {
    using folder = shopFolder();
    await using server = await startServer(folder);
    const ask = async (path: string, body: object) => {
      const response = await server.fetch(API + path, { method: "POST", body: JSON.stringify(body) });
      return { status: response.status, json: JSON.parse(await response.text()) };
    };
    const { json } = await ask("/estimates", { vehicle_type: "suv" });
    const next = json.next_actions.find(({ action }: { action: string }) => action === "book_appointment");
    const booking = { ...inOwnName(next.sample_request, next.fill_in), dry_run: true };
    expect((await ask("/bookings", booking)).status).toBe(200);
    const said = await tint(folder, ["keys", "rotate-signing"]);
    expect(said.stderr).toContain("void: 0 bookings");
    expect(await ask("/bookings", booking)).toMatchObject({
      status: 400,
      json: { invalid_fields: [{ field: "estimate_id" }] },
    });
  });
});
