/** A real server on loopback that stands in for Twilio's Messages resource and keeps the messages it accepts. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const ACCOUNT = {
  accountSid: `AC${"0123456789abcdef".repeat(2)}`,
  authToken: "feedc0de".repeat(4),
  from: "+14045550100",
};

/**
 * The answer to a POST. `…_taken` accepts the message and then fails; `portal` is the log-in page of a network, `flood` an
 * endless answer, `stranger` a 400 that does not come from Twilio. A number is a Twilio error code with status 400, an
 * object a refusal with another status.
 */
export type Fate =
  | "ok"
  | "limit"
  | "stranger"
  | `${"error" | "hang" | "drop" | "portal" | "flood"}${"" | "_taken"}`
  | number
  | { status: number; code?: number };
/** The answer to a look-up. */
export type LookUp = "ok" | "portal" | "flood" | "empty";

interface Message {
  direction: "outbound-api" | "inbound";
  error_code: number | null;
  sid: string;
  to: string;
  from: string;
  body: string;
  status: string;
  date_created: string;
}

/**
 * @param pageMost the most messages on one page of a list
 * @param lookUpOf the answer to the nth look-up, counted from 1
 */
export async function startTwilio(
  fateOf: (nth: number) => Fate = () => "ok",
  pageMost = 1000,
  lookUpOf: (nth: number) => LookUp = () => "ok",
) {
  const messages: Message[] = [];
  const issues: string[] = [];
  let posts = 0;
  let lookUps = 0;
  let stateAsks = 0;
  const path = `/2010-04-01/Accounts/${ACCOUNT.accountSid}/Messages.json`;

  const post = async (request: IncomingMessage, response: ServerResponse) => {
    posts += 1;
    const fate = fateOf(posts);
    const form = new URLSearchParams(await bodyOf(request));
    if (request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") !== true) issues.push("type");
    if (!/^\+[1-9]\d{6,14}$/.test(form.get("To") ?? "")) issues.push(`To ${form.get("To")}`);
    if ([...form.keys()].sort().join() !== "Body,From,To") issues.push([...form.keys()].join());
    if (typeof fate === "number")
      return answer(response, 400, { code: fate, message: "The number +14045550142 is bad", status: 400 });
    if (typeof fate === "object") return answer(response, fate.status, fate);
    const message: Message = {
      ...{ direction: "outbound-api", error_code: null },
      sid: `SM${crypto.randomUUID().replaceAll("-", "")}`,
      to: form.get("To") ?? "",
      from: form.get("From") ?? "",
      body: form.get("Body") ?? "",
      status: "queued",
      date_created: new Date().toUTCString().replace("GMT", "+0000"),
    };
    if (fate === "ok" || fate.endsWith("_taken")) messages.unshift(message);
    if (fate === "ok") return answer(response, 201, message);
    if (fate === "limit") return answer(response, 429, { code: 20429, status: 429 }, { "Retry-After": "2" });
    if (fate.startsWith("error")) return answer(response, 500, { code: 20500, status: 500 });
    if (fate === "stranger") return answer(response, 400, {});
    if (fate.startsWith("drop")) request.socket.destroy();
    else if (fate.startsWith("portal")) showPortal(response);
    else if (fate.startsWith("flood")) flood(response);
  };
  let flooded = 0;
  const flood = (response: ServerResponse) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    const pour = () => {
      while (flooded < FLOOD_BYTES && !response.destroyed) {
        flooded += BLANKS.length;
        if (!response.write(BLANKS)) return;
      }
      response.end();
    };
    response.on("drain", pour);
    pour();
  };

  const list = (url: URL, response: ServerResponse) => {
    lookUps += 1;
    const fate = lookUpOf(lookUps);
    if (fate === "portal") return showPortal(response);
    if (fate === "flood") return flood(response);
    if (fate === "empty") return answer(response, 200, {});
    const page = Number(url.searchParams.get("Page") ?? 0);
    const size = Math.min(Number(url.searchParams.get("PageSize") ?? 50), pageMost);
    const [to, from] = [url.searchParams.get("To"), url.searchParams.get("From")];
    const fitting = messages.filter(
      (message) => (to === null || message.to === to) && (from === null || message.from === from),
    );
    const isLast = fitting.length <= (page + 1) * size;
    const next = new URLSearchParams({ ...(to && { To: to }), ...(from && { From: from }), PageSize: `${size}` });
    next.set("Page", String(page + 1));
    const shown = fitting.slice(page * size, (page + 1) * size);
    answer(response, 200, { messages: shown, next_page_uri: isLast ? null : `${path}?${next}` });
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://twilio");
    const wanted = `Basic ${btoa(`${ACCOUNT.accountSid}:${ACCOUNT.authToken}`)}`;
    if (request.headers.authorization !== wanted) return answer(response, 401, { code: 20003, status: 401 });
    const [, sid] = /\/Messages\/(\w+)\.json$/.exec(url.pathname) ?? [];
    if (sid !== undefined && request.method === "GET") {
      stateAsks += 1;
      const found = messages.find((message) => message.sid === sid);
      return found ? answer(response, 200, found) : answer(response, 404, { code: 20404, status: 404 });
    }
    if (url.pathname !== path) return answer(response, 404, { code: 20404, status: 404 });
    if (request.method === "GET") return list(url, response);
    // A client that is killed during a request is no fault of the stand-in.
    post(request, response).catch(() => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  // A TCP server has an AddressInfo; only pipes have a string.
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    /** Newest first. */
    messages,
    /** Requests that Twilio would not understand. */
    issues,
    posts: () => posts,
    lookUps: () => lookUps,
    /** How often the state of a message was asked for. */
    stateAsks: () => stateAsks,
    /** A customer writes to the shop. @param at epoch milliseconds */
    write(from: string, body: string, at: number) {
      messages.unshift({
        ...{ direction: "inbound", error_code: null, status: "received" },
        ...{ sid: `SM${crypto.randomUUID().replaceAll("-", "")}`, from, to: ACCOUNT.from, body },
        date_created: new Date(at).toUTCString().replace("GMT", "+0000"),
      });
    },
    /** Bytes of floods that went out before the client hung up. */
    flooded: () => flooded,
    settings: { ...ACCOUNT, baseUrl },
    env: {
      TWILIO_ACCOUNT_SID: ACCOUNT.accountSid,
      TWILIO_AUTH_TOKEN: ACCOUNT.authToken,
      TWILIO_FROM: ACCOUNT.from,
      TWILIO_BASE_URL: baseUrl,
    },
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const BLANKS = Buffer.alloc(1024 * 1024, " ");
const FLOOD_BYTES = 600 * BLANKS.length;

function showPortal(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/html" }).end("<html>Log in to go on</html>");
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function answer(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}
