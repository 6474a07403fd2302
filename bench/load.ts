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
  /** Sent in turn, each a whole HTTP/1.1 request; see `requestBytes`. */
  requests: readonly Uint8Array[];
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
  connections = 32,
  seconds = 1,
  warmUpSeconds = 0.2,
}: LoadOptions): Promise<Load> {
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  let sent = 0;
  let bytes = 0;
  const from = performance.now() + warmUpSeconds * 1000;
  const until = from + seconds * 1000;
  const next = () => requests[sent++ % requests.length] as Uint8Array;
  const ports = [port].flat();

  const connection = async (i: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let started = 0;
    let pending: Buffer = Buffer.alloc(0);
    let finished = false;
    await Bun.connect({
      hostname: "127.0.0.1",
      port: ports[i % ports.length] as number,
      socket: {
        open(socket) {
          started = performance.now();
          socket.write(next());
        },
        data(socket, chunk) {
          pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
          const answer = answerIn(pending);
          if (!answer) return;
          const now = performance.now();
          bytes = answer.bodyBytes;
          pending = Buffer.alloc(0);
          if (started >= from && now <= until) {
            times.push(now - started);
            statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
          }
          if (now >= until) {
            finished = true;
            socket.end();
            return resolve();
          }
          started = now;
          socket.write(next());
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
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), statuses, sent, bytes };
}

const HEAD_END = Buffer.from("\r\n\r\n");
const CHUNKS_END = Buffer.from("0\r\n\r\n");

/** The answer, once all of it has come. */
function answerIn(bytes: Buffer): { status: string; bodyBytes: number } | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const head = bytes.toString("latin1", 0, end).toLowerCase();
  const status = head.slice(9, 12);
  const at = head.indexOf("content-length:");
  const got = bytes.length - end - HEAD_END.length;
  if (at === -1) {
    const isWhole =
      !head.includes("transfer-encoding: chunked") || bytes.subarray(-CHUNKS_END.length).equals(CHUNKS_END);
    return isWhole ? { status, bodyBytes: got } : undefined;
  }
  const length = Number.parseInt(head.slice(at + 15, at + 30), 10);
  return got >= length ? { status, bodyBytes: length } : undefined;
}
