/** Codes as people read them out: in any case, with the letters that Crockford's alphabet leaves out. */
import { didYouMean } from "../../src/schema/explain.ts";

/** A confirmation code as it is stored: O is zero, I and L are one; spaces and dashes between groups are let go. */
export function readCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
}

/** The reference of a lead, `Q-7F3A2B`; an id (`lead_…`) stays as it is. */
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
