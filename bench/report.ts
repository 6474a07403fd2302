/** A row of the table. */
export interface Metric extends Goal {
  name: string;
  /** Samples, one a round; the median counts. */
  samples: readonly number[];
}

interface Goal {
  /** Left out for a figure that others are compared with. */
  target?: number;
  /** Which way is better. */
  better: "more" | "less";
  unit?: string;
}

export const atLeast = (target: number): Goal => ({ target, better: "more" });
export const atMost = (target: number, unit = ""): Goal => ({ target, better: "less", unit });
export const noTarget: Goal = { better: "more" };

/** The samples of a part by the name of their row, in the order in which rows first came. */
export function createSamples() {
  const rows = new Map<string, { goal: Goal; samples: number[] }>();
  return {
    note(name: string, goal: Goal, value: number) {
      const row = rows.get(name) ?? { goal, samples: [] };
      row.samples.push(value);
      rows.set(name, row);
    },
    metrics: (): Metric[] => [...rows].map(([name, { goal, samples }]) => ({ name, samples, ...goal })),
  };
}

/** Counts of what must never happen, as broken promises. */
export function brokenOf(counts: Record<string, number>): string[] {
  return Object.entries(counts).flatMap(([name, found]) => (found > 0 ? [`${name}: ${found}`] : []));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

const HEAD = ["| What | Target | Here | Rounds | Met |", "|---|---|---|---|---|"];

/** A Markdown table, so that the README of the benchmarks can take it as it is. */
export function tableOf(metrics: readonly Metric[]): string {
  const number = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));
  const rows = metrics.map(({ name, samples, target, better, unit = "" }) => {
    const here = median(samples);
    const range = samples.length > 1 ? `${number(Math.min(...samples))}–${number(Math.max(...samples))}` : "";
    if (target === undefined) return `| ${name} | | ${number(here)}${unit} | ${range} | |`;
    const goal = `${better === "more" ? "≥" : "≤"} ${number(target)}${unit}`;
    const isMet = better === "more" ? here >= target : here <= target;
    return `| ${name} | ${goal} | ${number(here)}${unit} | ${range} | ${isMet ? "yes" : "no"} |`;
  });
  return [...HEAD, ...rows].join("\n");
}
