/** Hostile requests on raw sockets: never a 500, never a hang, always the one shape of errors, and flat memory. */

import { ERRORS } from "../../src/errors.ts";
import { openApiDocument } from "../../test/agents/openapi-document.ts";
import { API } from "../../test/helpers.ts";
import { shopFolder } from "../../test/process/server.ts";
import { createHostileRequests, type HostileRequest } from "../../test/torture/hostile-requests.ts";
import { memoryOf, startShop } from "../children.ts";
import { countsOf, OPEN_SHOP, together } from "../requests.ts";

const CONNECTIONS = 16;
const ANSWER_WITHIN_MS = 20_000;
/** An incomplete request gets no answer. After this time the client hangs up, and the server has to let go as well. */
const HANG_UP_AFTER_MS = 150;
const ALIVE_EVERY = 500;
/** Memory may grow by so much between the first fifth of a run and its end. */
const GROWTH = { share: 1.3, bytes: 25_000_000 };

interface HostileRun {
  requests: number;
  /** The first request, to repeat one that failed. */
  from: number;
  seed: number;
}

export async function measureHostile({ requests, from, seed }: HostileRun) {
  using folder = shopFolder({
    ...OPEN_SHOP,
    "rate_limits.quote_requests_per_minute": 100_000,
    "rate_limits.registrations_per_hour": 100_000,
  });
  await using server = await startShop(folder);
  const requestOf = createHostileRequests(await openApiDocument(), seed);
  const statuses: string[] = [];
  const broken: string[] = [];
  const until = from + requests;
  let next = from;
  let early = Number.NaN;

  const expectAlive = async () => {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const alive = await fetch(`${server.url}livez`, { signal }).then(({ ok }) => ok, String);
    if (alive !== true) broken.push(`/livez: ${alive}`);
  };
  await together(CONNECTIONS, async () => {
    while (next < until && broken.length < 100) {
      const nth = next++;
      const request = requestOf(nth);
      const answer = await send(server.port, request);
      statuses.push(typeof answer === "string" ? answer : String(answer.status));
      const fault = faultOf(request, answer);
      if (fault) broken.push(`--seed ${seed} --from ${nth} --count 1: ${fault}`);
      if (nth % ALIVE_EVERY === 0) await expectAlive();
      if (nth === from + Math.floor(requests / 5)) early = await memoryOf(server.pid);
    }
  });
  await expectAlive();
  const late = await memoryOf(server.pid);
  if (late > early * GROWTH.share + GROWTH.bytes) broken.push(`memory grew from ${early} to ${late} bytes`);
  // Of the server after a fifth of the run, and at its end.
  const megabytes = [early, late].map((bytes) => Math.round(bytes / 1e6));
  return { requests, statuses: countsOf(statuses), megabytes, broken };
}

interface Answer {
  status: number;
  head: string;
  body: Buffer;
}

/** `silent`: closed without an answer. */
type Reaction = Answer | "silent" | "hang" | "refused";

/** Sends a request on a connection of its own. */
export async function send(port: number, { bytes, isWellFormed, method }: HostileRequest): Promise<Reaction> {
  const { promise, resolve } = Promise.withResolvers<Reaction>();
  let received: Buffer = Buffer.alloc(0);
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_, chunk) {
        received = Buffer.concat([received, chunk]);
        const answer = answerIn(received, method === "HEAD");
        if (answer) resolve(answer);
      },
      close: () => resolve(answerIn(received, true) ?? "silent"),
      error: () => resolve("silent"),
      drain: () => rest(),
    },
  }).catch(() => undefined);
  if (!socket) return "refused";
  let sent = 0;
  const rest = () => {
    if (sent < bytes.length) sent += Math.max(0, socket.write(bytes.subarray(sent)));
  };
  rest();
  const hangUp = isWellFormed ? undefined : setTimeout(() => socket.end(), HANG_UP_AFTER_MS);
  const giveUp = setTimeout(() => resolve("hang"), ANSWER_WITHIN_MS);
  const reaction = await promise;
  clearTimeout(hangUp);
  clearTimeout(giveUp);
  // A reset, so that no port has to wait.
  socket.terminate();
  return reaction;
}

/** @param isWhole no more is to come */
function answerIn(received: Buffer, isWhole: boolean): Answer | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = received.toString("latin1", 0, end);
  const body = received.subarray(end + 4);
  const status = Number(head.split(" ")[1]);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  // More answers may follow, to requests that the changed bytes happen to hold.
  if (length !== undefined && body.length >= Number(length))
    return { status, head, body: body.subarray(0, Number(length)) };
  const isStream = /^content-type: *text\/event-stream/im.test(head);
  const isLastChunk = length === undefined && body.includes("0\r\n\r\n");
  return isWhole || isStream || isLastChunk || [204, 304].includes(status) ? { status, head, body } : undefined;
}

const LEAK = /node_modules|\.tsx?:\d+|\bat \w+ \(|SQLITE_|TypeError|RangeError|\/src\//;

export function faultOf({ isWellFormed, method, path }: HostileRequest, answer: Reaction): string | undefined {
  if (answer === "hang" || answer === "refused") return answer;
  if (answer === "silent") return isWellFormed ? "closed without an answer" : undefined;
  const { status, head, body } = answer;
  const text = body.toString();
  // 505 is Bun's answer to a version of HTTP that does not exist.
  if (status >= 500 && (isWellFormed || status !== 505)) return `answered ${status}: ${text.slice(0, 200)}`;
  if (status < 500 && status >= 400 && LEAK.test(text)) return `shows its insides: ${text.slice(0, 300)}`;
  // Bun refuses malformed HTTP itself, with an empty body and without our headers.
  const isOurs = /^x-request-id:/im.test(head);
  // Health checks and static files carry no request id.
  if (!path.startsWith(API)) return undefined;
  if (!isOurs) return isWellFormed ? `without a request id: ${head.slice(0, 200)}` : undefined;
  if (status < 400 || method === "HEAD" || /^content-encoding:/im.test(head)) return undefined;
  return isErrorShape(text, status) ? undefined : `not the shape of an error: ${text.slice(0, 300)}`;
}

function isErrorShape(text: string, status: number): boolean {
  try {
    const { success, error_code, message, recoverable, usage, agent_instruction, docs, openapi } = JSON.parse(text);
    return (
      success === false &&
      ERRORS[error_code as keyof typeof ERRORS]?.status === status &&
      typeof recoverable === "boolean" &&
      usage.content_type === "application/json" &&
      typeof usage.sample_request === "object" &&
      [message, agent_instruction, docs, openapi].every((words) => typeof words === "string" && words !== "")
    );
  } catch {
    return false;
  }
}
