/** A load generator on raw sockets: `fetch` would cost the caller more than the server under test. */

export interface Load {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  statuses: Record<string, number>;
  /** All requests, counted or not. */
  sent: number;
  /** Bytes of the last answer's body. */
  bytes: number;
}

export interface LoadOptions {
  /** Of the server; of several, connections go to one after the other, as behind a load balancer. */
  port: number | readonly number[];
  /** Whole HTTP/1.1 requests, see `requestBytes`. The load ends when all are sent, or after `seconds`. */
  requests: readonly Uint8Array[];
  /** Starts over with the first request when all are sent. */
  again?: boolean;
  connections?: number;
  seconds?: number;
  /** Answers of this time at the start do not count. */
  warmUpSeconds?: number;
}

/** One HTTP/1.1 request as bytes. A body is sent as JSON. */
export function requestBytes(
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Uint8Array {
  const text = body === undefined ? "" : JSON.stringify(body);
  const lines = Object.entries({
    Host: "127.0.0.1",
    "User-Agent": "tintdesk-bench",
    ...(body !== undefined && {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(text)),
    }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text}`);
}

/** The same request with one more header. */
export function withHeader(request: Uint8Array, name: string, value: string): Uint8Array {
  const bytes = Buffer.from(request);
  const end = bytes.indexOf(HEAD_END);
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`\r\n${name}: ${value}`), bytes.subarray(end)]);
}

/** Keeps one request under way on each connection. @throws Error when the server closes a connection */
export async function load({
  port,
  requests,
  again = false,
  connections = 32,
  seconds = 1,
  warmUpSeconds = 0.2,
}: LoadOptions): Promise<Load> {
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const ports = [port].flat();
  let sent = 0;
  let bytes = 0;
  const from = performance.now() + warmUpSeconds * 1000;
  const until = from + seconds * 1000;
  let last = from;

  const connection = async (i: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let started = 0;
    let received: Buffer = Buffer.alloc(0);
    let answer: Answer | undefined;
    let finished = false;
    const next = (socket: Bun.Socket, now: number) => {
      const request = requests[again ? sent % requests.length : sent];
      finished = now >= until || request === undefined;
      if (request === undefined || finished) {
        socket.end();
        return resolve();
      }
      sent += 1;
      started = now;
      answer = undefined;
      received = Buffer.alloc(0);
      socket.write(request);
    };
    await Bun.connect({
      hostname: "127.0.0.1",
      port: ports[i % ports.length] as number,
      socket: {
        open: (socket) => next(socket, performance.now()),
        data(socket, chunk) {
          received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
          answer ??= answerIn(received);
          if (!answer || received.length < answer.bytes) return;
          const now = performance.now();
          bytes = answer.bodyBytes;
          if (started >= from && now <= until) {
            last = now;
            times.push(now - started);
            statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
          }
          next(socket, now);
        },
        close: () => (finished ? undefined : reject(new Error("the server closed a connection"))),
        error: (_, error) => reject(error),
      },
    });
    await promise;
  };
  await Promise.all(Array.from({ length: connections }, (_, i) => connection(i)));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { perSecond: (times.length * 1000) / (last - from), p50: at(0.5), p99: at(0.99), statuses, sent, bytes };
}

const HEAD_END = Buffer.from("\r\n\r\n");
/** Of `Content-Length: `, in whatever case it is written. */
const LENGTH = Buffer.from("ength: ");

interface Answer {
  status: string;
  bodyBytes: number;
  /** With its head. */
  bytes: number;
}

/** What the head of an answer says, once it has come. It is not decoded: that would cost more than the rest of the load. */
function answerIn(received: Buffer): Answer | undefined {
  const end = received.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const length = received.indexOf(LENGTH) + LENGTH.length;
  const bodyBytes = Number.parseInt(received.toString("latin1", length, length + 10), 10);
  if (length > end || Number.isNaN(bodyBytes)) throw new Error("an answer without Content-Length");
  return { status: received.toString("latin1", 9, 12), bodyBytes, bytes: end + HEAD_END.length + bodyBytes };
}
