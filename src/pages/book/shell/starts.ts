/** Starts of appointments, as forms and addresses carry them: `2026-11-24T09:00`. */
import type { ErrorBody } from "../../../capabilities/core/envelope.ts";
import type { Start } from "../../../domain/slots.ts";

/** @returns undefined for text that is no date and time */
export function readStart(text: string | null): Start | undefined {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})T(([01]\d|2[0-3]):[0-5]\d)$/.exec(text ?? "") ?? [];
  if (date === undefined || time === undefined) return undefined;
  return Number.isNaN(Date.parse(`${date}T${time}:00Z`)) ? undefined : { date, time };
}

export function startText({ date, time }: Start): string {
  return `${date}T${time}`;
}

/** Date and time on the shop's clock, of a moment as the API writes it: `2026-11-24T13:00:00-05:00`. */
export function startOf(moment: string): Start {
  return { date: moment.slice(0, 10), time: moment.slice(11, 16) };
}

/** The nearest open times, instead of one that is not free. */
export function otherStarts({ alternatives = [] }: ErrorBody): Start[] {
  return alternatives.flatMap((slot) => {
    const { start } = Object(slot);
    return typeof start === "string" ? [startOf(start)] : [];
  });
}
