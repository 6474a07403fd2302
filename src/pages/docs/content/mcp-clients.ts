/** How to add the shop to the usual MCP clients. */
import type { Catalog } from "../../../catalog/schema.ts";
import { slug } from "../../../lib/slug.ts";
import { type Section, text } from "./blocks.ts";

export function mcpClients({ business, site }: Catalog): Section[] {
  const name = slug(business.name);
  const url = site.mcp_url;
  const json = (value: object) => JSON.stringify(value, null, 2);
  return [
    {
      id: "mcp-claude",
      title: "Claude",
      blocks: [
        text(
          `In Claude on the web or the desktop: **Settings → Connectors → Add custom connector**, and paste \`${url}\`.`,
        ),
        text("In Claude Code:"),
        { kind: "code", label: "Shell", language: "sh", text: `claude mcp add --transport http ${name} ${url}` },
      ],
    },
    {
      id: "mcp-chatgpt",
      title: "ChatGPT",
      blocks: [
        text(
          `**Settings → Apps & Connectors → Advanced settings → Developer mode**, then **Create**: MCP server URL \`${url}\`, authentication **None**.`,
        ),
      ],
    },
    {
      id: "mcp-cursor",
      title: "Cursor",
      blocks: [
        text("In `~/.cursor/mcp.json`, or `.cursor/mcp.json` of a project:"),
        { kind: "code", label: "JSON", language: "json", text: json({ mcpServers: { [name]: { url } } }) },
      ],
    },
    {
      id: "mcp-vscode",
      title: "VS Code",
      blocks: [
        text("In `.vscode/mcp.json`:"),
        { kind: "code", label: "JSON", language: "json", text: json({ servers: { [name]: { type: "http", url } } }) },
      ],
    },
    {
      id: "mcp-stdio",
      title: "Over stdio",
      blocks: [
        text(
          "Where Tintdesk itself is installed, `tint mcp` serves the same tools over stdio. In `claude_desktop_config.json`, and in the same form in most other desktop clients:",
        ),
        {
          kind: "code",
          label: "JSON",
          language: "json",
          text: json({ mcpServers: { [name]: { command: "tint", args: ["mcp"] } } }),
        },
      ],
    },
  ];
}
