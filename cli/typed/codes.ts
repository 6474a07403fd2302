/** Codes as people read them out. Crockford's alphabet has no I, L and O, so these are read as 1, 1 and 0. */
import { CROCKFORD, readCode } from "../../src/lib/ids.ts";

/** A typed reference of a lead in the stored form, `Q-7F3A2B`. An id (`lead_…`) is only trimmed. */
export function readReference(typed: string): string {
  const [, kind, code] = /^\s*([bq])[\s-]?([0-9a-z -]+)$/i.exec(typed) ?? [];
  return kind && code ? `${kind.toUpperCase()}-${readCode(code)}` : typed.trim();
}

/** Longer input is not a code with a typing mistake. */
const LONGEST = 16;

/**
 * ` Did you mean X?`, or nothing when no code in use is one slip away: a wrong, missing, extra or swapped character.
 * @param inUse which of some codes are in use
 */
export async function didYouMeanCode(
  typed: string,
  inUse: (codes: readonly string[]) => Promise<string[]>,
): Promise<string> {
  if (typed.length > LONGEST) return "";
  const [guess] = await inUse(slipsOf(typed));
  return guess === undefined ? "" : ` Did you mean ${guess}?`;
}

/** Every code one slip away. Looking these up costs the same in a diary of any size. */
function slipsOf(code: string): string[] {
  const places = Array.from({ length: code.length + 1 }, (_, i) => [code.slice(0, i), code.slice(i)] as const);
  return places.flatMap(([before, [first = "", second = "", ...rest]]) => {
    const end = rest.join("");
    return [
      before + second + end,
      before + second + first + end,
      ...[...CROCKFORD].flatMap((letter) => [before + letter + second + end, before + letter + first + second + end]),
    ];
  });
}
