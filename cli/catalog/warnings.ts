/** Values that are allowed, but probably not what the owner wants. */
import { priceDoubts } from "../../src/catalog/load/notes.ts";
import { isWithin, type Path } from "../../src/catalog/path.ts";
import { settingAt } from "../../src/catalog/settings.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { valueAt } from "../../src/lib/fields.ts";
import { readTemplate } from "./new-catalog.ts";

/**
 * @param old the value in the file before
 * @param now the value in the file now
 * @returns a sentence for each doubt
 */
export function editWarnings(path: Path, old: unknown, now: unknown, after: Shop): string[] {
  return [...priceWarnings(path, old, now, after), ...textWarnings(path, now)];
}

/** What a message to customers lacks that the stock text has: how to end the texts, and the links. */
function textWarnings(path: Path, now: unknown): string[] {
  if (path[0] !== "messages" || typeof now !== "string") return [];
  const stock = valueAt(readTemplate(), path);
  if (typeof stock !== "string") return [];
  const [end] = /(?! )[^.{}]*\bSTOP\b[^.]*\./.exec(stock) ?? [];
  const links = stock.match(/\{\w+_url\}/g) ?? [];
  return [
    ...(end !== undefined && !/\bSTOP\b/.test(now) ? [`it does not say how to end the texts, like: ${end}`] : []),
    ...links
      .filter((link) => !now.includes(link))
      .map((link) => `it lacks the link ${link}, which the stock text has.`),
  ];
}

/** Whether a price changes by more than half of the old one, as with a digit too many or too few. */
export function isLeap(old: number, now: number): boolean {
  return old > 0 && Math.abs(now - old) > old / 2;
}

/** Prices that are probably a typo: a digit too many or too few, or the wrong column. */
function priceWarnings(path: Path, old: unknown, now: unknown, after: Shop): string[] {
  if (typeof now !== "number" || !settingAt(path)?.money) return [];
  const row = path.length > 4 ? path.slice(0, -1) : path;
  return [
    ...(now === 0 ? ["the price is 0 now: customers are told it costs nothing."] : []),
    ...(now !== 0 && typeof old === "number" && isLeap(old, now) ? ["that is a change by more than half."] : []),
    ...priceDoubts(after)
      .filter((doubt) => isWithin(doubt.path.join("."), row.join(".")))
      .map((doubt) => `${doubt.path.slice(3).join(" ")} ${doubt.message}${doubt.message.endsWith("?") ? "" : "."}`),
  ];
}
