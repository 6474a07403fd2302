/** The documentation in Markdown. */
import type { Shop } from "../../catalog/shop.ts";
import { apiUrl, keyRule, type SampleOf, siteUrl, summaryOf } from "../../discovery/common.ts";
import type { Examples } from "../../discovery/openapi/examples.ts";
import { VERSION } from "../../lib/version.ts";
import { type Block, curl, type Entry, type Section } from "./content/blocks.ts";
import { content } from "./content/content.ts";

/** @param id of the section that is asked for; by default, and where this shop has no such section, all of them */
export function docsMarkdown(catalog: Shop, sampleOf: SampleOf, examples: Examples, id?: string): string {
  const { business } = catalog;
  const sections = content(catalog, sampleOf, examples);
  const asked = sections.flatMap((one) => [one, ...(one.sections ?? [])]).find((one) => one.id === id);
  if (asked) return `${sectionLines(asked, 1, catalog).join("\n\n")}\n`;
  return `${[
    `# ${business.name} API`,
    `${summaryOf(catalog)} JSON over HTTP, version ${VERSION} (schema_version 1.0). ${keyRule(catalog)}`,
    [`- OpenAPI: ${apiUrl(catalog, "/openapi.json")}`, `- Manifest: ${apiUrl(catalog, "/capabilities")}`].join("\n"),
    ...sections.flatMap((section) => sectionLines(section, 2, catalog)),
  ].join("\n\n")}\n`;
}

function sectionLines({ title, endpoint, blocks, sections = [] }: Section, level: number, catalog: Shop): string[] {
  return [
    `${"#".repeat(level)} ${title}`,
    ...(endpoint ? [`\`${endpoint.method} ${endpoint.path}\``] : []),
    ...blocks.flatMap((block) => toMarkdown(block, catalog)),
    ...sections.flatMap((inner) => sectionLines(inner, level + 1, catalog)),
  ];
}

function toMarkdown(block: Block, catalog: Shop): string[] {
  switch (block.kind) {
    case "text":
      return [withoutAnchors(block.text)];
    case "list":
      return block.items.length > 0 ? [block.items.map((item) => `- ${withoutAnchors(item)}`).join("\n")] : [];
    case "chips":
      return [block.chips.map(({ text }) => text).join(" · ")];
    case "table":
      return [table(block.head, block.rows)];
    case "entries":
      return [
        table(
          block.head,
          block.entries.flatMap((entry) => entryRows(entry, "")),
        ),
      ];
    case "code":
      return [fence(block.language, block.text)];
    case "request":
      return [fence("sh", curl(block.request, siteUrl(catalog, "")))];
    case "answers":
      return block.answers.flatMap(({ status, title, text }) => [`${status}, ${title}:`, fence("json", text)]);
  }
}

/** A row for an entry, and one for each of its own, with their whole path. */
function entryRows({ term, note, text, words = [], inner = [] }: Entry, parent: string): string[][] {
  const lines = words.map(([word, meaning]) => `\`${word}\`: ${meaning}`);
  const path = parent + term;
  const isList = note.startsWith("list");
  return [
    [`\`${path}\``, note, [text, ...lines].filter(Boolean).join(" ")],
    ...inner.flatMap((one) => entryRows(one, `${path}${isList ? "[]" : ""}.`)),
  ];
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
