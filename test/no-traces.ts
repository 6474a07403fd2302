/** Holds after every file of tests, because the next one runs in the same process: what all share is as it was. */
import { afterAll, expect } from "bun:test";

const CLOCK_MS = 60_000;

function shared(): Record<string, unknown> {
  // The other clock is never set.
  const isClockSet = Math.abs(Date.now() - performance.timeOrigin - performance.now()) > CLOCK_MS;
  return { ...process.env, "working folder": process.cwd(), "exit code": process.exitCode ?? 0, isClockSet };
}

let before = shared();

afterAll(() => {
  const [was, is] = [before, shared()];
  before = is;
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  expect([...names].filter((name) => was[name] !== is[name])).toEqual([]);
});
