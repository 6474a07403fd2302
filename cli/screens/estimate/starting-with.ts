/** What is known of a booking, as the text that opens its form. @param known values by field of the request */
export function startingWith(known: readonly (readonly [string, readonly string[]])[]): string {
  return JSON.stringify(Object.fromEntries(known.map(([name, values]) => [name, values.join(" ")])));
}
