/** The parts of the documentation, in Markdown. */
import { CHAPTERS } from "../../discovery/common.ts";

/** Everything that the documentation prints is made of these. */
export interface Section {
  /** `?section=ID` in Markdown, `#ID` on the page. */
  id: string;
  title: string;
  /** Without the heading. A name in `code` that is also the id of a section, or an error code, becomes a link on the page. */
  text: string;
  /** Of a request: where it can be tried, from the root of the site. */
  reference?: string;
  sections?: Section[];
}

export function chapter(id: keyof typeof CHAPTERS, ...paragraphs: string[]): Section {
  return section(id, CHAPTERS[id], ...paragraphs);
}

/** @param paragraphs empty ones are left out */
export function section(id: string, title: string, ...paragraphs: string[]): Section {
  return { id, title, text: paragraphs.filter(Boolean).join("\n\n") };
}

export function list(...items: string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

export function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** A wire name that is not marked up yet, like `dry_run`, `usage.sample_request` or `invalid_fields[].allowed`. */
const WIRE_NAME = /(?<![`\w[/#.])(?:[a-z]+\.)?[a-z]+(?:_[a-z0-9]+)+(?:\[\])?(?:\.[a-z_]+)?(?![`\w\]])/g;

/** A plain sentence as Markdown: wire names become code. */
export function marked(text: string): string {
  return text.replace(WIRE_NAME, "`$&`");
}
