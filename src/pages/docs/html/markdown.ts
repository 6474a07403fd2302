/** Markdown as HTML. Raw HTML is switched off, so text of the catalog can never become markup. */
export function markdown(text: string): string {
  return Bun.markdown.html(text, { noHtmlBlocks: true, noHtmlSpans: true });
}

/** As `markdown`, without the paragraph around it. */
export function inline(text: string): string {
  return markdown(text)
    .trim()
    .replace(/^<p>([\s\S]*)<\/p>$/, "$1");
}
