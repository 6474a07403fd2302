/** The choice of a media type (RFC 9110, 12.5.1). */
import { weightsOf } from "./weights.ts";

/**
 * The type that the caller prefers. Among types of equal weight, a type that the caller names wins over one that only a
 * wildcard allows, then the first of the list. The first also wins when the caller accepts none.
 * @param accepted the Accept header, null when there is none
 */
export function preferredType<Type extends string>(accepted: string | null, offered: readonly [Type, ...Type[]]): Type {
  const ranges = weightsOf(accepted ?? "*/*");
  let best = offered[0];
  let most = 0;
  for (const type of offered) {
    const [family = ""] = type.split("/");
    const named = [type, `${family}/*`, "*/*"].map((range) => ranges.find(([name]) => name === range));
    const rank = named.findIndex((range) => range !== undefined);
    const weight = named[rank]?.[1] ?? 0;
    // The rank counts for less than the smallest step of a weight, a thousandth.
    const worth = weight > 0 ? weight - rank / 10_000 : 0;
    if (worth > most) [best, most] = [type, worth];
  }
  return best;
}
