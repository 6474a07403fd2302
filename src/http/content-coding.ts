/** The choice of a content coding (RFC 9110, 12.5.3). */
import { weightsOf } from "./weights.ts";

const CODINGS = ["br", "gzip", "identity"] as const;
export type Coding = (typeof CODINGS)[number];

/**
 * The coding that the caller prefers; among equals, the first one in `CODINGS`.
 * @param accepted the Accept-Encoding header, null when there is none
 */
export function preferredCoding(accepted: string | null): Coding {
  if (accepted === null) return "identity";
  const weights = new Map(weightsOf(accepted).map(([name, weight]) => [name === "x-gzip" ? "gzip" : name, weight]));
  const others = weights.get("*");
  let best: Coding = "identity";
  let most = 0;
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? others ?? 0;
    if (weight > most) [best, most] = [coding, weight];
  }
  return best;
}
