/** A figure of the table. */
export interface Figure {
  name: string;
  /** Samples, one a round; the median counts. */
  samples: readonly number[];
  /** Left out for a figure that others are compared with. */
  target?: number;
  /** Which way is better. */
  better: "more" | "less";
  unit?: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

function isMet({ samples, target, better }: Figure): boolean | undefined {
  if (target === undefined) return undefined;
  return better === "more" ? median(samples) >= target : median(samples) <= target;
}

/** A Markdown table, so that the README of the benchmarks can take it as it is. */
export function tableOf(figures: readonly Figure[]): string {
  const number = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));
  const rows = figures.map((figure) => {
    const { name, samples, target, better, unit = "" } = figure;
    const range = samples.length > 1 ? `${number(Math.min(...samples))}–${number(Math.max(...samples))}` : "";
    const goal = target === undefined ? "" : `${better === "more" ? "≥" : "≤"} ${number(target)}${unit}`;
    return `| ${name} | ${goal} | ${number(median(samples))}${unit} | ${range} | ${{ true: "yes", false: "no", undefined: "" }[String(isMet(figure))]} |`;
  });
  return ["| What | Target | Here | Rounds | Met |", "|---|---|---|---|---|", ...rows].join("\n");
}
