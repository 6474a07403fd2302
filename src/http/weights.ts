/** The weights in a header like Accept (RFC 9110, 12.4.2). */

/** The entries of a header, in small letters. A weight that cannot be read counts as a refusal, 0. */
export function weightsOf(header: string): [name: string, weight: number][] {
  return header.toLowerCase().split(",").map(weightOf);
}

/** An entry like `text/html;q=0.9`. */
function weightOf(entry: string): [string, number] {
  const [name = "", ...parameters] = entry.split(";").map((part) => part.trim());
  const weight = parameters.find((one) => one.startsWith("q="));
  return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}
