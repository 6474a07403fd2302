/** The tools over HTTP, with a client of each era, and the conformance suite of the protocol's authors. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json" with { type: "json" };
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { TOOLS, USUAL_TOOLS } from "../../src/constants.ts";
import { type JsonSchema, jsonSchema } from "../../src/schema/json-schema.ts";
import { BOOKING, CATALOG, NOW, PAT } from "../helpers.ts";
import { listen } from "./listen.ts";
import { ERAS, type Era, type ToolAnswer } from "./mcp-clients.ts";

const SIX = ["get_services", "get_location", "get_faq", "check_availability", "estimate_price", "request_quote"];
const ALL_TOOLS = { "mcp.tools": [...TOOLS] };
const READ_ONLY = { readOnlyHint: true, openWorldHint: false };
const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true };

const HINTS = { none: READ_ONLY, creates_lead: ADDS, books_appointment: ADDS, changes_appointment: CHANGES };

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const textOf = ({ content }: ToolAnswer): any => {
  const [first] = content as { type: string; text: string }[];
  return JSON.parse(first?.text ?? "");
};

const capabilityOf = (tool: string) => {
  const found = CAPABILITIES.find(({ operationId }) => operationId === tool);
  if (!found) throw new Error(`no capability ${tool}`);
  return found;
};
const annotationsOf = (tools: readonly string[]) =>
  Object.fromEntries(tools.map((tool) => [tool, HINTS[capabilityOf(tool).sideEffect]]));

/** A server and a client of it, for all tests of a block. */
function served({ connect }: Era) {
  const api = listen({ edits: { "rate_limits.anonymous_per_minute": 10_000 } });
  const connected = connect(new URL(`${api.url}/mcp`));
  afterAll(async () => {
    await (await connected)[Symbol.asyncDispose]();
    await api[Symbol.asyncDispose]();
  });
  return { api, connected };
}

describe.each(ERAS)("a client of revision $revision", (era) => {
  const { api, connected } = served(era);

  test("finds exactly the tools of the contract, with titles, annotations and schemas", async () => {
    const client = await connected;
    const tools = await client.tools();
    expect(Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))).toEqual(
      annotationsOf(USUAL_TOOLS),
    );
    expect(tools.map(({ title }) => title)).toEqual(tools.map(({ name }) => capabilityOf(String(name)).title));
    // Whatever acts says so first.
    const acting = tools.filter(({ annotations }) => !Object(annotations).readOnlyHint);
    expect(acting.length).toBe(5);
    for (const { description } of acting) expect(String(description)).toContain("Ask the end user first");
    for (const tool of tools) {
      const expected = { description: expect.stringMatching(/^.{30,400}$/s), inputSchema: { type: "object" } };
      expect(tool).toMatchObject(expected);
      expect(tool).not.toHaveProperty("outputSchema");
      expect(JSON.stringify(tool)).not.toMatch(/\$schema|x-soft|x-tool|9007199254740991/);
    }
    const quote = tools.find(({ name }) => name === "request_quote");
    expect(quote).toMatchObject({ inputSchema: { required: ["first_name", "phone", "email", "service_type"] } });
    // It prices vehicles and buildings, so that no field is required of both.
    const estimate = tools.find(({ name }) => name === "estimate_price");
    expect(estimate).toMatchObject({
      inputSchema: { properties: { vehicle_type: {}, site_type: {}, total_sqft: {}, windows: {} } },
    });
    expect(estimate?.inputSchema).not.toHaveProperty("required");
    expect(client.capabilities).toEqual({ tools: { listChanged: false } });
  });

  test("introduces itself as the shop, with phone, hours and icon", async () => {
    const client = await connected;
    expect(client.server).toMatchObject({
      name: "marlow-ridge-window-film",
      title: CATALOG.business.name,
      version,
      websiteUrl: api.url,
      icons: [{ src: `${api.url}/api/v1/docs/icon.svg`, mimeType: "image/svg+xml" }],
    });
    expect(client.instructions).toContain(CATALOG.business.phone);
    expect(client.instructions).toContain(`${api.url}/book`);
  });

  test("gets -32602 for a tool that does not exist, bookings included", async () => {
    const client = await connected;
    for (const name of ["get_booking_status", "register_api_key", "quote_request", "toString"]) {
      const error = await client.call(name).catch((thrown) => thrown);
      expect({ name, code: error.code }).toEqual({ name, code: -32602 });
    }
  });
});

describe.each(ERAS.slice(0, 1))("what hangs on no revision, asked in $revision", (era) => {
  const { connect } = era;
  const shared = served(era);

  test("offers what the owner lists, with the right annotations", async () => {
    await using api = listen({ edits: ALL_TOOLS });
    await using client = await connect(new URL(`${api.url}/mcp`));
    const tools = await client.tools();
    expect(Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))).toEqual(annotationsOf(TOOLS));
    api.setCatalog({ "mcp.tools": ["get_location", "estimate_price"] });
    await using second = await connect(new URL(`${api.url}/mcp`));
    expect((await second.tools()).map(({ name }) => name)).toEqual(["get_location", "estimate_price"]);
    expect((await second.call("get_faq").catch((error) => error)).code).toBe(-32602);
  });

  test("a customer books, moves and cancels with the tools that the steps name", async () => {
    await using api = listen({ edits: ALL_TOOLS });
    await using client = await connect(new URL(`${api.url}/mcp`));
    const { next_actions: steps } = textOf(await client.call("estimate_price", { vehicle_type: "suv" }));
    const step = steps.find(({ tool }: { tool: string }) => tool === "book_appointment");
    const { dry_run: _, ...sample } = step.arguments;
    const booked = textOf(await client.call(step.tool, { ...sample, ...PAT }));
    const code = { confirmation_code: booked.data.confirmation_code };
    expect(textOf(await client.call("get_booking_status", code)).data.status).toBe("confirmed");
    const proof = { ...code, phone: BOOKING.customer_phone };
    const found = textOf(await client.call("find_booking", proof));
    const cancelling = found.next_actions.find(({ tool }: { tool: string }) => tool === "cancel_booking");
    expect(cancelling).toMatchObject({ requires_consent: true, arguments: code });
    expect(textOf(await client.call("cancel_booking", proof)).data.status).toBe("cancelled_by_customer");
  });

  test.each([
    ["the six of the specification", { "mcp.tools": SIX }],
    ["the ten", {}],
    ["all", ALL_TOOLS],
    ["two", { "mcp.tools": ["check_availability", "request_quote"] }],
  ])("speaks in names of tools only, with %s", async (_, edits) => {
    await using api = listen({ edits });
    await using client = await connect(new URL(`${api.url}/mcp`));
    const tools = await client.tools();
    const failures = [
      await client.call("check_availability", { days: "7", service: 99 }),
      await client.call("check_availability", { vehicle_type: "boat" }),
      await client.call("request_quote", { service_type: "boats" }),
    ];
    expect(failures.map(({ isError }) => isError)).toEqual([true, true, true]);
    const open = await client.call("check_availability", {});
    const said = JSON.stringify([tools, failures.map(textOf), textOf(open).next_actions]);
    for (const { id, operationId } of CAPABILITIES)
      if (id !== operationId) expect(said).not.toMatch(new RegExp(`\b${id}\b`));
    expect(said.replaceAll(`${api.url}/api/v1/docs`, "")).not.toMatch(/\/api\/v1|Retry-After header/);
    expect(said).not.toMatch(/\b(GET|POST) /);
    // A tool that is not offered is named with the phone, or not at all.
    const offered = tools.map(({ name }) => String(name));
    for (const name of TOOLS.filter((one) => !offered.includes(one)))
      expect(said).not.toMatch(new RegExp(`"tool":"${name}"`));
  });

  test("leaves a caller's own words as they are", async () => {
    const client = await shared.connected;
    const own = "my list_services {phone}";
    const { warnings } = textOf(await client.call("check_availability", { [own]: 1 }));
    expect(warnings[0].message).toStartWith(`${own} is not a field`);
  });

  test("prices the glass of a building with estimate_price", async () => {
    const client = await shared.connected;
    const windows = [{ width_in: 36, height_in: 60, quantity: 8 }];
    const answer = textOf(
      await client.call("estimate_price", { site_type: "commercial", windows, needs_ladder: true }),
    );
    expect(answer.data).toMatchObject({ kind: "flat_glass", total_sqft: 120 });
    expect(answer.data.options[0].total).toBe(120 * 18);
    const van = textOf(await client.call("estimate_price", { vehicle_type: "van", service: "commercial" }));
    expect(van.invalid_fields).toMatchObject([{ field: "service" }]);
    for (const service of ["residential", "office"]) {
      const glass = textOf(await client.call("estimate_price", { service, sqft: 100 }));
      expect(glass).toMatchObject({ data: { kind: "flat_glass", total_sqft: 100 } });
    }
    const vehicle = textOf(await client.call("estimate_price", { vehicle_type: "suv", site_type: null }));
    expect(vehicle.data.kind).toBe("automotive");
    const neither = textOf(await client.call("estimate_price", { site_type: "commercial" }));
    expect(neither).toMatchObject({ error_code: "MISSING_FIELD", missing_fields: ["total_sqft"] });
    const other = textOf(await client.call("estimate_price", { siteType: "commercial", sqft: 120 }));
    expect(other.data).toMatchObject({ kind: "flat_glass", total_sqft: 120 });
    for (const args of [{ total_sqft: 120 }, { windows, view: "brief" }, { squareFeet: 120, floors: 2 }]) {
      const unplaced = textOf(await client.call("estimate_price", args));
      expect(unplaced).toMatchObject({ error_code: "MISSING_FIELD", missing_fields: ["site_type"] });
    }
    for (const args of [{}, { view: "brief" }, { total_sqft: 120, film_type: "ceramic" }]) {
      const unnamed = textOf(await client.call("estimate_price", args));
      expect(unnamed).toMatchObject({ error_code: "MISSING_FIELD", missing_fields: ["vehicle_type"] });
    }
  });

  test("a tool has every field and word, and what is required", async () => {
    const client = await shared.connected;
    const tools = await client.tools();
    for (const { name, inputSchema } of tools) {
      const { properties = {}, required = [] } = inputSchema as JsonSchema;
      const { id, input } = capabilityOf(String(name));
      const whole = jsonSchema(input(CATALOG), "input");
      if (id !== "automotive_estimate") expect([name, required]).toEqual([name, whole.required ?? []]);
      for (const [field, { enum: words }] of Object.entries(properties)) {
        const own = whole.properties?.[field];
        if (own?.type === "string" && own.enum) expect([name, field, words]).toEqual([name, field, own.enum]);
      }
      for (const [field, own] of Object.entries(whole.properties ?? {}))
        expect([name, field, field in properties]).toEqual([name, field, own["x-tool"] !== false]);
    }
    // The price and the length hang on the vehicle.
    expect(tools.find(({ name }) => name === "book_appointment")?.description).toContain("Needs: vehicle_type, date,");
  });

  test.each(SIX)("%s answers like REST", async (name) => {
    const { api, connected } = shared;
    const client = await connected;
    const { method, path, sample } = capabilityOf(name);
    const input = { ...sample(CATALOG, NOW) };
    const answer = await client.call(name, input);
    expect(answer.isError ?? false).toBe(false);
    // The text is the answer, and it is sent once.
    expect(answer.structuredContent).toBeUndefined();

    const query =
      method === "GET"
        ? `?${new URLSearchParams(Object.fromEntries(Object.entries(input).map(([k, v]) => [k, String(v)])))}`
        : "";
    const body = method === "POST" ? { body: JSON.stringify(input) } : {};
    const rest = await fetch(`${api.url}/api/v1${path}${query}`, { method, ...body });
    const text = await rest.text();
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(1.3 * Buffer.byteLength(text));
    const { next_actions: steps, ...expected } = JSON.parse(text);
    const { next_actions: calls, ...told } = textOf(answer);
    expect(told).toEqual(expected);
    expect(calls?.length).toBe(steps?.length);
  });

  test("names tools and their arguments as next steps, and says what no tool does", async () => {
    await using api = listen();
    await using client = await connect(new URL(`${api.url}/mcp`));
    const { next_actions: steps } = textOf(await client.call("estimate_price", { vehicle_type: "suv" }));
    const [times, booking] = steps;
    expect(times).toMatchObject({ tool: "check_availability", arguments: { vehicle_type: "suv" } });
    expect((await client.call(times.tool, times.arguments)).isError ?? false).toBe(false);
    expect(booking).toMatchObject({ tool: "book_appointment", requires_consent: true });
    api.setCatalog({ "mcp.tools": SIX });
    const [, byPhone] = textOf(await client.call("estimate_price", { vehicle_type: "suv" })).next_actions;
    expect(Object.keys(byPhone)).toEqual(["description"]);
    expect(byPhone.description).toContain(`call +1-404-555-0142, or open ${api.url}/book?`);
    const words = (await client.tools()).map(({ description }) => description).join("\n");
    for (const said of ["use estimate_price with site_type", 'before "Book an appointment" (no tool: call +1-404'])
      expect(words).toContain(said);
    const glass = { site_type: "commercial", total_sqft: 200 };
    const quote = textOf(await client.call("estimate_price", glass)).next_actions[0];
    expect(quote).toMatchObject({ tool: "request_quote", requires_consent: true, arguments: { square_footage: 200 } });
  });

  test("gets the API's error object as a result on a failure", async () => {
    const client = await shared.connected;
    await client.tools();
    const failure = await client.call("estimate_price", { vehicle_type: "boat" });
    expect(failure.isError).toBe(true);
    expect(failure.structuredContent).toBeUndefined();
    expect(textOf(failure)).toMatchObject({
      success: false,
      error_code: "INVALID_VEHICLE_TYPE",
      invalid_fields: [{ field: "vehicle_type" }],
      agent_instruction: expect.any(String),
      request_id: expect.stringMatching(/^req_/),
    });
    const expected = { error_code: "MISSING_FIELD", missing_fields: ["first_name", "phone", "email", "service_type"] };
    expect(textOf(await client.call("request_quote", {}))).toMatchObject(expected);
    expect(textOf(await client.call("check_availability", { days: "7.5" }))).toMatchObject({
      error_code: "BAD_REQUEST",
    });
  });
});

const SUITE = new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url).pathname;

/** Features that the server has not, says so of, and answers −32601; and tools that only the suite's own example server has. */
const NOT_OFFERED = /^(?:logging|completion|resources|prompts)-/;
const NEEDS_THE_EXAMPLE_SERVER =
  /^(?:tools-call|elicitation|input-required-result)-|^json-schema-2020-12$|^http-custom-header-server-validation$/;

/** Single checks of scenarios that otherwise pass. */
const EXCEPTED_CHECKS = [
  // Need test_missing_capability, test_streaming_elicitation and test_logging_tool of the example server.
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-server-no-log-without-loglevel",
  // Prompts and resources are not offered.
  "sep-2549-prompts-list-caching-hints",
  "sep-2549-resources-list-caching-hints",
  "sep-2549-resources-templates-list-caching-hints",
];

/** Scenarios that must pass, so that an empty run does not count as a good one. */
const PASSED = {
  "2025-11-25": ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"],
  "2026-07-28": [
    ...["server-stateless", "tools-list", "dns-rebinding-protection", "caching", "http-header-validation"],
    ...["server-sse-multiple-streams", "sep-2164-resource-not-found"],
    ...["input-required-result-unsupported-methods", "input-required-result-validate-input"],
    ...["input-required-result-ignore-extra-params", "input-required-result-missing-input-response"],
  ],
};

interface Check {
  id: string;
  status: string;
}

describe.each(["2025-11-25", "2026-07-28"] as const)("MCP conformance, revision %s", (revision) => {
  test("passes every scenario that applies to a server with tools only", async () => {
    await using api = listen({ edits: { "rate_limits.anonymous_per_minute": 10_000 } });
    const results = await runSuite(`${api.url}/mcp`, revision);
    const failed = [...results].flatMap(([scenario, checks]) =>
      checks.filter(({ status }) => status === "FAILURE").map(({ id }) => ({ scenario, id })),
    );
    const isExcepted = (scenario: string) =>
      !PASSED[revision].includes(scenario) && (NOT_OFFERED.test(scenario) || NEEDS_THE_EXAMPLE_SERVER.test(scenario));
    expect(failed.filter(({ scenario, id }) => !isExcepted(scenario) && !EXCEPTED_CHECKS.includes(id))).toEqual([]);
    // An exception that passes must be none.
    const hasFailed = new Set(failed.map(({ scenario }) => scenario));
    const needless = [...results.keys()].filter((one) => isExcepted(one) && !hasFailed.has(one));
    expect(needless).toEqual([]);
    for (const scenario of PASSED[revision]) {
      const expected = { scenario, passed: true };
      expect({ scenario, passed: results.get(scenario)?.some(({ status }) => status === "SUCCESS") }).toEqual(expected);
    }
  }, 60_000);
});

/** The checks of every scenario of a revision. */
async function runSuite(url: string, revision: string): Promise<Map<string, Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), "tintdesk-"));
  try {
    const { PATH = "" } = process.env;
    const args = ["server", "--url", url, "--suite", "all", "--spec-version", revision, "--output-dir", folder];
    const child = Bun.spawn([process.execPath, SUITE, ...args], {
      cwd: folder,
      env: { PATH },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      timeout: 50_000,
    });
    await child.exited;
    const results = new Map<string, Check[]>();
    for (const name of readdirSync(folder)) {
      const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T/.exec(name)?.[1];
      if (scenario) results.set(scenario, await Bun.file(join(folder, name, "checks.json")).json());
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
