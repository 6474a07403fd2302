/** Durable bookings on a disk whose every fsync takes 2 ms longer, against one-by-one commits of the same rows. */
import { childEnv, shopFolder, temporaryFolder } from "../test/process/server.ts";
import { benchFile, outputOf, preload, startShop } from "./children.ts";
import { type Load, type LoadOptions, load } from "./load.ts";
import { atLeast, atMost, createSamples, type Metric } from "./report.ts";
import { BOOKING_SHOP, bookingRequests, MANY_CALLERS, ROOM, unseenEstimates } from "./requests.ts";

/** The code of a new server is compiled while it works, for some thousand bookings. */
export const WARM_UP_SECONDS = 3;
const MOST_PER_SECOND = 20_000;

/** @returns nothing without a C compiler */
export async function measureBookings(rounds: number, seconds: number): Promise<Metric[]> {
  using shim = temporaryFolder();
  const slowDisk = preload("disk.c", shim.path);
  if (!slowDisk) {
    process.stderr.write("No C compiler: the metrics of durable bookings are left out.\n");
    return [];
  }
  const slow = { ...slowDisk, DISK_WAIT_MS: "2" };
  const { note, metrics } = createSamples();
  const requests = bookingRequests(ROOM);
  for (let round = 0; round < rounds; round++) {
    using folder = shopFolder(BOOKING_SHOP);
    await using server = await startShop(folder, { ...slow, ...MANY_CALLERS });
    const { port } = server;
    const command = [process.execPath, benchFile("bare-commits.ts"), folder.path, String(seconds)];
    const bare = Number(outputOf(command, { env: childEnv(slow) }));
    const book = (i: number, connections: number, time = seconds) =>
      booked({ port, requests: requests.slice((i * ROOM) / 4, ((i + 1) * ROOM) / 4), connections, seconds: time });
    await book(0, 32, WARM_UP_SECONDS);
    const one = await book(1, 1);
    const many = await book(2, 32);
    const strangers = unseenEstimates(seconds * MOST_PER_SECOND);
    const [, estimates] = await Promise.all([
      book(3, 32),
      load({ port, requests: strangers, connections: 1, seconds }),
    ]);
    note("bookings, 32 connections ÷ bare commits", atLeast(3), many.perSecond / bare);
    note("bookings, 1 connection ÷ bare commits", atLeast(0.5), one.perSecond / bare);
    note("p99 of estimates meanwhile", atMost(8, " ms"), estimates.p99);
  }
  return metrics();
}

/** @throws Error when an answer is not 201 */
export async function booked(options: LoadOptions): Promise<Load> {
  const result = await load(options);
  const others = Object.keys(result.statuses).filter((status) => status !== "201");
  if (others.length > 0) throw new Error(`bookings were answered ${JSON.stringify(result.statuses)}`);
  return result;
}
