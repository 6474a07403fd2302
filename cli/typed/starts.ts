/** The day and the time to which a booking moves, as an owner types them. */
import type { Start } from "../../src/domain/slots.ts";
import { readDate } from "./dates.ts";
import { faultIn } from "./faults.ts";
import { readTime } from "./times.ts";

/** `friday 9am` or `friday at 9am`. A day alone keeps the time of the booking, and a time alone the day. @throws Misuse */
export function readStart(typed: string, today: string, { date, time }: Start): Start {
  const text = typed.trim().replace(/ at /i, " ");
  const day = (words: string) => readDate(words, () => today);
  if (faultIn(() => readTime(text)) === null) return { date, time: readTime(text) };
  if (faultIn(() => day(text)) === null) return { date: day(text), time };
  const words = text.split(/ +/);
  const last = words.splice(/^[ap]\.?m\.?$/i.test(words.at(-1) ?? "") ? -2 : -1).join(" ");
  return { date: day(words.join(" ") || text), time: readTime(last) };
}
