/** `tint serve`: the server. */
import { dataLocation, readServer } from "../../src/env/env.ts";
import { cannotListen, hostOption, portOption } from "../server/listening.ts";
import { readableLog } from "../server/readable-log.ts";
import { catalogSource, refuseFileBesideDatabase } from "../shop/catalog.ts";
import { type CommonOptions, cannotUse } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { isTerminal } from "../terminal/output.ts";

export function configure(command: Command): void {
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
