/** `tint mcp`: the MCP server over standard input and output. */
import { readAssistant } from "../../src/env/env.ts";
import { catalogSource, refuseFileBesideDatabase } from "../shop/catalog.ts";
import { withStore } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { watchOutput } from "../terminal/output.ts";

export function configure(command: Command): void {
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
