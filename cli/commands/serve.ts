/** `tint serve`, `tint mcp` and `tint proxy`: the server, its tools over standard input and output, and the proxy in front. */
import { dataLocation, readAssistant, readListening, readServer } from "../../src/env/env.ts";
import { cannotListen, hostOption, portOption } from "../server/listening.ts";
import { readableLog } from "../server/readable-log.ts";
import { catalogSource, refuseFileBesideDatabase } from "../shop/catalog.ts";
import { type CommonOptions, cannotUse, withStore } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { isTerminal, UsageError, watchOutput } from "../terminal/output.ts";

export const configure = { serve: configureServe, mcp: configureMcp, proxy: configureProxy };

function configureServe(command: Command): void {
  command
    .addOption(portOption("$PORT or 3000"))
    .addOption(hostOption())
    .examples("tint serve", "tint serve --port 8080 --host 0.0.0.0")
    .action(async (options: CommonOptions & { port?: string; host?: string }) => {
      refuseFileBesideDatabase(options);
      const env = {
        ...readServer(options),
        catalog: catalogSource(options),
        data: dataLocation(options.data),
      };
      const { serve } = await import("../../src/programs/serve.ts");
      // A person reads a terminal, a program the pipe.
      const readable = isTerminal(2) ? readableLog : undefined;
      try {
        await serve(env, readable);
      } catch (error) {
        throw cannotUse(cannotListen(error, env), env.data);
      }
    });
}

function configureMcp(command: Command): void {
  command
    .examples("tint mcp", "tint mcp --catalog catalog.yaml --data data")
    .addHelpText(
      "after",
      '\nAn assistant on this machine starts it itself, with a setting like\n  {"mcpServers": {"tintdesk": {"command": "tint", "args": ["mcp", "--catalog", "/path/to/catalog.yaml", "--data", "/path/to/data"]}}}',
    )
    .action(async (options: { catalog?: string; data?: string }) => {
      refuseFileBesideDatabase(options);
      watchOutput();
      const env = readAssistant();
      const { serveMcp } = await import("../../src/programs/mcp.ts");
      await withStore(options, (store) => serveMcp(catalogSource(options), store, env), { create: true });
    });
}

/** Differs from the API's own default, so that both can run on one machine. */
const DEFAULT_PORT = "3001";

function configureProxy(command: Command): void {
  command
    .description(
      "Passes requests on to an API. Only the User-Agent changes, to one that web hosts let through. Name this machine in the API's TINT_TRUSTED_PROXIES, so that limits count the real callers. Is there a web host in front of this proxy? Name it in TINT_TRUSTED_PROXIES here, so that the country it writes is passed on.",
    )
    .requiredOption("--upstream <url>", "the address of the API: https://example.com, with a path if it has one")
    .addOption(portOption(DEFAULT_PORT))
    .addOption(hostOption())
    .option("--timeout <seconds>", "how long the API may take to begin its answer", "30")
    .examples("tint proxy --upstream https://example.com --port 8080 --host 0.0.0.0")
    .action(async (options: { upstream: string; port?: string; host?: string; timeout: string }) => {
      const upstream = upstreamOf(options.upstream);
      const timeoutMs = Number(options.timeout) * 1000;
      if (!/^\d{1,4}(\.\d{1,3})?$/.test(options.timeout) || timeoutMs === 0)
        throw new UsageError("--timeout must be a number of seconds above 0.");
      const env = readListening({ port: options.port ?? DEFAULT_PORT, host: options.host });
      const { serveProxy } = await import("../../src/programs/proxy.ts");
      try {
        await serveProxy({ ...env, upstream, timeoutMs });
      } catch (error) {
        throw cannotListen(error, env);
      }
    });
}

function upstreamOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol))
    throw new UsageError("--upstream must be an address that begins with https:// or http://.");
  const plain = url.origin + url.pathname;
  if (url.href !== plain)
    throw new UsageError(`--upstream must be an address without user, query and fragment, like ${plain}.`);
  return url;
}
