/** What all pages share: the document around the body, the style, and the policy that says what a page may load. */
import { createHash } from "node:crypto";
import type { Shop } from "../../catalog/shop.ts";
import { type Html, html } from "../../lib/html.ts";
import base from "./base.css" with { type: "text" };

interface PageParts {
  title: string;
  /** For search engines and previews. A page without it is not to be listed. */
  listed?: { title: string; description: string; address: string /** 1200 by 630 pixels. */; picture?: string };
  /** The address of the icon: an SVG, unless the shop has one of its own. */
  icon: string;
  touchIcon?: string;
  head: Html;
  attributes?: Html | false;
  /** The id of the element to which the first link skips; by default `main`. */
  content?: string;
  body: Html;
}

export function wholePage(parts: PageParts, { business, site: { theme } }: Shop): string {
  const { title, listed, icon, touchIcon, head, attributes, content = "main", body } = parts;
  return html`<!doctype html>
<html lang="en"${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${theme.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${theme.dark}" media="(prefers-color-scheme: dark)">
${
  listed
    ? html`<meta name="description" content="${listed.description}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${business.name}">
<meta property="og:title" content="${listed.title}">
<meta property="og:description" content="${listed.description}">
<meta property="og:url" content="${listed.address}">
${
  listed.picture &&
  html`<meta property="og:image" content="${listed.picture}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
`
}<link rel="canonical" href="${listed.address}">`
    : html`<meta name="robots" content="noindex">`
}
<link rel="icon" href="${icon}"${icon.includes(".svg") && html` type="image/svg+xml"`}>
${touchIcon && html`<link rel="apple-touch-icon" href="${touchIcon}">`}
${head}
</head>
<body>
<a class="skip" href="#${content}">Skip to the content</a>
${body}
</body>
</html>
`.markup;
}

/** One style sheet: what every page shares, the shop's two colors, and the given sheets. */
export function sheet({ site: { theme } }: Shop, ...own: string[]): string {
  return smaller(`${base}:root{--theme-light:${theme.light};--theme-dark:${theme.dark}}${own.join("")}`);
}

/** Without notes and blanks that mean nothing. `Bun.build` would write each `light-dark()` twice, and take more bytes than this. */
export function smaller(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>]) ?/g, "$1");
}

/**
 * Headers of a page that may load only the given sources.
 * @param sources by directive of the Content-Security-Policy, like `{"img-src": "'self'"}`
 */
export function pagePolicy(sources: Record<string, string>): Record<string, string> {
  const directives = {
    "default-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    ...sources,
  };
  return {
    "Content-Security-Policy": Object.entries(directives)
      .map(([name, value]) => `${name} ${value}`)
      .join("; "),
    "Referrer-Policy": "no-referrer",
  };
}

/** Allows one inline script or style element by its text. */
export function inlineSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
