/** The agent card and its endpoint, as the clients of A2A 1.0 and 0.3 use them. */
import { describe, expect, test } from "bun:test";
import { type AgentCard, type Message, type Part, Role, type SendMessageRequest } from "@a2a-js/sdk";
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { type Answer, API, appWith, BOOKING, CATALOG, fileApp, NOW, QUOTE, testApp } from "../helpers.ts";
import { listen } from "./listen.ts";

const part = (content: Part["content"]): Part => ({ content, metadata: undefined, filename: "", mediaType: "" });
const dataPart = (value: unknown) => part({ $case: "data", value });
const textPart = (value: string) => part({ $case: "text", value });
const request = (...parts: Part[]): SendMessageRequest => ({
  tenant: "",
  configuration: undefined,
  metadata: undefined,
  message: {
    messageId: crypto.randomUUID(),
    contextId: "the-context",
    taskId: "",
    role: Role.ROLE_USER,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
});

/** Both SDK clients start from the same card. The 0.3 client gets it without the fields that 0.3 did not have. */
const VERSIONS: { version: string; connect: (url: string) => Promise<Client> }[] = [
  { version: "1.0", connect: (url) => new ClientFactory().createFromUrl(url) },
  {
    version: "0.3",
    async connect(url) {
      const compat = { legacyCompat: { enabled: true } };
      const card = await (await fetch(`${url}/.well-known/agent.json`)).text();
      const { supportedInterfaces: _, ...old } = JSON.parse(card);
      const cardResolver = new DefaultAgentCardResolver({
        ...compat,
        fetchImpl: Object.assign(async () => Response.json(old), { preconnect: fetch.preconnect }),
      });
      return new ClientFactory({ transports: [new JsonRpcTransportFactory(compat)], cardResolver }).createFromUrl(url);
    },
  },
];

async function send(client: Client, ...parts: Part[]): Promise<Message> {
  const answer = await client.sendMessage(request(...parts));
  if (!("messageId" in answer)) throw new Error("a task was made");
  return answer;
}
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const dataOf = ({ parts }: Message): any => parts.find(({ content }) => content?.$case === "data")?.content?.value;
const textOf = ({ parts }: Message) => parts.find(({ content }) => content?.$case === "text")?.content?.value;

test("the agent card holds at most 8 kB", async () => {
  const { bytes } = await testApp().get("/.well-known/agent-card.json");
  expect(bytes.length).toBeLessThanOrEqual(8_192);
});

test("where bookings need a key, the card says so in both versions, as OpenAPI does", async () => {
  const app = appWith({ "bookings.require_api_key": true });
  const { json: card } = await app.get("/.well-known/agent-card.json");
  const { json: openapi } = await app.get(`${API}/openapi.json`);
  expect(card.securitySchemes).toMatchObject(openapi.components.securitySchemes);
  expect(card.securitySchemes).toMatchObject({
    bearerKey: { httpAuthSecurityScheme: { scheme: "Bearer" } },
    headerKey: { apiKeySecurityScheme: { location: "header", name: "X-API-Key" } },
  });
  for (const { id, security, securityRequirements } of card.skills) {
    const { path, method } = CAPABILITIES.find((one) => one.id === id) ?? {};
    expect(security).toEqual(openapi.paths[path ?? ""][String(method).toLowerCase()].security);
    const schemes = security?.map((one: object) =>
      Object.keys(one).map((name) => ({ schemes: { [name]: { list: [] } } })),
    );
    expect(securityRequirements).toEqual(schemes?.flat());
  }
  const { json: open } = await testApp().get("/.well-known/agent-card.json");
  expect([open.securitySchemes, open.skills.some((skill: object) => "security" in skill)]).toEqual([undefined, false]);
});

describe.each(VERSIONS)("a client of A2A $version", ({ version, connect }) => {
  test("speaks that version, to the address on the card", async () => {
    await using api = listen();
    expect((await connect(api.url)).protocolVersion).toStartWith(version);
  });

  test("a next step names a capability and its input, which can be sent as they are", async () => {
    await using api = listen();
    const client = await connect(api.url);
    const asked = { capability: "automotive_estimate", input: { vehicle_type: "suv", shade: 50 } };
    const [first] = dataOf(await send(client, dataPart(asked))).next_actions;
    expect(Object.keys(first)).not.toContainAnyValues(["action", "method", "path", "sample_request", "url"]);
    const { capability, input } = first;
    expect(dataOf(await send(client, dataPart({ capability, input })))).toMatchObject({ success: true });
  });
});

describe.each(VERSIONS.slice(0, 1))("what hangs on no version, asked in $version", ({ connect }) => {
  test.each(CAPABILITIES)("$id: a data part is answered with the capability's answer", async (capability) => {
    await using api = listen();
    const client = await connect(api.url);
    const input = { ...capability.sample(CATALOG, NOW) };
    if (capability.isExtension) {
      const booked = await send(client, dataPart({ capability: "book_appointment", input: BOOKING }));
      input.confirmation_code = dataOf(booked).data.confirmation_code;
      if ("phone" in input) input.phone = BOOKING.customer_phone;
    }
    const answer = await send(client, dataPart({ capability: capability.id, input }));
    expect(answer.role).toBe(Role.ROLE_AGENT);
    expect(answer.contextId).toBe("the-context");
    const { success, data } = dataOf(answer);
    expect(success).toBe(true);
    expect(capability.output(CATALOG).safeParse(data).error).toBeUndefined();
  });

  test("a sentence is a question, a request or not understood, with hours, phone and page, and without JSON", async () => {
    await using api = listen();
    const client = await connect(api.url);
    const SENTENCES = [
      ["How long does it take?", /\? For all side and rear glass/],
      ["Do you come to me?", /at our shop in Marietta/],
      ["What does the warranty cover?", /warranty/],
      ["Do you tint boats?", /^The shop has published no answer to this\. Call/],
      ["How much is ceramic on a 2019 Honda Civic?", /^Ceramic IR film, sedan.*: \$499\./],
      ["Hello, what can you do?", /^You can ask for/],
      ["[1]", /^The shop has published/],
      ["I like turtles and long walks on the beach", /^I did not understand that\. You can ask for/],
    ] as const;
    for (const [sentence, said] of SENTENCES) {
      const answer = await send(client, textPart(sentence));
      expect(textOf(answer)).toMatch(said);
      for (const part of ["Open Monday", CATALOG.business.phone, "/book"]) expect(textOf(answer)).toContain(part);
      expect(textOf(answer)).not.toMatch(/[{}]/);
    }
    const { capabilities, manifest, phone, book_url } = dataOf(await send(client, textPart("Hello, what can you do?")));
    expect(capabilities.map(({ id }: { id: string }) => id)).toEqual(CAPABILITIES.map(({ id }) => id));
    expect(capabilities).toContainEqual({ id: "automotive_estimate", needs: ["vehicle_type"] });
    const booking = capabilities.find(({ id }: { id: string }) => id === "book_appointment");
    expect([booking.consent, booking.needs.slice(0, 2)]).toEqual([true, ["vehicle_type", "date"]]);
    expect([phone, book_url]).toEqual([CATALOG.business.phone, `${api.url}/book`]);
    expect((await fetch(manifest)).status).toBe(200);
  });

  test("a sentence is read as far as 300 characters, a question as far as a search: 200", async () => {
    await using api = listen();
    const client = await connect(api.url);
    const answerTo = async (before: number, sentence: string) =>
      textOf(await send(client, textPart(`${"so ".repeat(before)}${sentence}`)));
    expect(await answerTo(20, "What does the warranty cover?")).toContain("warranty");
    expect(await answerTo(67, "What does the warranty cover?")).toStartWith("The shop has published no answer");
    expect(await answerTo(90, "Price of a sedan?")).toStartWith("Standard film, sedan");
    expect(await answerTo(100, "Price of a sedan?")).toStartWith("The shop has published no answer");
  });

  test("text that is one JSON object counts as data, bare or in a code fence; JSON in a sentence does not", async () => {
    await using api = listen();
    const client = await connect(api.url);
    const price = { capability: "automotive_estimate", input: { vehicle_type: "suv" } };
    const asData = await send(client, dataPart(price));
    const json = JSON.stringify(price, null, 2);
    for (const text of [
      ` ${json}\n`,
      `\`\`\`json\n${json}\n\`\`\``,
      `\`\`\`\n${json}\n\`\`\`\n`,
      `\`\`\`JSON ${json}\`\`\``,
    ]) {
      const asText = await send(client, textPart(text));
      expect(dataOf(asText).data.total).toBe(dataOf(asData).data.total);
    }
    for (const text of [
      `Here it is:\n\`\`\`\n${json}\n\`\`\`\nThank you!`,
      `Here it is: ${json}`,
      `\`\`\`${json}`,
      `${json} ${json}`,
    ])
      expect(textOf(await send(client, textPart(text)))).toContain("Open Monday");
    const broken = await send(client, textPart('{"question": "?"}'));
    expect(dataOf(broken)).toMatchObject({ success: false, missing_fields: ["capability"] });
  });

  test("gets the API's error object on a failure", async () => {
    await using api = listen();
    const client = await connect(api.url);
    const ask = async (data: unknown) => dataOf(await send(client, dataPart(data)));
    const expected = { success: false, error_code: "INVALID_VEHICLE_TYPE" };
    expect(await ask({ capability: "automotive_estimate", input: { vehicle_type: "boat" } })).toMatchObject(expected);
    expect(await ask({ capability: "quote_request" })).toMatchObject({ error_code: "MISSING_FIELD" });
    expect(await ask({ capability: "make_coffee" })).toMatchObject({
      error_code: "BAD_REQUEST",
      invalid_fields: [{ field: "capability", allowed: CAPABILITIES.map(({ id }) => id) }],
    });
    expect(await ask({ question: "?" })).toMatchObject({ missing_fields: ["capability"] });
    expect(await ask({ capability: "list_faq", input: [] })).toMatchObject({ invalid_fields: [{ field: "input" }] });
  });
});

describe("the card", () => {
  const fetchCard = async (path: string) => {
    const { status, headers, json } = await testApp().get(path);
    return { status, type: headers.get("content-type"), etag: headers.get("etag"), card: json };
  };

  test("is the same at both paths", async () => {
    const [now, old] = [await fetchCard("/.well-known/agent-card.json"), await fetchCard("/.well-known/agent.json")];
    expect(now).toEqual(old);
    expect(now).toMatchObject({ status: 200, type: "application/json", etag: expect.any(String) });
  });

  test("has the fields that versions 1.0 and 0.3 require", async () => {
    const { card } = await fetchCard("/.well-known/agent-card.json");
    for (const { id, examples } of card.skills) expect(JSON.parse(examples[0]).capability).toBe(id);
    const skills = CAPABILITIES.map(({ id, title }) =>
      expect.objectContaining({ id, name: title, description: expect.any(String), tags: expect.any(Array) }),
    );
    const modern: Partial<AgentCard> = card;
    expect(modern).toMatchObject({
      name: CATALOG.business.name,
      description: expect.any(String),
      version: expect.any(String),
      provider: { organization: CATALOG.business.name, url: CATALOG.business.url },
      supportedInterfaces: [
        { url: "https://marlowridge.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { url: "https://marlowridge.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      ],
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
      defaultInputModes: ["application/json", "text/plain"],
      defaultOutputModes: ["application/json", "text/plain"],
      skills,
    });
    const ofEarlier = { preferredTransport: "JSONRPC", protocolVersion: "0.3.0" };
    expect(card).toMatchObject({ url: "https://marlowridge.example/a2a", ...ofEarlier });
  });
});

test("the card says whether a key is needed", async () => {
  const describedBy = async (required: boolean) => {
    const app = appWith({ "bookings.require_api_key": required });
    return (await app.get("/.well-known/agent-card.json")).json.description;
  };
  expect(await describedBy(false)).toContain("No key is needed.");
  expect(await describedBy(true)).toContain("Bookings need an API key");
});

describe("the endpoint", () => {
  const ask = (method: unknown, params?: unknown, headers: Record<string, string> = {}, app = testApp()) =>
    app.post("/a2a", { jsonrpc: "2.0", id: "q", method, params }, { headers });
  const message = (...parts: unknown[]) => ({ message: { messageId: "m", role: "ROLE_USER", parts } });
  const quote = message({ data: { capability: "quote_request", input: QUOTE } });

  const REFUSED: [string, unknown, number][] = [
    ["SendStreamingMessage", quote, -32004],
    ["SubscribeToTask", { id: "t" }, -32004],
    ["GetTask", { id: "t" }, -32001],
    ["CancelTask", { id: "t" }, -32001],
    ["CreateTaskPushNotificationConfig", { taskId: "t" }, -32003],
    ["GetExtendedAgentCard", {}, -32004],
    ["message/stream", quote, -32004],
    ["tasks/get", { id: "t" }, -32001],
    ["tasks/cancel", { id: "t" }, -32001],
    ["tasks/resubscribe", { id: "t" }, -32004],
    ["tasks/pushNotificationConfig/set", { taskId: "t" }, -32003],
    ["agent/getAuthenticatedExtendedCard", undefined, -32007],
    ["toString", {}, -32601],
    ["SendMessage", [], -32602],
    ["SendMessage", undefined, -32602],
    ["SendMessage", message(), -32602],
    ["SendMessage", message({ url: "https://example.com/a.png" }), -32005],
    ["SendMessage", { message: { ...quote.message, taskId: "t" } }, -32001],
  ];
  test.each(REFUSED)("%s %j is answered %i", async (method, params, code) => {
    const app = fileApp();
    const { status, json } = await ask(method, params, {}, app);
    expect(status).toBe(200);
    expect(json).toMatchObject({ jsonrpc: "2.0", id: "q", error: { code, message: expect.any(String) } });
    expect(app.counts().leads).toBe(0);
  });

  test("version 1.0 errors carry a typed detail", async () => {
    const { json } = await ask("GetTask", { id: "t" });
    expect(json.error.data).toEqual([
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" },
    ]);
  });

  test("ListTasks is an empty list", async () => {
    const expected = { tasks: [], nextPageToken: "", pageSize: 0, totalSize: 0 };
    expect((await ask("ListTasks", {})).json.result).toEqual(expected);
  });

  test("the list of what can be asked stays within 1.5 kB", async () => {
    const { json } = await ask("SendMessage", message({ text: "What can you do?" }));
    expect(JSON.stringify(json.result.message.parts).length).toBeLessThanOrEqual(1536);
  });

  test("the list leaves out what the shop does by phone", async () => {
    const app = appWith({ "bookings.self_service.enabled": false });
    const { text } = await ask("SendMessage", message({ text: "What can you do?" }), {}, app);
    expect(text.match(/\w+_booking\b|booking_status/g)).toEqual(["booking_status", "confirm_booking"]);
  });

  test("text that is JSON counts against the limit of its capability", async () => {
    const app = fileApp();
    const { data } = quote.message.parts[0] as { data: object };
    const sent = await ask("SendMessage", message({ text: JSON.stringify(data) }), {}, app);
    expect(sent.headers.get("x-ratelimit-limit")).toBe("5");
    expect(app.counts().leads).toBe(1);
  });

  test("an unknown version is refused, a patch release of a known one is not", async () => {
    for (const version of ["2.0", "0.2", "next"])
      expect((await ask("SendMessage", quote, { "a2a-version": version })).json.error.code).toBe(-32009);
    for (const version of ["1.0", "1.0.1", "0.3", "0.3.0", ""])
      expect((await ask("SendMessage", message({ text: "?" }), { "a2a-version": version })).json.result).toBeDefined();
  });

  test("a message that is no JSON-RPC request is refused", async () => {
    const app = testApp();
    for (const [body, status, code] of [
      ["{", 400, -32700],
      ["[]", 400, -32600],
      ['[{"jsonrpc":"2.0","id":1,"method":"SendMessage"}]', 400, -32600],
      ["[{", 400, -32700],
      [{ id: 1, method: "SendMessage" }, 200, -32600],
      [{ jsonrpc: "2.0", method: "SendMessage", params: quote }, 200, -32600],
      [{ jsonrpc: "2.0", id: 1, method: 7 }, 200, -32600],
    ] as const) {
      const answer = await app.post("/a2a", body);
      expect({ body, status: answer.status, code: answer.json.error.code }).toEqual({ body, status, code });
    }
    expect((await app.get("/a2a")).status).toBe(405);
  });

  /** A limit refuses in an answer with data, in the form of each version. */
  const refusalIn = ({ json }: Answer) => (json.result.message ?? json.result).parts[0].data;

  test.each([
    ["message/send", undefined],
    ["SendMessage", undefined],
    ["SendMessage", ["text/plain"]],
  ])("a used-up general limit is an answer too: %s, %p", async (method, acceptedOutputModes) => {
    const app = appWith({ "rate_limits.anonymous_per_minute": 1 });
    const hello = { ...message({ text: "?" }), configuration: { acceptedOutputModes } };
    await ask(method, hello, {}, app);
    const { status, json } = await ask(method, hello, {}, app);
    expect([status, json.error]).toEqual([200, undefined]);
    const [part] = (json.result.message ?? json.result).parts;
    expect(part.data ?? JSON.parse(part.text)).toMatchObject({ success: false, error_code: "RATE_LIMITED" });
    // What is no message of a conversation gets the error of the protocol.
    expect((await ask("GetTask", { id: "t" }, {}, app)).json.error.data.error_code).toBe("RATE_LIMITED");
  });

  test("the limits are those of REST, each capability's own included", async () => {
    const app = fileApp();
    expect((await ask("SendMessage", message({ text: "?" }), {}, app)).headers.get("x-ratelimit-remaining")).toBe("59");
    for (let i = 0; i < 4; i++) await ask("SendMessage", quote, {}, app);
    await app.post(`${API}/quote-request`, QUOTE);
    const refused = await ask("SendMessage", quote, {}, app);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([200, "60"]);
    expect(refusalIn(refused)).toMatchObject({ error_code: "RATE_LIMITED", retry_after_seconds: 60 });
    expect(refusalIn(refused).agent_instruction).toContain("https://marlowridge.example/api/v1/docs");
    expect(refused.text).not.toContain("A registered API key");
    expect(app.counts().leads).toBe(5);
    expect((await ask("SendMessage", message({ text: "?" }), {}, app)).headers.get("x-ratelimit-remaining")).toBe("53");
  });

  test("the limit of a phone number is told with its own number and wait", async () => {
    const app = testApp();
    const book = (time: string) => {
      const input = { ...BOOKING, time, vehicle_type: "sedan", coverage: "front2" };
      return ask("SendMessage", message({ data: { capability: "book_appointment", input } }), {}, app);
    };
    for (const time of ["09:00", "11:00"]) expect((await book(time)).json.result).toBeDefined();
    const refused = await book("13:00");
    const { headers } = refused;
    const told = { scope: "bookings-per-phone-per-day", limit: 2, remaining: 0, reset_seconds: 14 * 3600 };
    expect(refusalIn(refused)).toMatchObject({
      ...{ rate_limit: told, retry_after_seconds: 14 * 3600 },
      message: "No more than 2 bookings a day are taken for one phone number.",
    });
    const names = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after"];
    expect(names.map((name) => headers.get(name))).toEqual(["2", "0", "50400", "50400"]);
  });
});
