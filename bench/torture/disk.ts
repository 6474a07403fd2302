/** A disk that loses power. Replays recorded writes up to the power cut. Writes without a sync may be lost. */
import type { Random } from "../../test/torture/random.ts";

export interface DiskRecord {
  kind: "write" | "truncate" | "sync";
  file: DiskFile;
  /** Where a write begins, or the new length of a truncated file. */
  offset: number;
  bytes: Uint8Array;
  /** Length of the record's file up to and with this record. */
  end: number;
}

export type DiskFile = "db" | "wal";

const HEAD_BYTES = 14;
const KINDS: Record<string, DiskRecord["kind"]> = { w: "write", t: "truncate", s: "sync" };
const FILES: Record<string, DiskFile> = { d: "db", l: "wal" };

export function readRecords(log: Uint8Array): DiskRecord[] {
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const records: DiskRecord[] = [];
  for (let at = 0; at + HEAD_BYTES <= log.length; ) {
    const kind = KINDS[String.fromCharCode(view.getUint8(at))];
    const file = FILES[String.fromCharCode(view.getUint8(at + 1))];
    if (!kind || !file) throw new Error(`the record at ${at} cannot be read`);
    const offset = Number(view.getBigUint64(at + 2, true));
    const from = at + HEAD_BYTES;
    const end = from + view.getUint32(at + 10, true);
    // The server was killed in the middle of this record.
    if (end > log.length) break;
    records.push({ kind, file, offset, bytes: log.subarray(from, end), end });
    at = end;
  }
  return records;
}

/** Disks write whole sectors; within one no write is torn. */
const SECTOR = 512;

/** Replays records in order; `cut` returns the files as a power cut now would leave them. */
export function createDisk() {
  /** What the disk has for certain, and what was written since the last sync. */
  const files = {
    db: { kept: Buffer.alloc(0), pending: [] as DiskRecord[] },
    wal: { kept: Buffer.alloc(0), pending: [] as DiskRecord[] },
  };
  return {
    take(record: DiskRecord): void {
      const file = files[record.file];
      if (record.kind !== "sync") file.pending.push(record);
      else Object.assign(file, { kept: applied(file, () => true), pending: [] });
    },
    /** The disk keeps nothing, everything, or some sectors of the writes without a sync. */
    cut(random: Random): Record<DiskFile, Buffer> {
      const share = random.pick([0, 0, 0.5, 0.9, 1]);
      const survives = () => random.chance(share);
      return { db: applied(files.db, survives), wal: applied(files.wal, survives) };
    },
  };
}

/** @param survives whether a sector that was not synced is on the disk all the same */
function applied({ kept, pending }: { kept: Buffer; pending: DiskRecord[] }, survives: () => boolean): Buffer {
  const room = Math.max(kept.length, ...pending.map(({ offset, bytes }) => offset + bytes.length));
  const content = Buffer.alloc(room);
  content.set(kept);
  let { length } = kept;
  for (const { kind, offset, bytes } of pending) {
    if (kind === "truncate") {
      if (!survives()) continue;
      content.fill(0, offset);
      length = offset;
      continue;
    }
    for (let at = 0; at < bytes.length; at += SECTOR)
      if (survives()) content.set(bytes.subarray(at, at + SECTOR), offset + at);
    length = Math.max(length, offset + bytes.length);
  }
  return content.subarray(0, length);
}
