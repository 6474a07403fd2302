/** The addresses in documents, answers and messages are those under which the shop is reached, in every program. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inStore, tintToday } from "../cli/run.ts";
import { dateIn, jsonOf, NO_LIMITS, OPEN_DAILY, type ShopFolder, shopFolder, startServer } from "./server.ts";

setDefaultTimeout(60_000);

const MADE_UP = "marlowridge.example";
const PATHS = `
  / /llms.txt /llms-full.txt /robots.txt /sitemap.xml /api/v1/capabilities /api/v1/openapi.json /api/v1/docs
  /api/v1/location /api/v1/faq /api/v1/estimates?vehicle_type=suv /api/v1/availability /.well-known/agents.json
  /.well-known/agent-card.json /.well-known/mcp/server-card.json /.well-known/api-catalog /book /book/glass
  /book/manage /book/privacy
`
  .trim()
  .split(/\s+/);
const MAILS = {
  ...OPEN_DAILY,
  ...NO_LIMITS,
  "messages.confirmation_email.enabled": true,
  "messages.confirmation_sms.enabled": true,
};

/** Every address of an own page in a text, without its path. */
const originsIn = (text: string) => new Set(text.match(/https?:\/\/[^/\s"'<>\\`)]+(?=\/(?:book|api\/v1|mcp|llms))/g));

async function textsOf(origin: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  // A stranger's header says nothing.
  const headers = { "X-Forwarded-Host": "evil.test", Forwarded: "host=evil.test" };
  for (const path of PATHS) texts.set(path, await (await fetch(origin + path, { headers })).text());
  const call = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });
  const post = async (path: string, body: object) => {
    const accept = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" };
    texts.set(
      path,
      await (await fetch(origin + path, { method: "POST", headers: accept, body: JSON.stringify(body) })).text(),
    );
  };
  const estimate = { name: "estimate_price", arguments: { vehicle_type: "suv" } };
  await post("/mcp", call("tools/call", estimate));
  const data = { capability: "automotive_estimate", input: { vehicle_type: "suv" } };
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ data }] };
  await post("/a2a", call("SendMessage", { message }));
  for (const path of ["/mcp", "/a2a"])
    expect([path, texts.get(path)]).toEqual([path, expect.stringContaining("/book?")]);
  return texts;
}

/** What waits to be sent to a customer, as text. */
const messagesOf = (folder: ShopFolder) =>
  inStore(folder, async (store) => JSON.stringify(await store.waitingJobs(99)));

function bookAtDesk(folder: ShopFolder, env: Record<string, string> = {}) {
  const who = ["--name", "Robin", "--phone", "404-555-0142", "--email", "robin@ellis.example"];
  return tintToday(folder, ["book", "suv", "--date", dateIn(3), "--time", "9am", ...who], { env });
}

describe("while the shop's address is made up", () => {
  test.each([
    ["0.0.0.0", (port: number) => `http://127.0.0.1:${port}`],
    ["[::]", (port: number) => `http://[::1]:${port}`],
  ])("with HOST %s and any free port everything leads to the server itself", async (HOST, origin) => {
    using folder = shopFolder(MAILS);
    await using server = await startServer(folder, { env: { HOST } });
    const own = origin(server.port);
    // One of them reads all that there is.
    for (const [path, text] of HOST === "0.0.0.0" ? await textsOf(own) : []) {
      expect([path, text.includes(MADE_UP), text.includes("evil.test")]).toEqual([path, false, false]);
      expect([path, [...originsIn(text)].filter((one) => one !== own)]).toEqual([path, []]);
    }
    const { data } = await jsonOf(await server.fetch("/api/v1/estimates?vehicle_type=suv"));
    expect(data.book_url).toStartWith(`${own}/book?`);
    expect((await fetch(data.book_url)).status).toBe(200);
    const booking = await server.post("/api/v1/bookings", {
      ...{ date: dateIn(3), time: "09:00", vehicle_type: "suv", customer_name: "Robin Ellis" },
      ...{
        customer_phone: "404-555-0146",
        customer_email: "robin@ellis.test",
        consent: { confirmed_by_user: true, sms: true },
      },
    });
    expect((await jsonOf(booking)).data.manage_url).toStartWith(`${own}/book/manage?`);
    const messages = await messagesOf(folder);
    expect(messages).toContain(`${own}/book/manage?`);
    expect(messages).not.toContain(MADE_UP);
  });

  test("a saved catalog leads there as well, and a real address to itself", async () => {
    using folder = shopFolder();
    await using server = await startServer(folder);
    const bookUrl = async () => (await jsonOf(await server.fetch("/api/v1/estimates?vehicle_type=suv"))).data.book_url;
    folder.edit({ "business.name": "Changed Tint" });
    await server.logged(({ msg }) => msg === "catalog reloaded");
    expect(await bookUrl()).toStartWith(`http://127.0.0.1:${server.port}/book?`);
    folder.edit({ "site.url": "https://lakeside.test" });
    await server.logged(
      ({ msg }) => msg === "catalog reloaded" && server.lines.filter((line) => line.msg === msg).length > 1,
    );
    expect(await bookUrl()).toStartWith("https://lakeside.test/book?");
  });

  test("a booking of the owner's, without a server, has the address of HOST and PORT", async () => {
    using folder = shopFolder(MAILS);
    expect((await bookAtDesk(folder)).status).toBe(0);
    expect(await messagesOf(folder)).toContain("http://127.0.0.1:3000/book/manage?");
    writeFileSync(join(folder.path, ".env"), "HOST=::\nPORT=8081\n");
    expect((await bookAtDesk(folder)).status).toBe(0);
    const messages = await messagesOf(folder);
    expect(messages).toContain("http://[::1]:8081/book/manage?");
    expect(messages).not.toContain(MADE_UP);
  });
});

test("TINT_SITE_URL is in what the owner's bookings, moves and cancellations queue, too", async () => {
  using folder = shopFolder(MAILS);
  const env = { TINT_SITE_URL: "https://book.lakeside.test" };
  expect((await bookAtDesk(folder, env)).status).toBe(0);
  const [{ confirmation_code: code }] = JSON.parse(
    (await tintToday(folder, ["bookings", "--date", dateIn(3), "--json"])).stdout,
  );
  expect((await tintToday(folder, ["bookings", "move", code, "1pm"], { env })).status).toBe(0);
  expect((await tintToday(folder, ["bookings", "cancel", code, "--yes"], { env })).status).toBe(0);
  const messages = await messagesOf(folder);
  expect(messages).toContain("https://book.lakeside.test/book");
  expect(messages).toContain(`UID:${code}@book.lakeside.test`);
  expect(messages).not.toContain(MADE_UP);
  expect(messages).not.toContain("127.0.0.1");
});
