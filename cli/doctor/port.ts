/** Checks the port of the server, and asks a server that runs there for its readiness. */
import { z } from "zod";
import { codeOf } from "../../src/lib/reasons.ts";
import { listenReason } from "../terminal/listening.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";

const NAME = "port";
const ANSWER_MS = 2_000;

/** The answer of `/readyz`. */
const READINESS = z.object({
  status: z.string(),
  checks: z.object({ store: z.string(), catalog: z.string(), jobs: z.string() }).optional(),
  jobs: z.object({ off: z.array(z.string()) }).optional(),
});
export type Readiness = z.output<typeof READINESS>;

/** Asks whether the API answers on its port, or could listen there. @returns also the answer of a running server */
export async function checkPort(
  host: string,
  port: number,
): Promise<{ finding: Finding; server: Readiness | undefined }> {
  const at = `${host}:${port}`;
  if (port === 0) return { finding: ok(NAME, "the server takes any free port"), server: undefined };
  const server = await askServer(host, port);
  if (server) return { finding: ok(NAME, `the API answers on ${at}`), server };
  try {
    const listener = Bun.listen({ hostname: host, port, socket: { data() {} } });
    listener.stop(true);
    const finding = warning(NAME, `${at} is free: the API is not running`, "start it with tint serve");
    return { finding, server: undefined };
  } catch (error) {
    const code = codeOf(error);
    const finding =
      code === "EADDRINUSE"
        ? fault(
            NAME,
            `${at} is not free, and what listens there is not this API`,
            "stop that program, or set PORT (and HOST) to another",
          )
        : fault(NAME, `the API cannot listen on ${at} (${listenReason(code)})`, "set HOST and PORT to others");
    return { finding, server: undefined };
  }
}

/** Asks a server for its readiness. @returns undefined when none answers there */
export async function askServer(host: string, port: number): Promise<Readiness | undefined> {
  // 0.0.0.0 and :: mean every interface; loopback is one of them.
  const target = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${target}:${port}/readyz`, {
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: "manual",
    });
    if (!response.headers.has("x-request-id")) return undefined;
    return READINESS.parse(await response.json());
  } catch {
    return undefined;
  }
}
