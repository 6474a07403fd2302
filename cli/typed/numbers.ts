/** Takes the dollar sign and the commas off a number like `$1,299.50`. Other text stays as it is. */
export function plainNumber(typed: string): string {
  return typed
    .trim()
    .replace(/^\$/, "")
    .replace(/^\d{1,3}(,\d{3})+(?!\d)/, (grouped) => grouped.replaceAll(",", ""));
}
