/** Warnings of an answer, as notes for the owner. */
import { clean } from "../terminal/text.ts";

interface Warning {
  code: string;
  message: string;
}

/** How a word was understood is for programs, which are to send the proper one. */
const FOR_PROGRAMS = "UNDERSTOOD";

export function notesOf(warnings: readonly Warning[] = []): string[] {
  return warnings
    .filter(({ code }) => code !== FOR_PROGRAMS)
    .map(({ message }) => clean(message.replace(/\baddons\b/g, "the add-ons")));
}
