/**
 * Loaded before the first file of tests of a process. Folders of tests are kept in memory, and after every file what all share
 * is as it was, because the next one runs in the same process.
 */
import { afterAll, expect } from "bun:test";
import { existsSync, readFileSync, statfsSync } from "node:fs";
import { freemem } from "node:os";

const MEMORY = "/dev/shm";
const ROOM_BYTES = 2 ** 32;

/** Whether there is a file system in memory that has room for all tests and that programs can be started from. */
function hasMemoryFolder(): boolean {
  if (!existsSync("/proc/mounts")) return false;
  const [, options] = new RegExp(`^\\S+ ${MEMORY} tmpfs (\\S+)`, "m").exec(readFileSync("/proc/mounts", "utf8")) ?? [];
  if (!options?.startsWith("rw") || options.includes("noexec")) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) > ROOM_BYTES;
}

// On a disk, tests spend a third of their time waiting until a database's writes are safe, which none of them can see.
if (hasMemoryFolder()) process.env.TMPDIR ??= MEMORY;

process.env.TINT_CHECK_ANSWERS ??= "1";

// Elysia asks for a garbage collection with each app that it composes, and the watch of a catalog gives back memory, compiled code
// too. A server does so once, the tests thousands of times.
Bun.gc = () => {};
Bun.shrink = () => {};

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
