/** The budget of functions, files and calls of a request: facts of a job that are written in one more form show here. */
import { expect, test } from "bun:test";

/**
 * A few more than there are, because what is done between two requests moves each by some. A request that needs more does
 * something twice.
 */
const BUDGET: Record<string, { status: number; functions: number; files: number; calls: number }> = {
  estimate: { status: 200, functions: 136, files: 31, calls: 208 },
  brief: { status: 200, functions: 135, files: 31, calls: 203 },
  typo: { status: 200, functions: 158, files: 38, calls: 248 },
  // With its write, which a server leaves to a thread of its own.
  booking: { status: 201, functions: 286, files: 57, calls: 620 },
};

test("no request runs more functions, files and calls than its budget", async () => {
  const script = new URL("../../bench/width.ts", import.meta.url).pathname;
  const run = Bun.spawn([process.execPath, script], { stdout: "pipe", stderr: "inherit" });
  const lines = (await new Response(run.stdout).text()).trim().split("\n");
  const widths = lines.map((line) => JSON.parse(line));
  expect(widths.map(({ name }) => name)).toEqual(Object.keys(BUDGET));
  for (const { name, ...width } of widths) {
    const { status, ...most } = BUDGET[name] ?? {};
    expect([name, width.status]).toEqual([name, status]);
    const over = Object.entries(most).filter(([what, budget]) => width[what] > (budget ?? 0));
    expect([name, over.map(([what]) => `${width[what]} ${what}`)]).toEqual([name, []]);
    // An instrument that counts nothing would keep every budget.
    expect(width.functions).toBeGreaterThan(50);
  }
}, 30_000);
