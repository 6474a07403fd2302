/** Times of day as an owner types them. */
import { Misuse } from "../failure.ts";
import { clean } from "../terminal/text.ts";

/** The forms that `readTime` takes, for help pages. */
export const TIME_FORMS = "9am, 2:30pm, noon or 14:00";

/**
 * @returns the time as `HH:MM`
 * @throws Misuse, also for a bare number from 1 to 12, which may mean morning or evening
 */
export function readTime(typed: string): string {
  const word = typed.trim().toLowerCase();
  if (word === "noon") return "12:00";
  const [, hour = "", minute = "00", half] = /^(\d{1,2})(?:[:.](\d{2}))? ?([ap])?\.?m?\.?$/.exec(word) ?? [];
  const isTwelve = half !== undefined && Number(hour) >= 1 && Number(hour) <= 12;
  const isTwentyFour = half === undefined && /[:.]|^1[3-9]$|^2[0-3]$/.test(word) && Number(hour) <= 23;
  if (hour === "" || Number(minute) > 59 || !(isTwelve || isTwentyFour))
    throw new Misuse(`${clean(typed) || "An empty text"} is not a time of day: write it like ${TIME_FORMS}.`);
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === "p" ? 12 : 0);
  return `${String(hours).padStart(2, "0")}:${minute}`;
}
