import type { AutomotiveFilm } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";

/**
 * VLT of a shade as callers write it: 35, "35", "35%" or a trade word of the catalog such as "limo".
 * @returns a whole percentage from 1 to 100, or undefined when the text is no shade
 */
export function parseShade(shade: number | string, { automotive }: Shop): number | undefined {
  if (typeof shade === "number") return shade;
  const words = automotive.shade_words;
  const word = shade.toLowerCase();
  if (Object.hasOwn(words, word)) return words[word];
  const digits = /^(\d{1,3}) ?%?$/.exec(word)?.[1];
  const vlt = Number(digits);
  return digits !== undefined && vlt >= 1 && vlt <= 100 ? vlt : undefined;
}

type Shade = AutomotiveFilm["shades"][number];

/** The shades of a film nearest to a wished one; undefined when the film comes in it, by its number or as measured. */
export function nearestShades({ shades }: AutomotiveFilm, wished: number): Shade[] | undefined {
  if (shades.some(({ label, vlt }) => label === wished || vlt === wished)) return undefined;
  return shades
    .toSorted((a, b) => Math.abs(a.vlt - wished) - Math.abs(b.vlt - wished))
    .slice(0, 2)
    .toSorted((a, b) => a.vlt - b.vlt);
}
