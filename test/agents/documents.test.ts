/** The documents: links are alive, prices and rules are those of the catalog in force, cards and versions those of clients. */
import { describe, expect, test } from "bun:test";
import { version } from "../../package.json" with { type: "json" };
import { AGENT_CARDS } from "../../src/agents/agent-card.ts";
import { SERVER_CARDS } from "../../src/agents/mcp.ts";
import { faqOf, fillReferences } from "../../src/capabilities/faq.ts";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { atSite } from "../../src/catalog/at-site.ts";
import { derive } from "../../src/catalog/shop.ts";
import { createExamples } from "../../src/discovery/openapi/examples.ts";
import { frontWindowRule } from "../../src/discovery/prices.ts";
import { ERRORS } from "../../src/errors.ts";
import { documents, HOME } from "../../src/pages/documents.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { type Answer, API, appWith, CATALOG, catalogWith, manyCallers, NOW, testApp } from "../helpers.ts";
import { openApiDocument } from "./openapi-document.ts";

const APP = manyCallers();

const FILES = [
  "/llms.txt",
  "/llms-full.txt",
  "/robots.txt",
  "/.well-known/agents.json",
  "/.well-known/ai-plugin.json",
  "/.well-known/api-catalog",
  "/.well-known/mcp.json",
  "/mcp/server-card",
  "/server.json",
  "/.well-known/openapi.json",
  "/.well-known/agent.json",
  "/.well-known/agent-card.json",
  `${API}/capabilities`,
  `${API}/docs`,
  `${API}/docs-md`,
];

const { site } = CATALOG;

/** Addresses that are not the shop's. */
const FOREIGN = ["https://schema.org", "https://www.rfc-editor.org", "https://static.modelcontextprotocol.io"];

/** Where an address of the catalog's site is answered by this app; undefined for the shop's other pages. */
function pathOf(url: string): string | undefined {
  const proxied = url.startsWith(site.agent_proxy_url) ? url.replace(site.agent_proxy_url, site.base_url) : url;
  return proxied.startsWith(site.url) ? proxied.slice(site.url.length) || "/" : undefined;
}

function linksOf(text: string): string[] {
  return [...new Set(text.match(/https?:\/\/[^\s"'<>)`\\]+/g) ?? [])].map((url) =>
    url.replace(/&(quot|amp|lt|gt|#x27);.*$|&quot$|[.,:]+$/, ""),
  );
}

test("llms.txt: prose before the first section, and every section is a list of links", async () => {
  const { text } = await APP.get("/llms.txt");
  const [prose = "", ...sections] = text.split(/^## /m);
  expect(prose).toStartWith(`# ${CATALOG.business.name}\n\n> `);
  expect(prose.match(/^#/gm)).toHaveLength(1);
  expect(sections.length).toBeGreaterThan(1);
  for (const section of sections) {
    const [, ...lines] = section.trimEnd().split("\n");
    expect(lines.filter((line) => line !== "" && !/^- \[[^\]]+\]\(https:[^)]+\)(: .+)?$/.test(line))).toEqual([]);
  }
});

describe("TINT_SITE_URL", () => {
  const moved = testApp({ catalog: atSite("http://localhost:3000")(CATALOG) });

  // They hold every kind of address.
  test.each(["/llms-full.txt", "/server.json", "/.well-known/agents.json", `${API}/docs-md`])(
    "replaces the host of every address in %s",
    async (file) => {
      const { text } = await moved.get(file);
      const links = linksOf(text).filter((url) => !FOREIGN.some((host) => url.startsWith(host)));
      expect(links.filter((url) => new URL(url).origin !== "http://localhost:3000")).toEqual([]);
    },
  );

  test("changes no catalog while it is not set", () => {
    expect(atSite("http://localhost:3000")(CATALOG)).not.toEqual(CATALOG);
    expect(atSite(null)(CATALOG)).toEqual(CATALOG);
  });
});

/** One for all files. */
const alive = new Map<string, Answer>();
const shared = appWith({ "rate_limits.anonymous_per_minute": 10_000 });

const other = appWith({
  "business.name": "Other Shop",
  "business.links": {},
  "site.url": "https://shop.test",
  "site.base_url": "https://api.shop.test/api/v1",
  "site.mcp_url": "https://mcp.shop.test/mcp",
  "site.agent_proxy_url": "https://proxy.shop.test/api/v1",
  "business.url": "https://shop.test",
});

describe.each(FILES)("%s", (file) => {
  test("is there, and holds only addresses of the catalog", async () => {
    const { status, text, headers } = await shared.get(file);
    expect(status).toBe(200);
    expect(headers.get("etag")).toMatch(/^"/);
    const strangers = linksOf(text).filter((url) => !pathOf(url) && !FOREIGN.some((host) => url.startsWith(host)));
    expect(strangers).toEqual([]);
  });

  test("every link in it is alive", async () => {
    const { text } = await shared.get(file);
    const relative = [...text.matchAll(/(?:href=|\]\(|": ?)"?(\/(?:api|\.well-known|docs)[^"\s)#,]*)/g)].map(
      (match) => match[1] ?? "",
    );
    const paths = [...linksOf(text).map(pathOf), ...relative]
      .filter((path) => path !== undefined)
      // The Location of a booking is its name, not a page.
      .filter((path) => !path.startsWith(`${API}/bookings/`))
      // Pages of the shop's website, which this program does not serve.
      .filter((path) => !Object.values(CATALOG.business.links).map(pathOf).includes(path));
    for (const path of new Set(paths.map((one) => one.replace(/#.*$/, "")))) {
      // Most files link to the same documents.
      if (!alive.has(path)) alive.set(path, await shared.get(path));
      const { status, json } = alive.get(path) ?? {};
      // 405 means that the address is alive and takes only POST.
      expect([path, status === 405 ? json.method : Number(status) < 400]).toEqual([
        path,
        status === 405 ? "POST" : true,
      ]);
    }
  });

  test("every section it points to is on the docs page", async () => {
    const { text } = await shared.get(file);
    const page = (await shared.get(`${API}/docs`)).text;
    for (const [, id] of text.matchAll(/\/docs#([a-z_-]+)/g)) expect(page).toContain(`id="${id}"`);
  });

  test("follows the catalog's addresses and name", async () => {
    const { text } = await other.get(file);
    expect(text).not.toContain("marlowridge.example");
    expect(text).not.toContain("Marlow Ridge");
    // Requests go to the address of the API, wherever the website is.
    expect(text).not.toContain("https://shop.test/api");
  });
});

test("the paths in answers begin where llms.txt says", async () => {
  const { text } = await other.get("/llms.txt");
  const [, root = ""] = /Paths in answers begin at (\S+)\/\./.exec(text) ?? [];
  const { json } = await other.get(`${API}/faq`);
  for (const { path } of json.next_actions) expect(root + path).toStartWith("https://api.shop.test/api/v1/");
});

describe("llms.txt", () => {
  test("names every capability with its full address", async () => {
    const { text, headers } = await APP.get("/llms.txt");
    expect(headers.get("content-type")).toStartWith("text/plain");
    for (const { id, method, path } of CAPABILITIES) {
      expect(text).toContain(`- [${id}](${site.base_url}${path}): ${method}`);
    }
  });

  test("prices and rules are those of the catalog in force", async () => {
    const catalog = catalogWith({
      "automotive.vehicle_types.coupe.standard.full": 111,
      "business.hours.monday": [{ opens: "07:30", closes: "12:00" }],
      "tint_law.jurisdictions.US-GA.classes.passenger.0.front_side.vlt": 41,
      "bookings.require_api_key": true,
    });
    for (const file of ["/llms.txt", "/llms-full.txt"]) {
      const { text } = await testApp({ catalog }).get(file);
      for (const fact of ["$111", "07:30-12:00", "at least 41% of visible light"]) expect(text).toContain(fact);
      expect(text).not.toContain("No key is needed");
    }
  });

  test("the full text holds the documentation, every question and every error", async () => {
    const app = testApp();
    const { text } = await app.get("/llms-full.txt");
    const markdown = (await app.get(`${API}/docs-md`)).text;
    expect(text).toStartWith(markdown.trimEnd());
    for (const { question, answer } of faqOf(CATALOG)) expect(text).toContain(`### ${question}\n\n${answer}`);
    for (const code of Object.keys(ERRORS)) expect(text).toContain(code);
  });
});

describe("answers that name places of the catalog", () => {
  test("follow a change of the price, wherever they are shown", async () => {
    const catalog = catalogWith({
      currency: "EUR",
      "automotive.addons.nofault.price.standard": 81.5,
      "scheduling.cure.full_cure_days": 21,
    });
    const app = testApp({ catalog });
    const { json } = await app.get(`${API}/faq`);
    const told = json.data.map(({ answer }: { answer: string }) => answer).join("\n");
    for (const text of [told, (await app.get("/llms-full.txt")).text]) {
      expect(text).toContain("An add-on for €81.50 with standard film");
      expect(text).toContain("Within 21 days.");
      expect(text).not.toMatch(/\{[a-z_]+\.[\w.-]+\}/);
    }
  });

  test.each([
    ["from {automotive.vehicle_types.van.ceramic.full}", "from $649"],
    ["{flat_glass.rates_per_sqft.commercial.better}", "$16.75"],
    ["{scheduling.bays} bays, {business.name}", "2 bays, Marlow Ridge Window Film"],
    ["{tint_law.jurisdictions.US-GA.exemptions.0.fee}", "$10"],
    ["{currency}, {}, {a b.c}, {.}, {scheduling.}", "{currency}, {}, {a b.c}, {.}, {scheduling.}"],
  ])("%s", (text, shown) => {
    expect(fillReferences(text, CATALOG)).toBe(shown);
  });
});

describe("the home state's rule for front windows", () => {
  const HOME = "tint_law.jurisdictions.US-GA";
  // Without questions, because one of their answers names the percentage, and only `min_vlt` has one.
  const front = (rule: object) => ({ [`${HOME}.classes.passenger.0.front_side`]: rule, faq: [] });
  const CASES: [name: string, edits: Record<string, unknown>, words: string][] = [
    [
      "min_vlt, net",
      {},
      "at least 32% of visible light (VLT) must pass (plus or minus 3 points), measured on glass and film",
    ],
    ["min_vlt, film", { [`${HOME}.measure`]: "film" }, "measured on the film alone."],
    ["min_vlt, unclear", { [`${HOME}.measure`]: "unclear" }, "or on glass and film together (it is not known which)."],
    ["any", front({ rule: "any" }), "passenger car: any shade is permitted here."],
    ["prohibited", front({ rule: "prohibited" }), "passenger car: no film is permitted here."],
    ["strip", front({ rule: "strip", inches: 4 }), "only a strip is permitted here, down to 4 inches."],
    ["strip to a line", front({ rule: "strip", as1: true }), "only a strip is permitted here, down to the AS-1 line."],
    [
      "a choice",
      { "tint_law.home": "US-CO" },
      "at least 27% of visible light (VLT) must pass, measured on glass and film together; or",
    ],
  ];
  test.each(CASES)("%s", async (_, edits, words) => {
    const catalog = catalogWith(edits);
    expect(frontWindowRule(catalog)).toContain(words);
    const app = testApp({ catalog });
    for (const path of ["/llms.txt", `${API}/docs-md`]) {
      const { text } = await app.get(path);
      expect(text).toContain(frontWindowRule(catalog));
      expect(text).not.toMatch(/^- *$|^- {2}/m);
    }
  });

  test("every state as home gives a rule", () => {
    for (const home of Object.keys(CATALOG.tint_law.jurisdictions))
      expect(frontWindowRule(derive({ ...CATALOG, tint_law: { ...CATALOG.tint_law, home } }))).toMatch(/: .{20,}\.$/);
  });
});

describe("/.well-known", () => {
  test("agents.json: flows over operations that exist, with complete links", async () => {
    const { json } = await APP.get("/.well-known/agents.json");
    const document = await openApiDocument();
    const operations = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(json).toMatchObject({ agentsJson: "0.1.0" });
    expect(json.sources).toEqual([{ id: "tintdesk", path: `${site.base_url}/openapi.json` }]);
    for (const flow of json.flows) {
      for (const field of ["id", "title", "description", "actions", "fields"]) expect(flow).toHaveProperty(field);
      const actions = flow.actions.map(({ id }: { id: string }) => id);
      for (const { operationId, sourceId } of flow.actions) {
        expect(operations).toContain(operationId);
        expect(sourceId).toBe("tintdesk");
      }
      for (const { origin, target } of flow.links) {
        for (const { actionId } of [origin, target]) expect([null, ...actions]).toContain(actionId);
      }
    }
  });

  test("ai-plugin.json keeps the lengths of its format", async () => {
    const { json } = await APP.get("/.well-known/ai-plugin.json");
    expect(json.schema_version).toBe("v1");
    expect(json.name_for_human.length).toBeLessThanOrEqual(20);
    expect(json.name_for_model).toMatch(/^[a-zA-Z0-9_]{1,50}$/);
    expect(json.description_for_human.length).toBeLessThanOrEqual(100);
    expect(json.description_for_model.length).toBeLessThanOrEqual(8000);
    expect(json.auth).toEqual({ type: "none" });
    expect(json.api).toEqual({ type: "openapi", url: `${site.base_url}/openapi.json` });
  });

  test("api-catalog is a linkset, and HEAD says where it is", async () => {
    const app = testApp();
    const { headers, text } = await app.get("/.well-known/api-catalog");
    expect(headers.get("content-type")).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    );
    const { linkset } = JSON.parse(text);
    expect(linkset[0].item).toContainEqual({ href: site.base_url });
    const expected = { anchor: site.base_url, "service-desc": [{ href: `${site.base_url}/openapi.json` }] };
    expect(linkset[1]).toMatchObject(expected);
    const head = await app.send("HEAD", "/.well-known/api-catalog");
    expect(head.headers.get("link")).toBe(`<${site.url}/.well-known/api-catalog>; rel="api-catalog"`);
  });
});

const examplesAt = createExamples(() => openSqliteStore(":memory:"));

/** A section of the documentation, or an entry of the manifest, is made anew whenever the whole is. */
const wholes = documents(examplesAt).filter(({ path }) => !/\/(docs-md|capabilities)\//.test(path));
const ALL = [...wholes, ...AGENT_CARDS, ...SERVER_CARDS, HOME.manifest, HOME.text];

test.each(ALL.map((one) => [one.path, one.contentType, one] as const))(
  "%s (%s) says whether it depends on more than the catalog",
  async (_, __, { render, showsSamples = false, showsToday = false }) => {
    const bodyAt = async (days: number) => (await render(CATALOG, NOW.add({ hours: 24 * days }))).body;
    const [today, again, later] = [await bodyAt(0), await bodyAt(0), await bodyAt(7)];
    expect([again === today, later !== today]).toEqual([true, showsSamples || showsToday]);
  },
);

test("where the examples fail, the documents are there without them", async () => {
  const broken = documents(
    createExamples(() => ({
      ...openSqliteStore(":memory:"),
      book: async () => Promise.reject(new Error("disk full")),
    })),
  );
  const docs = broken.find(({ path }) => path.endsWith("/docs-md"));
  const body = (await docs?.render(CATALOG, NOW))?.body ?? "";
  expect(body).toContain("## Quick start");
  expect(body).not.toContain('"status": "confirmed"');
});

test.each([
  ...["/capabilities", "/openapi.json", "/docs", "/docs-md"].map((path) => API + path),
  "/.well-known/agents.json",
  "/.well-known/agent-card.json",
])("%s has the version of the program", async (path) => {
  const { text } = await APP.get(path);
  expect(text).toMatch(new RegExp(`(?:version |"version":")${version.replaceAll(".", "\\.")}\\b`));
});

const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

test("the card names the server, its address and its revisions", async () => {
  const ERAS = ["2026-07-28", "2025-11-25"];
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
    remotes: [{ type: "streamable-http", url: "https://marlowridge.example/mcp", supportedProtocolVersions: ERAS }],
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
