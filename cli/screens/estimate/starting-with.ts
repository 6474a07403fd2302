/** The fields of a booking that are known already, as the text with which its form opens. @param known values by field of the request */
export function startingWith(known: readonly (readonly [string, readonly string[]])[]): string {
  return JSON.stringify(Object.fromEntries(known.map(([name, values]) => [name, values.join(" ")])));
}

/** Fields of a booking as `startingWith` takes them. Lists of windows and shades by position have no row in the form. */
export function knownOf(fields: Record<string, unknown>): (readonly [string, readonly string[]])[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === "object" && !Array.isArray(value)
      ? []
      : [[name === "service_type" ? "service" : name, [value].flat().map(String)] as const],
  );
}
