/** A disk that loses power. Replays recorded writes up to the power cut. Writes without a sync may be lost. */
import type { Random } from "../random.ts";

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

/** One file as the disk has it, and what was written since the last sync. */
class FileOnDisk {
  kept: Buffer = Buffer.alloc(0);
  pending: DiskRecord[] = [];

  take(record: DiskRecord): void {
    if (record.kind !== "sync") this.pending.push(record);
    else {
      for (const one of this.pending) this.kept = applied(this.kept, one, () => true);
      this.pending = [];
    }
  }

  /** @param survives whether a sector that was not synced is on the disk all the same */
  afterCut(survives: () => boolean): Buffer {
    let content: Buffer = copied(this.kept, this.kept.length);
    for (const one of this.pending) content = applied(content, one, survives);
    return content;
  }
}

function applied(content: Buffer, { kind, offset, bytes }: DiskRecord, survives: () => boolean): Buffer {
  if (kind === "truncate") return survives() ? resized(content, offset) : content;
  const result = resized(content, Math.max(content.length, offset + bytes.length));
  for (let at = 0; at < bytes.length; at += SECTOR) {
    if (survives()) result.set(bytes.subarray(at, at + SECTOR), offset + at);
  }
  return result;
}

/** A file that grows gets room to spare: copied at each of its writes, a log of 40 MB would take hours. */
function resized(content: Buffer, length: number): Buffer {
  if (length <= content.length) return content.subarray(0, length);
  const { buffer, byteOffset } = content;
  const hasRoom = buffer.byteLength - byteOffset >= length;
  if (hasRoom) return Buffer.from(buffer, byteOffset, length).fill(0, content.length);
  return copied(content, length * 2).subarray(0, length);
}

/** In memory of its own: small buffers of Bun share theirs. */
function copied(content: Buffer, room: number): Buffer {
  const copy = Buffer.alloc(room);
  copy.set(content);
  return copy;
}

/** Replays records in order; `cut` returns the files as a power cut now would leave them. */
export function createDisk() {
  const files = { db: new FileOnDisk(), wal: new FileOnDisk() };
  return {
    take: (record: DiskRecord) => files[record.file].take(record),
    /** The disk keeps nothing, everything, or some sectors of the writes without a sync. */
    cut(random: Random): Record<DiskFile, Buffer> {
      const share = random.pick([0, 0, 0.5, 0.9, 1]);
      const survives = () => random.chance(share);
      return { db: files.db.afterCut(survives), wal: files.wal.afterCut(survives) };
    },
  };
}
