/**
 * An agent that knows nothing but what the program tells it: the manifest over REST, the tools over MCP, the short list over
 * A2A. It counts its calls and the bytes of their answers.
 */
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { API, type TestApp } from "../helpers.ts";

/** Something that can be done, with the input that the program proposes. */
export interface Step {
  /** A capability id, or the name of a tool. */
  name: string;
  input: Record<string, unknown>;
}

export interface Reply {
  ok: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  data: any;
  steps: Step[];
  /** The whole answer, for errors and words. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  body: any;
}

export interface Agent {
  protocol: string;
  calls: number;
  bytes: number;
  /** @param what a capability id; over MCP the tool of that operation */
  use: (what: string, input: object) => Promise<Reply>;
  /** Takes a step that an answer proposed. @param change what the user said */
  take: (step: Step, change?: object) => Promise<Reply>;
  /** Whether the program offers this over the protocol. */
  offers: (what: string) => boolean;
}

/** The step with a name, of those that an answer proposes. */
export function stepTo({ steps, body }: Reply, ...names: string[]): Step {
  const step = steps.find(({ name }) => names.includes(name));
  if (!step) throw new Error(`no step to ${names.join(" or ")} in ${JSON.stringify(body).slice(0, 500)}`);
  return step;
}

type Counted = Pick<Agent, "protocol" | "calls" | "bytes">;

function counting(protocol: string): { counted: Counted; count: (text: string) => void } {
  const counted = { protocol, calls: 0, bytes: 0 };
  return {
    counted,
    count(text) {
      counted.calls += 1;
      counted.bytes += Buffer.byteLength(text);
    },
  };
}

interface Operation {
  id: string;
  method: string;
  path: string;
}

export async function restAgent(app: TestApp): Promise<Agent> {
  const { counted, count } = counting("REST");
  const send = async ({ method, path }: Operation, input: object): Promise<Reply> => {
    const fields = Object.entries(input);
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(Object(input)[name])));
    const query = new URLSearchParams(
      fields.flatMap(([key, value]) => [value].flat().map((one): [string, string] => [key, String(one)])),
    );
    const { text, status } =
      method === "GET" ? await app.get(query.size > 0 ? `${filled}?${query}` : filled) : await app.post(filled, input);
    count(text);
    const body = JSON.parse(text);
    const steps = (body.next_actions ?? []).map((one: { action: string; sample_request: Step["input"] }) => ({
      name: one.action,
      input: one.sample_request,
    }));
    return { ok: status < 300, data: body.data, steps, body };
  };
  const manifest = await send({ id: "", method: "GET", path: `${API}/capabilities` }, {});
  const operations: Operation[] = [...manifest.data.capabilities, ...manifest.data.extensions];
  const find = (id: string) => operations.find((one) => one.id === id);
  const use = (id: string, input: object) => {
    const operation = find(id);
    if (!operation) throw new Error(`the manifest lists no ${id}`);
    return send(operation, input);
  };
  return agentOf(counted, use, (id) => find(id) !== undefined);
}

/** The tool in which an agent recognizes what it looks for. */
const TOOLS: Record<string, string> = {
  ...Object.fromEntries(CAPABILITIES.map(({ id, operationId }) => [id, operationId])),
  flat_glass_estimate: "estimate_price",
};

export async function mcpAgent(app: TestApp): Promise<Agent> {
  const { counted, count } = counting("MCP");
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const send = async (method: string, params: object) => {
    const { text } = await app.post("/mcp", { jsonrpc: "2.0", id: 1, method, params }, { headers });
    count(text);
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
  };
  const { tools } = await send("tools/list", {});
  const names: string[] = tools.map(({ name }: { name: string }) => name);
  const call = async (name: string, input: object): Promise<Reply> => {
    const { content, isError } = await send("tools/call", { name, arguments: input });
    const body = JSON.parse(content[0].text);
    const steps = (body.next_actions ?? []).flatMap((one: { tool?: string; arguments: Step["input"] }) =>
      one.tool ? [{ name: one.tool, input: one.arguments }] : [],
    );
    return { ok: isError !== true, data: body.data, steps, body };
  };
  const use = (what: string, input: object) => call(TOOLS[what] ?? what, input);
  // A host reads the list once, for all conversations.
  Object.assign(counted, { calls: 0, bytes: 0 });
  return agentOf(counted, use, (what) => names.includes(TOOLS[what] ?? what));
}

export async function a2aAgent(app: TestApp): Promise<Agent> {
  const { counted, count } = counting("A2A");
  const send = async (part: object) => {
    const message = { kind: "message", messageId: "walk", role: "user", parts: [part] };
    const { text } = await app.post("/a2a", { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
    count(text);
    return JSON.parse(text).result.parts.find(({ kind }: { kind: string }) => kind === "data").data;
  };
  const { capabilities } = await send({ kind: "text", text: "What can you do?" });
  const ids: string[] = capabilities.map(({ id }: { id: string }) => id);
  const use = async (capability: string, input: object): Promise<Reply> => {
    const body = await send({ kind: "data", data: { capability, input } });
    // The agent keeps the input of a request, and names the capability again when it sends it.
    if (!body.success) body.usage.sample_request = body.usage.sample_request.input;
    const steps = (body.next_actions ?? []).map((one: { capability: string; input: Step["input"] }) => ({
      name: one.capability,
      input: one.input,
    }));
    return { ok: body.success, data: body.data, steps, body };
  };
  return agentOf(counted, use, (id) => ids.includes(id));
}

function agentOf(counted: Counted, use: Agent["use"], offers: Agent["offers"]): Agent {
  const take: Agent["take"] = ({ name, input }, change = {}) => use(name, { ...input, ...change });
  return Object.assign(counted, { use, take, offers });
}
