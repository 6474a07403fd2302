/** The Agent2Agent protocol, JSON-RPC binding, versions 1.0 and 0.3. Every message is answered at once, so there are no tasks. */
import { isDeepStrictEqual } from "node:util";
import type { Capability } from "../capabilities/core/capability.ts";
import { type ErrorBody, MAX_WARNINGS, nextAction, shownName, type Warning } from "../capabilities/core/envelope.ts";
import type { Envelope } from "../capabilities/core/invoke.ts";
import { REST } from "../capabilities/core/operations.ts";
import {
  type Call,
  type Protocol,
  type RpcError,
  rpcFailure,
  rpcRefusal,
  rpcResult,
} from "../capabilities/core/protocol.ts";
import { CAPABILITIES, offered } from "../capabilities/index.ts";
import type { Shop } from "../catalog/shop.ts";
import { keysAtDocs } from "../discovery/common.ts";
import { withDaysToCome } from "../domain/days-to-come.ts";
import { ERRORS as API_ERRORS, ApiError } from "../errors.ts";
import { field, fieldsOf, isObject } from "../lib/fields.ts";
import { jsonIn, scalarText, snakeCase } from "../lib/text.ts";
import { properName } from "../schema/names.ts";
import { sharerMeant } from "./mcp.ts";
import { spokenAnswer } from "./sentences.ts";

export const A2A = {
  path: "/a2a",
  sample: {
    jsonrpc: "2.0",
    id: 1,
    method: "SendMessage",
    params: { message: { messageId: "1", role: "ROLE_USER", parts: [{ text: "What can you do?" }] } },
  },
  capabilityOf,
  voice: (catalog) => ({ ...REST, ...keysAtDocs(catalog) }),
  // As over MCP: clients take another HTTP status than 200 for a broken connection.
  refuse(message, error, catalog) {
    const capability = message && capabilityOf(message, catalog);
    const usage = capability ? inEnvelope(error.usage, capability) : error.usage;
    const shown = { ...error, usage };
    const name = field(message, "method");
    const isAnswer = API_ERRORS[error.error_code].about === "limit" && METHODS.get(name) === "send";
    return message && isAnswer
      ? { isAnswer, body: answered(message, readVersion(name), shown) }
      : { isAnswer: false, body: rpcRefusal(message, shown) };
  },
  answer,
} satisfies Protocol & { answer: unknown };

function capabilityOf(message: object, catalog: Shop): Capability | undefined {
  const call = METHODS.get(field(message, "method")) === "send" ? readParts(message).call : undefined;
  return call && capabilityMeant(call, catalog);
}

type Version = "1.0" | "0.3";

const ERRORS = {
  TASK_NOT_FOUND: { code: -32001, message: "There is no such task: every message is answered at once." },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { code: -32003, message: "Push notifications are not supported." },
  UNSUPPORTED_OPERATION: { code: -32004, message: "This operation is not supported." },
  CONTENT_TYPE_NOT_SUPPORTED: {
    code: -32005,
    message: "Send a data part or a text part, and accept application/json or text/plain.",
  },
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
  ...eachIs("send", "SendMessage", "message/send"),
  ...eachIs("list", "ListTasks"),
  ...eachIs("TASK_NOT_FOUND", "GetTask", "CancelTask", "tasks/get", "tasks/cancel"),
  ...eachIs("UNSUPPORTED_OPERATION", "SendStreamingMessage", "SubscribeToTask", "GetExtendedAgentCard"),
  ...eachIs("UNSUPPORTED_OPERATION", "message/stream", "tasks/resubscribe"),
  ...eachIs("PUSH_NOTIFICATION_NOT_SUPPORTED", ...PUSH_METHODS),
  ...eachIs("EXTENDED_AGENT_CARD_NOT_CONFIGURED", "agent/getAuthenticatedExtendedCard"),
]);

function eachIs<Outcome extends "send" | "list" | Reason>(outcome: Outcome, ...methods: string[]) {
  return methods.map((method) => [method, outcome] as const);
}

/** @param version the A2A-Version header, null without one */
async function answer(message: object, call: Call, version: string | null): Promise<object> {
  const issue = requestError(message, version);
  if (issue) return rpcFailure(message, issue);
  const name = String(field(message, "method"));
  const spoken = readVersion(name);
  const outcome = METHODS.get(name);
  if (!outcome) return rpcFailure(message, { code: -32601, message: "There is no such method." });
  if (outcome === "send") return send(message, spoken, call);
  if (outcome === "list") return rpcResult(message, { tasks: [], nextPageToken: "", pageSize: 0, totalSize: 0 });
  return rpcFailure(message, agentError(outcome, spoken));
}

/** @param method a name of version 0.3 has a slash */
function readVersion(method: unknown): Version {
  return scalarText(method).includes("/") ? "0.3" : "1.0";
}

const VERSIONS = /^(0\.3|1\.0)(\.\d+)?$/;

function requestError(message: object, version: string | null): RpcError | undefined {
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
  const { call: skillCall, contents } = readParts(message);
  const isRead = contents.some((content) => content !== undefined);
  const forms = formsFor(message);
  if (!isRead || (!forms.data && !forms.text))
    return rpcFailure(message, agentError("CONTENT_TYPE_NOT_SUPPORTED", version));

  const unread = contents.flatMap((content, at) =>
    (skillCall ? at === skillCall.part : typeof content === "string")
      ? []
      : [unreadPlace(`parts[${at}]`, "send one request, or one text, in a message")],
  );
  // A part that was not read may hold a condition: what would change a booking is shown, and not done.
  const isHalfRead = unread.length > 0;
  if (skillCall) return answered(message, version, withWarnings(await use(skillCall, call, isHalfRead), unread));
  const sentence = contents.filter((content) => typeof content === "string").join(" ");
  const spoken = { ...call, catalog: withDaysToCome(call.catalog, call.now) };
  const { text, data } = await spokenAnswer(sentence, spoken, (name, input) =>
    use({ name, input, place: "input", beside: {}, part: 0 }, spoken, isHalfRead),
  );
  return answered(message, version, withWarnings(data, unread), text);
}

/** A file, or what is beside the one request of a message. */
function unreadPlace(name: string, instead: string): Warning {
  return { code: "FIELD_IGNORED", field: name, message: `${name} was not read: ${instead}.` };
}

function withWarnings(data: object, more: readonly Warning[]): object {
  const known = field(data, "warnings");
  return more.length === 0
    ? data
    : { ...data, warnings: [...(Array.isArray(known) ? known : []), ...more.slice(0, MAX_WARNINGS)] };
}

function answered(message: object, version: Version, data: object, text?: string): object {
  const context = field(sentMessage(message), "contextId");
  return rpcResult(message, reply(version, context, inForms(formsFor(message), data, text)));
}

/** The forms among the `acceptedOutputModes`, all of them where there are none. Old clients say `text` for `text/plain`. */
function formsFor(message: object) {
  const accepted = [field(field(field(message, "params"), "configuration"), "acceptedOutputModes") ?? []].flat();
  const modes = accepted.map((mode) => scalarText(mode).replace(/;.*$/s, "").trim().toLowerCase());
  const takes = (...names: string[]) => modes.length === 0 || modes.some((mode) => ["*/*", ...names].includes(mode));
  return { data: takes(JSON_MODE, "application/*"), text: takes(TEXT_MODE, "text/*", "text") };
}

interface Parts {
  texts: string[];
  data?: object;
}

/** Where only text is taken, the answer to data is JSON text; where only data is, a sentence is in them. */
function inForms(forms: ReturnType<typeof formsFor>, data: object, text?: string): Parts {
  if (!forms.data) return { texts: [text ?? JSON.stringify(data)] };
  if (forms.text || !text) return { texts: text ? [text] : [], data };
  return { texts: [], data: { answer: text, ...data } };
}

/** The limits ask for the capability before it is used; a long text is read once for both. */
const readBefore = new WeakMap<object, ReadParts>();

interface ReadParts {
  contents: unknown[];
  /** The request in the first part that names a capability, else in the first with data; undefined when every part is a sentence. */
  call: SkillCall | undefined;
}

function readParts(message: object): ReadParts {
  const known = readBefore.get(message);
  if (known) return known;
  const parts = field(sentMessage(message), "parts");
  const contents = Array.isArray(parts) ? parts.map(partContent) : [];
  const calls = contents.flatMap((content, part) =>
    content === undefined || typeof content === "string" ? [] : [{ ...readSkillCall(content), part }],
  );
  const read = { contents, call: calls.find(({ name }) => capabilityNamed(name)) ?? calls[0] };
  readBefore.set(message, read);
  return read;
}

/** The data of a part, also of a text that is JSON, else its text; undefined where it has none. A list of one stands for that one. */
function partContent(part: unknown): unknown {
  const sent = field(part, "data") ?? field(part, "text") ?? undefined;
  const content = typeof sent === "string" ? (jsonIn(sent) ?? sent) : sent;
  return Array.isArray(content) && content.length === 1 ? content[0] : content;
}

/** Where clients put the fields of a request, if not beside the name. */
const PLACES = ["input", "arguments", "params", "sample_request"] as const;
/** Under which they name the capability; names of the second kind, which next steps and tools have, are also others. */
const NAMES = ["capability", "skill"] as const;
const OTHER_NAMES = ["skill_id", "skillId", "tool", "action", "name"];

function readSkillCall(data: unknown): Omit<SkillCall, "part"> {
  const beside: Record<string, unknown> = isObject(data) ? { ...data } : {};
  const key =
    NAMES.find((one) => beside[one] !== undefined) ?? OTHER_NAMES.find((one) => capabilityNamed(beside[one])) ?? "";
  const name = beside[key];
  for (const one of [key, ...NAMES]) if (beside[one] === name) delete beside[one];
  const place = PLACES.find((one) => beside[one] != null);
  if (!place) {
    for (const one of PLACES) delete beside[one];
    return { name, input: beside, beside: {}, place: "input" };
  }
  const { [place]: input, ...others } = beside;
  const [only, another] = [jsonIn(input) ?? input].flat();
  return { name, input: another === undefined ? only : input, beside: others, place };
}

/** A capability is a skill in A2A. Nothing of it has been checked. */
interface SkillCall {
  name: unknown;
  input: unknown;
  /** The key of the input, and what is beside it. */
  place: string;
  beside: Readonly<Record<string, unknown>>;
  /** Which part of the message it is. */
  part: number;
}

function sentMessage(message: object): unknown {
  return field(field(message, "params"), "message");
}

/** By its id, or as the tool of MCP is named. */
function capabilityNamed(name: unknown): Capability | undefined {
  const word = typeof name === "string" ? snakeCase(name) : undefined;
  return CAPABILITIES.find(({ id, operationId }) => id === word || operationId === word);
}

/** A tool's name can mean more than one; its id means one. */
function capabilityMeant({ name, input }: SkillCall, catalog: Shop): Capability | undefined {
  const named = capabilityNamed(name);
  return named && named.id !== snakeCase(scalarText(name)) ? sharerMeant(named, input, catalog) : named;
}

async function use(call: SkillCall, { run, describe, catalog }: Call, isHalfRead: boolean): Promise<object> {
  const { name, input, place, beside } = call;
  const capability = capabilityMeant(call, catalog);
  if (!capability) {
    const message = "must be the id of a capability";
    const allowed = offered(catalog).map(({ id }) => id);
    const hints = name === undefined ? [] : [{ field: "capability", given: shownName(scalarText(name)), allowed }];
    return describe(
      new ApiError(name === undefined ? "MISSING_FIELD" : "BAD_REQUEST", `capability ${message}.`, {
        ...(name === undefined && { missing_fields: ["capability"] }),
        invalid_fields: [{ field: "capability", message, allowed }],
        suggested: { sample: { input: { ...beside, ...fieldsOf(input) } }, fillIn: ["capability"], hints },
      }),
    );
  }
  if (!isObject(input)) {
    const hints = [{ field: "input", given: shownName(scalarText(input) || JSON.stringify(input)) }];
    return describe(
      new ApiError("BAD_REQUEST", `${place} must be an object.`, {
        invalid_fields: [{ field: place, message: "must be an object" }],
        suggested: { sample: { capability: capability.id }, fillIn: ["input"], hints },
      }),
    );
  }
  const { shape } = capability.input(catalog);
  const isField = ([one]: [string, unknown]) => Object.hasOwn(shape, one) || properName(one, shape) !== undefined;
  const fields = Object.fromEntries(Object.entries(beside).filter(isField));
  const isSaid = ([one, value]: [string, unknown]) =>
    isField([one, value])
      ? !Object.hasOwn(input, one) || isDeepStrictEqual(input[one], value)
      : isOfStep(one) && (capabilityNamed(value) ?? capability) === capability;
  const unread = Object.entries(beside).flatMap((one) =>
    isSaid(one) ? [] : [unreadPlace(shownName(one[0]), `send one capability, and its fields in ${place}`)],
  );
  const onlyShown = isHalfRead && capability.sideEffect === "changes_appointment" && { dry_run: true };
  const body = await run(capability, { ...fields, ...input, ...onlyShown });
  return withWarnings(inCapabilities(body, capability), unread);
}

/** A client that follows a next step can send it whole. */
const isOfStep = (name: string) => Object.hasOwn(nextAction.shape, name) && !PLACES.some((one) => one === name);

/** Samples and next steps as this protocol takes them: a capability with its input, in place of a method and a path. */
function inCapabilities(body: Envelope | ErrorBody, capability: Capability): object {
  const next_actions = body.next_actions?.map(({ action, sample_request, method: _, path: __, url: ___, ...rest }) => ({
    capability: action,
    input: sample_request,
    ...rest,
  }));
  return {
    ...body,
    ...(!body.success && { usage: inEnvelope(body.usage, capability) }),
    ...(next_actions && { next_actions }),
  };
}

/** Where there is nothing to send, it names no capability either. */
function inEnvelope({ sample_request: input, url: _, ...usage }: ErrorBody["usage"], { id }: Capability) {
  const isEmpty = !usage.fill_in && Object.keys(input).length === 0;
  return { ...usage, sample_request: isEmpty ? {} : { capability: id, input } };
}

function reply(version: Version, context: unknown, { texts, data }: Parts): object {
  const head = {
    messageId: crypto.randomUUID(),
    contextId: typeof context === "string" && context !== "" ? context : crypto.randomUUID(),
  };
  if (version === "1.0") {
    const parts = texts.map((text): object => ({ text, mediaType: TEXT_MODE }));
    if (data) parts.push({ data, mediaType: JSON_MODE });
    return { message: { ...head, role: "ROLE_AGENT", parts } };
  }
  const parts = texts.map((text): object => ({ kind: "text", text }));
  if (data) parts.push({ kind: "data", data });
  return { kind: "message", ...head, role: "agent", parts };
}

export const JSON_MODE = "application/json";
export const TEXT_MODE = "text/plain";
