/** The documentation in Markdown. */
import type { Catalog } from "../../catalog/schema.ts";
import type { SampleOf } from "../../discovery/samples.ts";
import { apiUrl, keyRule, siteUrl, summaryOf } from "../../discovery/site.ts";
import { VERSION } from "../../lib/version.ts";
import { type Block, curl, type Section } from "./content/blocks.ts";
import { content } from "./content/content.ts";

export function docsMarkdown(catalog: Catalog, sampleOf: SampleOf): string {
  const { business, site } = catalog;
  return `${[
    `# ${business.name} API`,
    `${summaryOf(catalog)} JSON over HTTP, version ${VERSION} (schema_version 1.0). ${keyRule(catalog)}`,
    [
      `- Base URL: \`${site.base_url}\``,
      `- Base URL for automated agents: \`${site.agent_proxy_url}\``,
      `- MCP server: \`${site.mcp_url}\``,
      `- OpenAPI: ${apiUrl(catalog, "/openapi.json")}`,
      `- Manifest: ${apiUrl(catalog, "/capabilities")}`,
    ].join("\n"),
    ...content(catalog, sampleOf).flatMap((section) => sectionLines(section, 2, catalog)),
  ].join("\n\n")}\n`;
}

function sectionLines({ title, blocks, sections = [] }: Section, level: number, catalog: Catalog): string[] {
  return [
    `${"#".repeat(level)} ${title}`,
    ...blocks.map((block) => toMarkdown(block, catalog)),
    ...sections.flatMap((inner) => sectionLines(inner, level + 1, catalog)),
  ];
}

function toMarkdown(block: Block, catalog: Catalog): string {
  switch (block.kind) {
    case "text":
      return withoutAnchors(block.text);
    case "list":
      return block.items.map((item) => `- ${withoutAnchors(item)}`).join("\n");
    case "table":
      return table(block.head, block.rows);
    case "entries":
      return table(
        block.head,
        block.entries.map(({ term, note, text }) => [`\`${term}\``, note, text]),
      );
    case "code":
      return fence("", block.text);
    case "request":
      return fence("sh", curl(block.request, siteUrl(catalog, "")));
  }
}

/** Replaces links within the page by their text, the name of a capability: the anchors exist only in the HTML. */
function withoutAnchors(text: string): string {
  return text.replace(/\[([^[\]]+)\]\(#[^[\]()]+\)/g, "`$1`");
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function table(head: string[], rows: string[][]): string {
  const row = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}
