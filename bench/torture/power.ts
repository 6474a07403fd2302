/**
 * Power cuts. A server takes bookings while everything that it writes is recorded. Then the power fails at many moments of
 * that record, and each time the database is opened as the disk would have it.
 */
import { Database } from "bun:sqlite";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { API } from "../../test/helpers.ts";
import { jsonOf, shopFolder } from "../../test/process/server.ts";
import { randomFrom } from "../../test/torture/random.ts";
import { preload, startShop } from "../children.ts";
import { brokenOf } from "../report.ts";
import { bookingOf, OPEN_SHOP, together } from "../requests.ts";
import { createDisk, readRecords } from "./disk.ts";

const CALLERS = 8;

interface PowerCuts {
  cuts: number;
  bookings: number;
  seed: number;
}

/** FULL is what the program does; NORMAL is the control that has to lose bookings. */
type Synchronous = "FULL" | "NORMAL";

/** Both, with the promises that they broke. */
export async function measurePower(options: PowerCuts) {
  const full = await measurePowerCuts("FULL", options);
  const control = await measurePowerCuts("NORMAL", options);
  if (!full || !control) return { broken: ["writes cannot be recorded here: a C compiler and Linux are due"] };
  const broken = [...full.faults, ...brokenOf({ "cuts that lost acknowledged bookings": full.cutsWithLosses })];
  if (control.cutsWithLosses === 0) broken.push("the control with NORMAL lost nothing, so that the test shows nothing");
  return { full, control: { ...control, faults: control.faults.length }, broken };
}

/** @returns null where writes cannot be recorded: without a C compiler, or not on Linux */
export async function measurePowerCuts(synchronous: Synchronous, options: PowerCuts) {
  using folder = shopFolder(OPEN_SHOP);
  const log = join(folder.path, "disk.log");
  const recorder = preload("disk.c", folder.path);
  if (!recorder) return null;
  const env = { ...recorder, DISK_LOG: log, ...(synchronous === "NORMAL" && { DISK_NORMAL: "1" }) };
  const acknowledged: Acknowledged[] = [];
  {
    await using server = await startShop(folder, env);
    let next = 0;
    await together(CALLERS, async () => {
      while (next < options.bookings) {
        const i = next++;
        const answer = await server.post(`${API}/bookings`, bookingOf(i));
        const { data } = await jsonOf(answer);
        if (answer.status !== 201) throw new Error(`booking ${i} was answered ${answer.status}`);
        acknowledged.push({ code: data.confirmation_code, at: statSync(log).size });
      }
    });
  }
  return cutEverywhere(readFileSync(log), acknowledged, folder.path, options);
}

interface Acknowledged {
  code: string;
  /** Length of the record when the client had the answer. */
  at: number;
}

function cutEverywhere(
  log: Uint8Array,
  acknowledged: readonly Acknowledged[],
  folder: string,
  { cuts, seed }: PowerCuts,
) {
  const records = readRecords(log);
  const first = Math.min(...acknowledged.map(({ at }) => at));
  const random = randomFrom(seed);
  const from = records.findIndex(({ end }) => end >= first);
  if (from === -1) throw new Error("the recorder saw no write of the database");
  const moments = Array.from({ length: cuts }, () => from + random.int(records.length - from)).sort((a, b) => a - b);
  /** Databases that were damaged, or held a booking by halves. */
  const faults: string[] = [];
  let cutsWithLosses = 0;
  let mostLost = 0;
  const disk = createDisk();
  let done = 0;
  for (const moment of moments) {
    for (; done <= moment; done++) disk.take(records[done] as (typeof records)[number]);
    const end = records[moment]?.end ?? 0;
    const due = acknowledged.filter(({ at }) => at <= end).map(({ code }) => code);
    const { stored, fault } = lookInto(folder, disk.cut(random));
    if (fault) faults.push(`cut at record ${moment}: ${fault}`);
    const lost = due.filter((code) => !stored.has(code)).length;
    if (lost > 0) cutsWithLosses += 1;
    mostLost = Math.max(mostLost, lost);
  }
  return { cuts, acknowledged: acknowledged.length, cutsWithLosses, mostLost, faults };
}

/** Opens what a cut has left, as the server would after the power is back. */
function lookInto(folder: string, { db, wal }: { db: Buffer; wal: Buffer }): { stored: Set<string>; fault?: string } {
  const file = join(folder, "after-cut.db");
  writeFileSync(file, db);
  writeFileSync(`${file}-wal`, wal);
  try {
    using database = new Database(file);
    // Only read once; closing it need not wait for the real disk.
    database.run("PRAGMA synchronous = OFF");
    const check = database.query<{ quick_check: string }, []>("PRAGMA quick_check").get()?.quick_check;
    const codes = database.query<{ code: string }, []>("SELECT confirmation_code AS code FROM bookings").all();
    const halves = database
      .query(
        `SELECT 1 FROM bookings WHERE NOT EXISTS (SELECT 1 FROM leads WHERE leads.id = bookings.lead_id)
           OR NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.lead_id = bookings.lead_id)`,
      )
      .all().length;
    const stored = new Set(codes.map(({ code }) => code));
    if (check !== "ok") return { stored, fault: `quick_check says ${check}` };
    return halves > 0 ? { stored, fault: `${halves} bookings without their lead or jobs` } : { stored };
  } catch (error) {
    return { stored: new Set(), fault: String(error) };
  } finally {
    for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
  }
}
