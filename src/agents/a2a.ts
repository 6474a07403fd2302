/**
 * The Agent2Agent protocol, JSON-RPC binding, versions 1.0 and 0.3, and the card by which its clients find the agent. Every
 * message is answered at once, so there are no tasks, and the methods about tasks answer accordingly.
 */
import type { Capability } from "../capabilities/core/capability.ts";
import type { ErrorBody } from "../capabilities/core/envelope.ts";
import type { Envelope } from "../capabilities/core/invoke.ts";
import { requiresConsent } from "../capabilities/core/operations.ts";
import { type Call, type Protocol, type RpcError, rpcFailure, rpcResult } from "../capabilities/core/protocol.ts";
import { aboutOf, CAPABILITIES, offered, usable } from "../capabilities/index.ts";
import { searchFaq } from "../capabilities/list-faq.ts";
import type { Shop } from "../catalog/shop.ts";
import { apiUrl, docsUrl, keyRule, type SampleOf, sampledDocument, siteUrl, summaryOf } from "../discovery/common.ts";
import { requiredFields } from "../discovery/manifest.ts";
import { weekInWords } from "../domain/dates-in-words.ts";
import { withDaysToCome } from "../domain/days-to-come.ts";
import { ApiError } from "../errors.ts";
import { bookUrl } from "../job/forms.ts";
import { field, isObject } from "../lib/fields.ts";
import { VERSION } from "../lib/version.ts";

const A2A_PATH = "/a2a";

export const A2A = {
  path: A2A_PATH,
  capabilityOf: (message) => {
    const call = METHODS.get(field(message, "method")) === "send" ? skillCallOf(message) : undefined;
    return call && capabilityNamed(call.capability);
  },
  answer,
} satisfies Protocol & { answer: unknown };

type Version = "1.0" | "0.3";

const ERRORS = {
  TASK_NOT_FOUND: { code: -32001, message: "There is no such task: every message is answered at once." },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { code: -32003, message: "Push notifications are not supported." },
  UNSUPPORTED_OPERATION: { code: -32004, message: "This operation is not supported." },
  CONTENT_TYPE_NOT_SUPPORTED: { code: -32005, message: "Send a data part or a text part." },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: { code: -32007, message: "There is no extended agent card." },
  VERSION_NOT_SUPPORTED: { code: -32009, message: "This agent speaks A2A 1.0 and 0.3." },
} as const;
type Reason = keyof typeof ERRORS;

/** An A2A error; version 1.0 requires a typed detail beside the code. */
function agentError(reason: Reason, version: Version): RpcError {
  const detail = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" };
  return { ...ERRORS[reason], ...(version === "1.0" && { data: [detail] }) };
}

const PUSH_METHODS = [
  ...["Create", "Get", "Delete"].map((act) => `${act}TaskPushNotificationConfig`),
  "ListTaskPushNotificationConfigs",
  ...["set", "get", "list", "delete"].map((act) => `tasks/pushNotificationConfig/${act}`),
];

/** What each method gets: an answer, or a refusal with this reason. Names with a slash are those of version 0.3. */
const METHODS: ReadonlyMap<unknown, "send" | "list" | Reason> = new Map([
  ...all("send", "SendMessage", "message/send"),
  ...all("list", "ListTasks"),
  ...all("TASK_NOT_FOUND", "GetTask", "CancelTask", "tasks/get", "tasks/cancel"),
  ...all("UNSUPPORTED_OPERATION", "SendStreamingMessage", "SubscribeToTask", "GetExtendedAgentCard"),
  ...all("UNSUPPORTED_OPERATION", "message/stream", "tasks/resubscribe"),
  ...all("PUSH_NOTIFICATION_NOT_SUPPORTED", ...PUSH_METHODS),
  ...all("EXTENDED_AGENT_CARD_NOT_CONFIGURED", "agent/getAuthenticatedExtendedCard"),
]);

function all<Outcome extends "send" | "list" | Reason>(outcome: Outcome, ...methods: string[]) {
  return methods.map((method) => [method, outcome] as const);
}

/** @param version the A2A-Version header, null without one */
async function answer(message: object, call: Call, version: string | null): Promise<object> {
  const issue = errorOf(message, version);
  if (issue) return rpcFailure(message, issue);
  const name = String(field(message, "method"));
  const spoken = name.includes("/") ? "0.3" : "1.0";
  const outcome = METHODS.get(name);
  if (!outcome) return rpcFailure(message, { code: -32601, message: "There is no such method." });
  if (outcome === "send") return send(message, spoken, call);
  if (outcome === "list") return rpcResult(message, { tasks: [], nextPageToken: "", pageSize: 0, totalSize: 0 });
  return rpcFailure(message, agentError(outcome, spoken));
}

const VERSIONS = /^(0\.3|1\.0)(\.\d+)?$/;

/** The error of a message that no method would accept. */
function errorOf(message: object, version: string | null): RpcError | undefined {
  const id = field(message, "id");
  const hasId = typeof id === "string" || typeof id === "number";
  if (field(message, "jsonrpc") !== "2.0" || typeof field(message, "method") !== "string" || !hasId) {
    return { code: -32600, message: "This is not a JSON-RPC 2.0 request with an id." };
  }
  if (version && !VERSIONS.test(version)) return agentError("VERSION_NOT_SUPPORTED", "1.0");
  const params = field(message, "params");
  if (params !== undefined && !isObject(params)) return { code: -32602, message: "params must be an object." };
  return undefined;
}

async function send(message: object, version: Version, call: Call): Promise<object> {
  const sent = sentMessage(message);
  const parts = field(sent, "parts");
  if (typeof field(sent, "messageId") !== "string" || !Array.isArray(parts) || parts.length === 0) {
    return rpcFailure(message, { code: -32602, message: "params.message needs a messageId and at least one part." });
  }
  // There are no tasks, so no message can continue one.
  if (field(sent, "taskId")) return rpcFailure(message, agentError("TASK_NOT_FOUND", version));
  if (!parts.some((part) => isObject(part) && (field(part, "data") !== undefined || field(part, "text") !== undefined)))
    return rpcFailure(message, agentError("CONTENT_TYPE_NOT_SUPPORTED", version));

  const skillCall = skillCallOf(message);
  const contextId = field(sent, "contextId");
  if (skillCall) return rpcResult(message, reply(version, contextId, inCapabilities(await use(skillCall, call))));
  const sentence = parts
    .map((part) => field(part, "text"))
    .filter((text) => typeof text === "string")
    .join(" ");
  const { text, data } = spokenAnswer(sentence, withDaysToCome(call.catalog, call.now));
  return rpcResult(message, reply(version, contextId, data, text));
}

/** The limits ask for the capability before it is used; a long text is read once for both. */
const readBefore = new WeakMap<object, { call: SkillCall | undefined }>();

/** The capability and input in the first part with data; undefined when every part is a sentence. */
function skillCallOf(message: object): SkillCall | undefined {
  const known = readBefore.get(message);
  if (known) return known.call;
  const parts = field(sentMessage(message), "parts");
  const read = (part: unknown) => field(part, "data") ?? jsonIn(field(part, "text"));
  const data = Array.isArray(parts) ? parts.map(read).find((one) => one !== undefined) : undefined;
  const call =
    data === undefined ? undefined : { capability: field(data, "capability"), input: field(data, "input") ?? {} };
  readBefore.set(message, { call });
  return call;
}

const FENCE = "```";

/** The object in a text part that is JSON as a whole, bare or in a code fence: many clients can send text alone. */
function jsonIn(text: unknown): object | undefined {
  if (typeof text !== "string") return undefined;
  const json = withoutFence(text.trim());
  if (!json.startsWith("{")) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function withoutFence(text: string): string {
  const start = text.indexOf("{");
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE) || start === -1) return text;
  const language = text.slice(FENCE.length, start).trim().toLowerCase();
  return ["", "json"].includes(language) ? text.slice(start, -FENCE.length) : text;
}

/** A capability is a skill in A2A. Neither field has been checked. */
interface SkillCall {
  capability: unknown;
  input: unknown;
}

function sentMessage(message: object): unknown {
  return field(field(message, "params"), "message");
}

function capabilityNamed(name: unknown): Capability | undefined {
  return CAPABILITIES.find(({ id }) => id === name);
}

async function use(
  { capability: name, input }: SkillCall,
  { run, describe, catalog }: Call,
): Promise<Envelope | ErrorBody> {
  const capability = capabilityNamed(name);
  if (!capability) {
    const message = "must be the id of a capability";
    const allowed = offered(catalog).map(({ id }) => id);
    return describe(
      new ApiError(name === undefined ? "MISSING_FIELD" : "BAD_REQUEST", `capability ${message}.`, {
        ...(name === undefined && { missing_fields: ["capability"] }),
        invalid_fields: [{ field: "capability", message, allowed }],
      }),
    );
  }
  if (isObject(input)) return run(capability, input);
  const message = "must be an object";
  return describe(new ApiError("BAD_REQUEST", `input ${message}.`, { invalid_fields: [{ field: "input", message }] }));
}

/** Next steps as this protocol takes them: a capability with its input, in the place of a method and a path. */
function inCapabilities(body: Envelope | ErrorBody): object {
  if (!("next_actions" in body) || !body.next_actions) return body;
  const next_actions = body.next_actions.map(({ action, sample_request, method: _, path: __, url: ___, ...rest }) => ({
    capability: action,
    input: sample_request,
    ...rest,
  }));
  return { ...body, next_actions };
}

const HOW_TO_ASK =
  'For a price, times or a booking send {"capability": <id>, "input": {…}} as data, or as text. consent: ask the end user first. The manifest has a sample input of each.';
/** The most bytes of text and data together in the answer to a sentence (contract 16). */
const MOST_SPOKEN = 1_700;

/** What the shop answers to a plain sentence: the question that fits, hours, phone and page, and the list. */
function spokenAnswer(sentence: string, catalog: Shop): { text: string; data: object } {
  const { business } = catalog;
  const page = bookUrl({}, catalog);
  const data = { ...skills(catalog), phone: business.phone, ...(page && { book_url: page }) };
  const room = MOST_SPOKEN - JSON.stringify(data).length;
  const contact = `Open ${weekInWords(business)}. Phone ${business.phone}.${page ? ` Book: ${page}` : ""}`;
  const [best] = searchFaq(sentence, catalog);
  const text = [contact, HOW_TO_ASK].join("\n\n");
  const answered = best ? `${best.question} ${best.answer}\n\n${text}` : text;
  return { text: Buffer.byteLength(answered) <= room ? answered : text, data };
}

/**
 * The capabilities with the fields that they need, short enough for any conversation, without those that only lead to
 * the phone.
 */
function skills(catalog: Shop): object {
  return {
    capabilities: usable(catalog).map((capability) => {
      const needs = [...(capability.asksFirst ?? []), ...requiredFields(capability, catalog)];
      return {
        id: capability.id,
        ...(needs.length > 0 && { needs }),
        ...(requiresConsent(capability) && { consent: true }),
      };
    }),
    manifest: apiUrl(catalog, "/capabilities"),
  };
}

/** The agent's message, in the format of the caller's version. */
function reply(version: Version, context: unknown, data: object, text?: string): object {
  const head = {
    messageId: crypto.randomUUID(),
    contextId: typeof context === "string" && context !== "" ? context : crypto.randomUUID(),
  };
  if (version === "1.0") {
    const parts = [...(text ? [{ text, mediaType: "text/plain" }] : []), { data, mediaType: "application/json" }];
    return { message: { ...head, role: "ROLE_AGENT", parts } };
  }
  const parts = [...(text ? [{ kind: "text", text }] : []), { kind: "data", data }];
  return { kind: "message", ...head, role: "agent", parts };
}

const JSON_MODE = "application/json";
const TEXT_MODE = "text/plain";

/**
 * Clients of A2A 1.0 read `supportedInterfaces`; clients of 0.3 read `url`, `preferredTransport` and `protocolVersion`. Both
 * use the same address.
 */
function agentCard(catalog: Shop, sampleOf: SampleOf) {
  const { business } = catalog;
  const url = siteUrl(catalog, A2A_PATH);
  return {
    name: business.name,
    description: `${summaryOf(catalog)} Send a data part {"capability": …, "input": {…}} naming one of the skills, or the same as text; any other text is answered from the shop's questions and answers, with the list of skills. ${keyRule(catalog)}`,
    version: VERSION,
    provider: { organization: business.name, url: catalog.site.url },
    documentationUrl: docsUrl(catalog),
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
    url,
    preferredTransport: "JSONRPC",
    protocolVersion: "0.3.0",
    supportsAuthenticatedExtendedCard: false,
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    defaultInputModes: [JSON_MODE, TEXT_MODE],
    defaultOutputModes: [JSON_MODE, TEXT_MODE],
    skills: offered(catalog).map((capability) => skill(capability, catalog, sampleOf)),
  };
}

function skill(capability: Capability, catalog: Shop, sampleOf: SampleOf) {
  const { id, title, sideEffect, returnsPrice } = capability;
  return {
    id,
    name: title,
    description: aboutOf(capability, catalog).description,
    tags: [
      "window-tint",
      sideEffect === "none" ? "read-only" : sideEffect.replace("_", "-"),
      ...(returnsPrice ? ["price"] : []),
    ],
    examples: [JSON.stringify({ capability: id, input: sampleOf(capability) })],
  };
}

/** The same card twice: A2A 0.3 and later read the first path, older clients the second. */
export const AGENT_CARDS = ["/.well-known/agent-card.json", "/.well-known/agent.json"].map((path) =>
  sampledDocument(path, agentCard),
);
