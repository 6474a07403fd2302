/** A wished shade as callers write it: `35`, `35%`, `limo`. */
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

/** The glass that a shade may name. The windshield has a field of its own. */
export const SIDE_POSITIONS = ["front_side", "rear_side", "rear_window"] as const;
export type Side = (typeof SIDE_POSITIONS)[number];
