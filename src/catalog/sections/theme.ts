/** The shop's own colours on its pages, and whether they can be read there. */

/** The scheme of the reader's screen. */
export type Scheme = "light" | "dark";

/**
 * The background of a page that is nearest to the text, and the text on a button. The same values stand in
 * `pages/markup/base.css` as `--sunken` and `--on-accent`.
 */
export const SURFACES: Readonly<Record<Scheme, { sunken: string; onAccent: string }>> = {
  light: { sunken: "#eaeff1", onAccent: "#ffffff" },
  dark: { sunken: "#1d272d", onAccent: "#06232a" },
};

/** The least contrast of text. Source: WCAG 2.2, success criterion 1.4.3. */
const LEAST = 4.5;

/** Why a colour of links and buttons cannot be read in a scheme; undefined when it can. @param colour like `#0b5f6f` */
export function contrastIssue(colour: string, scheme: Scheme): string | undefined {
  const { sunken, onAccent } = SURFACES[scheme];
  const least = Math.min(contrast(colour, sunken), contrast(colour, onAccent));
  if (least >= LEAST) return undefined;
  const way = scheme === "light" ? "darker" : "lighter";
  return `is hard to read on the ${scheme} page: its contrast is ${least.toFixed(1)} and must be ${LEAST} or more. Take a ${way} color`;
}

/** From 1 (the same) to 21 (black on white). Source: WCAG 2.2, contrast ratio. */
function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

/** Relative luminance. Source: WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
