/** How to add the shop to the usual MCP clients. */
import type { Shop } from "../../../catalog/shop.ts";
import { slug } from "../../../lib/text.ts";
import { type Block, codeBlock, prose, type Section, section } from "./blocks.ts";

export function mcpClients({ business, site }: Shop): Section[] {
  const name = slug(business.name);
  const url = site.mcp_url;
  return [
    section(
      "mcp-claude",
      "Claude",
      prose(
        `In Claude on the web or the desktop: **Settings → Connectors → Add custom connector**, and paste \`${url}\`.`,
      ),
      prose("In Claude Code:"),
      codeBlock("Shell", "sh", `claude mcp add --transport http ${name} ${url}`),
    ),
    section(
      "mcp-chatgpt",
      "ChatGPT",
      prose(
        `**Settings → Apps & Connectors → Advanced settings → Developer mode**, then **Create**: MCP server URL \`${url}\`, authentication **None**.`,
      ),
    ),
    section(
      "mcp-cursor",
      "Cursor",
      prose("In `~/.cursor/mcp.json`, or `.cursor/mcp.json` of a project:"),
      json({ mcpServers: { [name]: { url } } }),
    ),
    section(
      "mcp-vscode",
      "VS Code",
      prose("In `.vscode/mcp.json`:"),
      json({ servers: { [name]: { type: "http", url } } }),
    ),
    section(
      "mcp-stdio",
      "Over stdio",
      prose(
        "Where Tintdesk itself is installed, `tint mcp` serves the same tools over stdio. In `claude_desktop_config.json`, and in the same form in most other desktop clients:",
      ),
      json({ mcpServers: { [name]: { command: "tint", args: ["mcp"] } } }),
    ),
  ];
}

function json(value: object): Block {
  return codeBlock("JSON", "json", JSON.stringify(value, null, 2));
}
