/** What assistants are told of deposits: only by a shop that asks for them (contract 6). */
import { describe, expect, test } from "bun:test";
import { API, BOOKING, catalogWith, testApp } from "../helpers.ts";
import { CATALOG, CONSENT, depositShop, EDITS } from "../payments/deposit-shop.ts";

const HEADERS = {
  ...{ accept: "application/json", "content-type": "application/json" },
  "mcp-protocol-version": "2025-11-25",
};
const PAGES = ["/", `${API}/docs-md`, `${API}/openapi.json`, "/llms.txt", `${API}/faq`] as const;

const call = (app: Awaited<ReturnType<typeof depositShop>>["app"], name: string, args: object) =>
  app.post(
    "/mcp",
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    {
      headers: { accept: "application/json", "content-type": "application/json", "mcp-protocol-version": "2025-11-25" },
    },
  );
const wish = { ...BOOKING, consent: CONSENT };

test.each(PAGES)("%s speaks of a deposit only where there is one", async (path) => {
  const asked = await testApp({ catalog: CATALOG }).get(path, { headers: { accept: "application/json" } });
  const none = await testApp().get(path, { headers: { accept: "application/json" } });
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
    const { text } = await call(it.app, "book_appointment", wish);
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
    const listed = async (edits: Record<string, unknown>) =>
      (
        await testApp({ catalog: catalogWith(edits) }).post(
          "/mcp",
          { jsonrpc: "2.0", id: 1, method: "tools/list" },
          { headers: HEADERS },
        )
      ).text;
    expect(await listed(EDITS)).toContain("held until they have paid there");
    expect(await listed({})).not.toContain("paid there");
  });
});
