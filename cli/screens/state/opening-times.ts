/** Opening times as an owner types them: `9:00-18:00, 19:00-21:00` or `closed`. */
import { type Catalog, catalogSchema } from "../../../src/catalog/schema.ts";
import { explain } from "../../../src/explain.ts";

export type OpeningTimes = Catalog["business"]["hours"]["monday"];

const SPAN = /^(\d{1,2}(?::\d\d)?)\s*[-–]\s*(\d{1,2}(?::\d\d)?)$/;
/** The catalog's own rule for a day. */
const RULE = catalogSchema.shape.business.shape.hours.shape.monday;

/** @returns what is wrong, as text */
export function readOpeningTimes(typed: string): OpeningTimes | string {
  const text = typed.trim();
  if (text === "") return "Write the times like 09:00-18:00, or closed.";
  if (text.toLowerCase() === "closed") return [];
  const times: OpeningTimes = [];
  for (const span of text.split(",").map((one) => one.trim())) {
    const [, opens, closes] = SPAN.exec(span) ?? [];
    if (!opens || !closes) return `"${span}" is not a span of time: write 09:00-18:00, or closed.`;
    times.push({ opens: clockTime(opens), closes: clockTime(closes) });
  }
  const fault = RULE.safeParse(times, { error: explain }).error?.issues[0];
  return fault ? `${String(fault.path.at(-1) ?? "The day")} ${fault.message}.` : times;
}

/** `9` and `9:00` mean 09:00. */
function clockTime(typed: string): string {
  const [hours = "", minutes = "00"] = typed.split(":");
  return `${hours.padStart(2, "0")}:${minutes}`;
}

export function openingTimesInWords(times: readonly OpeningTimes[number][]): string {
  return times.length === 0 ? "closed" : times.map(({ opens, closes }) => `${opens}-${closes}`).join(", ");
}
