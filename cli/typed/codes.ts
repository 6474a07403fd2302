/** Codes as people read them out. Crockford's alphabet has no I, L and O, so they stand for 1, 1 and 0. */
import { didYouMean } from "../../src/schema/explain.ts";

/** A typed confirmation code in the stored form: upper case, no spaces or dashes. */
export function readCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
}

/** A typed reference of a lead in the stored form, `Q-7F3A2B`. An id (`lead_…`) is only trimmed. */
export function readReference(typed: string): string {
  const [, kind, code] = /^\s*([bq])[\s-]?([0-9a-z -]+)$/i.exec(typed) ?? [];
  return kind && code ? `${kind.toUpperCase()}-${readCode(code)}` : typed.trim();
}

/** ` Did you mean X?`, or nothing when no code is close. */
export function didYouMeanCode(typed: string, codes: readonly string[]): string {
  const guess = didYouMean(
    typed,
    codes.map((code) => code.toLowerCase()),
  );
  return guess ? ` Did you mean ${guess.toUpperCase()}?` : "";
}
