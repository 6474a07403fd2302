/** MCP and A2A understand what REST understands, and their errors show the same repaired request. */
import { expect, test } from "bun:test";
import { QUOTE, testApp } from "../helpers.ts";

const HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };

/** The answer of a capability over each protocol. */
const PROTOCOLS = {
  MCP: async (tool: string, input: object) => {
    const params = { name: tool, arguments: input };
    const { text } = await testApp().post(
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      { headers: HEADERS },
    );
    const { result } = JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? "{}");
    return result.structuredContent ?? JSON.parse(result.content[0].text);
  },
  A2A: async (_tool: string, input: object, capability: string) => {
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ data: { capability, input } }] };
    const { json } = await testApp().post("/a2a", {
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: { message },
    });
    return json.result.message.parts[0].data;
  },
};

for (const [protocol, ask] of Object.entries(PROTOCOLS)) {
  test(`${protocol} understands names and words`, async () => {
    const answer = await ask(
      "estimate_price",
      { input: { vehicleType: "Pickup", film: "Ceramic" } },
      "automotive_estimate",
    );
    expect(answer).toMatchObject({ success: true, data: { film_type: "ceramic", vehicle: { type: "truck" } } });
    expect(answer.warnings.map(({ code }: { code: string }) => code)).toContain("UNDERSTOOD");
  });

  test(`${protocol} shows the caller's own request, mended`, async () => {
    const answer = await ask("request_quote", { ...QUOTE, email: "nobody", firstName: "Pat" }, "quote_request");
    const { input = answer.usage.sample_request } = answer.usage.sample_request;
    expect(input).toMatchObject({ first_name: "Pat", phone: QUOTE.phone, dry_run: true });
    expect(answer.usage.fill_in).toEqual(["email"]);
    const again = await ask("request_quote", { ...input, email: QUOTE.email }, "quote_request");
    expect(again).toMatchObject({ success: true, data: { status: "dry_run" } });
  });
}
