import type { Command } from "commander";
import { readEnv } from "../../src/env.ts";
import { withStore } from "../store.ts";

export function configure(command: Command): void {
  command
    .addHelpText(
      "after",
      '\nExamples:\n  tint mcp\n  tint mcp --catalog catalog.yaml --data data\n\nAn assistant on this machine starts it itself, with a setting like\n  {"mcpServers": {"tintdesk": {"command": "tint", "args": ["mcp", "--catalog", "/path/to/catalog.yaml", "--data", "/path/to/data"]}}}',
    )
    .action(async (options: { catalog?: string; data?: string }) => {
      const env = readEnv(options);
      const { serveMcp } = await import("../../src/mcp.ts");
      await withStore(options.data, (store) => serveMcp(env, store), { create: true });
    });
}
