/** Markup in which every text is escaped, whoever wrote it. */

const { escapeHTML } = Bun;

/** Text that is markup already. */
export interface Html {
  readonly markup: string;
}

export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[];

/** Makes markup of a template. Texts in it are escaped; lists are joined; nothing stands for false, null and undefined. */
export function html(strings: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  return { markup: strings.reduce((text, next, i) => text + toMarkup(parts[i - 1]) + next) };
}

/** Text of this program that is markup, like a drawing. */
export function raw(markup: string): Html {
  return { markup };
}

/** Each part on a line of its own. */
export function lines(parts: readonly HtmlPart[]): Html {
  return raw(parts.map(toMarkup).join("\n"));
}

function toMarkup(part: HtmlPart): string {
  if (part === false || part === null || part === undefined) return "";
  if (typeof part === "object") return "markup" in part ? part.markup : part.map(toMarkup).join("");
  return escapeHTML(String(part));
}
