/** Makes a screenshot small: at most 256 of its colours instead of all shades, a third of the size. */
import { crc32, deflateSync, inflateSync } from "node:zlib";

const COLOURS = 256;
/** Colours nearer than this, summed over red, green and blue, count as one. */
const CLOSE = 9;
const SIGNATURE = 8;

/** @param png as Chromium writes it: 8 bits a channel, without interlacing */
export function smallPng(png: Buffer): Buffer {
  const parts = partsOf(png);
  const header = Buffer.from(parts.find(({ type }) => type === "IHDR")?.data ?? []);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const bytes = header[9] === 6 ? 4 : 3;
  const packed = Buffer.concat(parts.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  const pixels = unfiltered(inflateSync(packed), width * bytes, bytes);
  const { palette, indexOf } = paletteOf(pixels, bytes);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows[y * (width + 1) + 1 + x] = indexOf(pixels.readUIntBE((y * width + x) * bytes, 3));
    }
  }
  header[9] = 3;
  return Buffer.concat([
    png.subarray(0, SIGNATURE),
    part("IHDR", header),
    part("PLTE", palette),
    part("IDAT", deflateSync(rows, { level: 9 })),
    part("IEND", Buffer.alloc(0)),
  ]);
}

function partsOf(png: Buffer) {
  const parts: { type: string; data: Buffer }[] = [];
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at);
    parts.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return parts;
}

function part(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Each row begins with its filter (PNG, section 9.2): what was predicted from left, above and both. */
function unfiltered(rows: Buffer, stride: number, bytes: number): Buffer {
  const height = rows.length / (stride + 1);
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x >= bytes ? (out[at - bytes] ?? 0) : 0;
      const above = y > 0 ? (out[at - stride] ?? 0) : 0;
      const corner = x >= bytes && y > 0 ? (out[at - stride - bytes] ?? 0) : 0;
      const predicted = [0, left, above, (left + above) >> 1, nearest(left, above, corner)][filter ?? 0] ?? 0;
      out[at] = ((rows[y * (stride + 1) + 1 + x] ?? 0) + predicted) & 255;
    }
  }
  return out;
}

function nearest(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const off = (value: number) => Math.abs(guess - value);
  if (off(left) <= off(above) && off(left) <= off(corner)) return left;
  return off(above) <= off(corner) ? above : corner;
}

function paletteOf(pixels: Buffer, bytes: number) {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += bytes) {
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const kept: number[] = [];
  for (const [colour] of [...counts].sort((a, b) => b[1] - a[1])) {
    const isNew = kept.every((other) => distance(colour, other) > CLOSE);
    if (isNew && kept.length < COLOURS) kept.push(colour);
  }
  const palette = Buffer.alloc(kept.length * 3);
  for (const [i, colour] of kept.entries()) palette.writeUIntBE(colour, i * 3, 3);
  const known = new Map(kept.map((colour, i) => [colour, i]));
  const indexOf = (colour: number): number => {
    const index = known.get(colour) ?? kept.indexOf(nearestOf(colour, kept));
    known.set(colour, index);
    return index;
  };
  return { palette, indexOf };
}

function nearestOf(colour: number, others: readonly number[]): number {
  return others.reduce((best, other) => (distance(colour, other) < distance(colour, best) ? other : best));
}

function distance(one: number, other: number): number {
  return [0, 8, 16].reduce((sum, shift) => sum + Math.abs(((one >> shift) & 255) - ((other >> shift) & 255)), 0);
}
