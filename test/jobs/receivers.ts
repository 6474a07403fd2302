/** Real servers on loopback that stand in for a CRM, which verifies signatures, and for a mail server. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { Webhook } from "standardwebhooks";

export const CRM_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

interface Pushed {
  id: string;
  host: string | null;
  /** With the query. */
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  event: any;
}

/** @param statusOf the status for the nth push, counted from 1 */
export function startCrm(statusOf: (nth: number) => number = () => 204) {
  const pushed: Pushed[] = [];
  const refused: string[] = [];
  let nth = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      nth += 1;
      const status = statusOf(nth);
      const body = await request.text();
      try {
        const event = new Webhook(CRM_SECRET).verify(body, Object.fromEntries(request.headers));
        const { pathname, search } = new URL(request.url);
        const id = request.headers.get("webhook-id") ?? "";
        pushed.push({ id, host: request.headers.get("host"), path: pathname + search, event });
      } catch (error) {
        refused.push(String(error));
      }
      return new Response(null, { status, ...(status === 307 && { headers: { Location: "/elsewhere" } }) });
    },
  });
  const url = `${server.url.href}hook`;
  return {
    pushed,
    /** Pushes with a wrong signature. */
    refused,
    settings: { url, secret: CRM_SECRET, allowPrivate: false },
    env: { CRM_WEBHOOK_URL: url, CRM_WEBHOOK_SECRET: CRM_SECRET },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** A web address that takes plain texts, as ntfy does. @param statusOf the status for the nth request, counted from 1 */
export function startNtfy(statusOf: (nth: number) => number = () => 200) {
  const received: { path: string; text: string; id: string | null }[] = [];
  let nth = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      nth += 1;
      const status = statusOf(nth);
      const { pathname } = new URL(request.url);
      const text = await request.text();
      if (status === 200) received.push({ path: pathname, text, id: request.headers.get("webhook-id") });
      return new Response(null, { status });
    },
  });
  return { received, topic: `${server.url.href}tint-a7f3`, [Symbol.dispose]: () => void server.stop(true) };
}

/** @param refuse the answer that refuses a sender or recipient, like `550 gone`, or undefined to accept */
export async function startMailServer(refuse: (address: string) => string | number | undefined = () => undefined) {
  const mails: { to: string[]; raw: string }[] = [];
  const judge = ({ address }: { address: string }, _session: object, done: (error?: Error | null) => void) => {
    const [, responseCode, words = "refused"] = /^(\d+) ?(.+)?$/.exec(`${refuse(address) ?? ""}`) ?? [];
    done(responseCode ? Object.assign(new Error(words), { responseCode: Number(responseCode) }) : null);
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onMailFrom: judge,
    onRcptTo: judge,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString("utf8") });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const from = "Example Tint <desk@example.com>";
  return {
    mails,
    settings: { url, from, allowPlain: false },
    env: { SMTP_URL: url, MAIL_FROM: from },
    [Symbol.dispose]: () => void server.close(),
  };
}

/** A port that accepts connections and sends nothing. */
export async function startSilence() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The unfolded head of a mail, and the decoded parts by content type. */
export function readMail(raw: string): { head: string; parts: Map<string, string> } {
  const parts = new Map<string, string>();
  for (const section of raw.split(/\r\n--[^\r\n]+\r\n/)) {
    const [head = "", ...body] = section.split("\r\n\r\n");
    const type = /^content-type: ([a-z/]+)/im.exec(head)?.[1];
    if (!type || type.startsWith("multipart/")) continue;
    parts.set(type, decode(body.join("\r\n\r\n"), /^content-transfer-encoding: (\S+)/im.exec(head)?.[1]));
  }
  return { head: (raw.split("\r\n\r\n")[0] ?? "").replace(/\r\n[ \t]+/g, " "), parts };
}

function decode(text: string, encoding = "7bit"): string {
  if (encoding === "base64") return Buffer.from(text, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return text;
  const bytes = text
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
