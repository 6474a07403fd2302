/** The MCP server card, and server.json of the MCP registry. */
import { expect, test } from "bun:test";
import { atSite } from "../../src/catalog/at-site.ts";
import { CATALOG, catalogWith, manyCallers, testApp } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();

const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

test("the card names the server, its address and its revisions", async () => {
  const { status, headers, json } = await APP.get("/.well-known/mcp.json");
  expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(json).toEqual({
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name: "example.marlowridge/marlow-ridge-window-film",
    title: CATALOG.business.name,
    description: expect.any(String),
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    websiteUrl: "https://marlowridge.example",
    icons: [{ src: "https://marlowridge.example/api/v1/docs/icon.svg", mimeType: "image/svg+xml", sizes: ["any"] }],
    remotes: [
      {
        type: "streamable-http",
        url: "https://marlowridge.example/mcp",
        supportedProtocolVersions: ["2026-07-28", "2025-11-25"],
      },
    ],
  });
  expect((await APP.get("/mcp/server-card")).text).toBe(JSON.stringify(json));
});

const SHOPS = [
  ["the stock shop", CATALOG],
  ["a shop on this machine", atSite("http://127.0.0.1:3000")(CATALOG)],
  ["a shop with a long name", catalogWith({ "business.name": "W".repeat(100) })],
  ["a shop without a Latin letter", catalogWith({ "business.name": "窓フィルム" })],
] as const;

test.each(SHOPS)("server.json of %s keeps to the limits of the registry", async (_, catalog) => {
  const { json } = await testApp({ catalog }).get("/server.json");
  expect(json.$schema).toBe("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json");
  expect(json.name).toMatch(NAME);
  expect(json.name.length).toBeLessThanOrEqual(200);
  for (const words of [json.description, json.title]) expect(words.length).toBeWithin(1, 101);
  expect(json.remotes).toEqual([{ type: "streamable-http", url: catalog.site.mcp_url }]);
});
