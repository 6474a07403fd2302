/** The choice of a media type (RFC 9110, 12.5.1). */

interface Range {
  type: string;
  weight: number;
}

/**
 * The type that the caller prefers. Among types of equal weight, a type that the caller names wins over one that only a
 * wildcard allows, then the first of the list. The first also wins when the caller accepts none.
 * @param accepted the Accept header, null when there is none
 */
export function preferredType<Type extends string>(accepted: string | null, offered: readonly [Type, ...Type[]]): Type {
  const ranges = (accepted ?? "*/*").toLowerCase().split(",").map(rangeOf);
  let best = offered[0];
  let most = 0;
  for (const type of offered) {
    const [family = ""] = type.split("/");
    const named = [type, `${family}/*`, "*/*"].map((range) => ranges.find((one) => one.type === range));
    const rank = named.findIndex((range) => range !== undefined);
    const weight = named[rank]?.weight ?? 0;
    // The rank counts for less than the smallest step of a weight, a thousandth.
    const worth = weight > 0 ? weight - rank / 10_000 : 0;
    if (worth > most) [best, most] = [type, worth];
  }
  return best;
}

/** An entry like `text/html;q=0.9`. A weight that cannot be read counts as a refusal. */
function rangeOf(entry: string): Range {
  const [type = "", ...parameters] = entry.split(";").map((part) => part.trim());
  const weight = parameters.find((one) => one.startsWith("q="));
  return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
}
