/** What assistants are told of deposits: only by a shop that asks for them (contract 6). */
import { describe, expect, test } from "bun:test";
import { API, BOOKING, type TestApp, testApp } from "../helpers.ts";
import { CATALOG, CONSENT, depositShop } from "../payments/deposit-shop.ts";

const HEADERS = {
  ...{ accept: "application/json", "content-type": "application/json" },
  "mcp-protocol-version": "2025-11-25",
};
const PAGES = ["/", `${API}/docs-md`, `${API}/openapi.json`, "/llms.txt", `${API}/faq`] as const;

const rpc = (app: Pick<TestApp, "post">, method: string, params: object = {}) =>
  app.post("/mcp", { jsonrpc: "2.0", id: 1, method, params }, { headers: HEADERS });
const wish = { ...BOOKING, consent: CONSENT };

const ASKING = testApp({ catalog: CATALOG });
const PLAIN = testApp();

test.each(PAGES)("%s speaks of a deposit only where there is one", async (path) => {
  const asked = await ASKING.get(path, { headers: { accept: "application/json" } });
  const none = await PLAIN.get(path, { headers: { accept: "application/json" } });
  expect([none.status, asked.status]).toEqual([200, 200]);
  if (path === `${API}/openapi.json`) {
    expect(asked.text).toContain("BookingPayment");
    expect(none.text).not.toContain("BookingPayment");
  }
  if (path === `${API}/faq`) {
    expect(none.text).toContain("takes no card and no deposit");
    expect(asked.text).not.toContain("takes no card and no deposit");
    expect(asked.text).not.toContain("No payment now");
  }
  if (path === `${API}/docs-md`) expect(asked.text).toContain("payment");
});

describe("an assistant passes the link on", () => {
  test("over MCP", async () => {
    using it = await depositShop();
    const { text } = await rpc(it.app, "tools/call", { name: "book_appointment", arguments: wish });
    const { data, next_actions } = JSON.parse(JSON.parse(text).result.content[0].text);
    expect([data.status, data.payment.amount, data.payment.currency]).toEqual(["held", 50, "USD"]);
    expect(data.payment.url).toStartWith("https://checkout.stripe.com/");
    expect(next_actions[0]).toMatchObject({ tool: "find_booking" });
  });

  test("over A2A", async () => {
    using it = await depositShop();
    const message = {
      ...{ messageId: "1", role: "user", kind: "message" },
      parts: [{ kind: "data", data: { capability: "book_appointment", input: wish } }],
    };
    const { text } = await it.app.post("/a2a", { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
    expect(text).toContain('"status":"held"');
    expect(text).toContain("https://checkout.stripe.com/");
  });

  test("its tool says so", async () => {
    const listed = async (app: TestApp) => (await rpc(app, "tools/list")).text;
    expect(await listed(ASKING)).toContain("held until they have paid there");
    expect(await listed(PLAIN)).not.toContain("paid there");
  });
});
