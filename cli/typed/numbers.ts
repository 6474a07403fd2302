/** A number as people write it, `$1,299.50`, without its sign of currency and its commas; other text as it is. */
export function plainNumber(typed: string): string {
  return typed
    .trim()
    .replace(/^\$/, "")
    .replace(/^\d{1,3}(,\d{3})+(?!\d)/, (grouped) => grouped.replaceAll(",", ""));
}
