/** Checks the port of the server. */
import { type Finding, fault, ok, warning } from "./finding.ts";

const NAME = "port";
const ANSWER_MS = 2_000;

/** Asks whether the API answers on its port, or could listen there. */
export async function checkPort(host: string, port: number): Promise<Finding> {
  const at = `${host}:${port}`;
  if (port === 0) return ok(NAME, "the server takes any free port");
  if (await answers(host, port)) return ok(NAME, `the API answers on ${at}`);
  try {
    const listener = Bun.listen({ hostname: host, port, socket: { data() {} } });
    listener.stop(true);
    return warning(NAME, `${at} is free: the API is not running`, "start it with tint serve");
  } catch {
    return fault(
      NAME,
      `${at} is not free, and what listens there is not this API`,
      "stop that program, or set PORT (and HOST) to another",
    );
  }
}

async function answers(host: string, port: number): Promise<boolean> {
  // 0.0.0.0 and :: mean every interface; loopback is one of them.
  const target = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${target}:${port}/livez`, {
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: "manual",
    });
    return response.status === 200 && response.headers.has("x-request-id");
  } catch {
    return false;
  }
}
