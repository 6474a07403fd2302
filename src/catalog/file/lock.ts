/** A lock file beside the catalog: programs that change the catalog take turns. */
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { codeOf, explainCode } from "../../lib/os-errors.ts";
import { EditError } from "../edit-error.ts";

/** An edit takes less than a second. An older lock was left behind, even when a running process has the same number. */
const ABANDONED_MS = 60_000;
const RETRY_MS = 15;

/** @throws EditError when another program keeps the lock for longer than `waitMs`, or the lock file cannot be written */
export async function lockBeside(file: string, waitMs: number) {
  const path = `${file}.lock`;
  const content = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  const deadline = performance.now() + waitMs;
  while (!create(path, content)) {
    if (isStale(path)) removeStale(path);
    else if (performance.now() > deadline) {
      throw new EditError(
        `${file} is being changed by another program${ownerOf(path)}. Try again in a moment; if nothing is running, delete ${path}.`,
      );
    } else await Bun.sleep(RETRY_MS * (1 + Math.random()));
  }
  const isOurs = () => read(path) === content;
  return {
    /** @throws EditError when another program took the lock over, because this one was suspended for too long */
    check() {
      if (!isOurs())
        throw new EditError(`Another program changed ${file} at the same time; nothing was saved. Try again.`);
    },
    release() {
      if (isOurs()) rmSync(path, { force: true });
    },
  };
}

function create(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: "wx", mode: 0o644 });
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") return false;
    throw new EditError(
      `${path} cannot be written: ${explainCode(code)}. Check that you may change files in that folder.`,
    );
  }
}

/** Whether the process that made the lock has ended, or the lock is too old. */
function isStale(path: string): boolean {
  try {
    const content = readFileSync(path, "utf8");
    if (ageOf(path) > ABANDONED_MS) return true;
    const owner = ownerIn(content);
    return owner !== undefined && owner.host === hostname() && !isAlive(owner.pid);
  } catch {
    return false;
  }
}

/** Milliseconds since a file was written, by the clock of its file system: that of a share need not be this machine's. */
function ageOf(path: string): number {
  const probe = `${path}.${randomUUID()}`;
  writeFileSync(probe, "");
  try {
    return statSync(probe).mtimeMs - statSync(path).mtimeMs;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** One program at a time removes a stale lock. Otherwise one could remove the lock that another has just taken. */
function removeStale(path: string): void {
  const guard = `${path}.clearing`;
  if (!create(guard, "")) {
    if (isStale(guard)) rmSync(guard, { force: true });
    return;
  }
  try {
    if (isStale(path)) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

function ownerIn(content: string): { pid: number; host: string } | undefined {
  try {
    const { pid, host } = Object(JSON.parse(content));
    return Number.isInteger(pid) && typeof host === "string" ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}

function ownerOf(path: string): string {
  const owner = ownerIn(read(path) ?? "");
  return owner ? ` (process ${owner.pid})` : "";
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
