/** A real client of each era of MCP, behind one interface. */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

export interface Program {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

export interface ToolAnswer {
  content?: unknown;
  structuredContent?: unknown;
  isError?: unknown;
  [more: string]: unknown;
}

interface McpClient extends AsyncDisposable {
  /** The name and version that the server gives. */
  server: unknown;
  capabilities: unknown;
  instructions: string | undefined;
  tools: () => Promise<Record<string, unknown>[]>;
  call: (name: string, input?: Record<string, unknown>) => Promise<ToolAnswer>;
}

export interface Era {
  revision: string;
  connect: (to: URL | Program) => Promise<McpClient>;
}

const INFO = { name: "tintdesk-test", version: "1.0.0" };

const asked = (client: ModernClient | OldClient): McpClient => ({
  server: client.getServerVersion(),
  capabilities: client.getServerCapabilities(),
  instructions: client.getInstructions(),
  tools: async () => (await client.listTools()).tools.map((tool) => ({ ...tool })),
  call: async (name, input = {}) => client.callTool({ name, arguments: input }),
  [Symbol.asyncDispose]: () => client.close(),
});

export const ERAS: Era[] = [
  {
    revision: "2026-07-28",
    async connect(to) {
      const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
      await client.connect(to instanceof URL ? new ModernHttp(to) : new ModernStdio({ ...to, stderr: "ignore" }));
      return asked(client);
    },
  },
  {
    revision: "2025-11-25",
    async connect(to) {
      const client = new OldClient(INFO);
      await client.connect(to instanceof URL ? new OldHttp(to) : new OldStdio({ ...to, stderr: "ignore" }));
      return asked(client);
    },
  },
];
