/** Words of the catalog and the API in sentences. */

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `1 booking`, `2 bookings`. @param several where an s does not make it */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** A code without its underscores: `film_removal` becomes `film removal`. */
export function spaced(code: string): string {
  return code.replaceAll("_", " ");
}
