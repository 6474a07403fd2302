/** Reasons why typed text is refused, for prompts that say so while the owner types. */
import { Misuse } from "../failure.ts";

/** @returns why the text cannot be read, or null */
export function faultIn(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof Misuse) return error.message;
    throw error;
  }
}
