import type { Command } from "commander";
import { readListening } from "../../src/env/settings.ts";
import { Misuse } from "../failure.ts";
import { cannotListen, hostOption, portOption } from "../terminal/listening.ts";

/** Beside the API's own default, so that both can run on one machine. */
const DEFAULT_PORT = "3001";

interface ProxyOptions {
  upstream: string;
  port?: string;
  host?: string;
  timeout: string;
}

export function configure(command: Command): void {
  command
    .description(
      "Passes requests on to an API, unchanged but for a User-Agent that no web host turns away. Name this machine in the API's TINT_TRUSTED_PROXIES, so that limits count the real callers.",
    )
    .requiredOption("--upstream <url>", "where the API is, without a path: https://example.com")
    .addOption(portOption(DEFAULT_PORT))
    .addOption(hostOption())
    .option("--timeout <seconds>", "how long the API may take to begin its answer", "30")
    .addHelpText("after", "\nExample:\n  tint proxy --upstream https://example.com --port 8080 --host 0.0.0.0")
    .action(async (options: ProxyOptions) => {
      const upstream = originOf(options.upstream);
      const timeoutMs = Number(options.timeout) * 1000;
      if (!/^\d{1,4}(\.\d{1,3})?$/.test(options.timeout) || timeoutMs === 0)
        throw new Misuse("--timeout must be a number of seconds above 0.");
      const env = readListening({ port: options.port ?? DEFAULT_PORT, host: options.host });
      const { serveProxy } = await import("../../src/programs/proxy.ts");
      try {
        await serveProxy({ ...env, upstream, timeoutMs });
      } catch (error) {
        throw cannotListen(error, env);
      }
    });
}

/** @throws Misuse */
function originOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol))
    throw new Misuse("--upstream must be an address that begins with https:// or http://.");
  // The path of a request is passed on as it is, /api/v1 included.
  if (url.href !== `${url.origin}/`)
    throw new Misuse(`--upstream must be only a scheme, a host and a port, like ${url.origin}.`);
  return url;
}
