/** Answers a second and their slowest hundredth, against a bare `Bun.serve` that gets the same requests and answers as many bytes. */
import { API } from "../test/helpers.ts";
import { dateIn, shopFolder } from "../test/process/server.ts";
import { startBare, startShop } from "./children.ts";
import { load, withHeader } from "./load.ts";
import { fillDiary } from "./many-bookings.ts";
import { HONO, startPeers } from "./peers.ts";
import { atLeast, atMost, createSamples, type Metric, noTarget } from "./report.ts";
import { MANY_CALLERS, OPEN_SHOP, reads, unseenEstimates } from "./requests.ts";

/** Unmeasured, for each case: code is compiled in steps while it runs. A server of a minute is measured, not one of a second. */
const WARM_UP_SECONDS = 2;
/** More than any server here can answer. */
const MOST_PER_SECOND = 60_000;

const READS: Record<string, { requests: Uint8Array[]; target: number }> = {
  "GET /services": { requests: reads(`${API}/services`), target: 0.4 },
  "GET /location": { requests: reads(`${API}/location`), target: 0.4 },
  "GET /faq": { requests: reads(`${API}/faq`), target: 0.4 },
  "GET /capabilities": { requests: reads(`${API}/capabilities`), target: 0.4 },
  "GET /llms.txt": { requests: reads("/llms.txt"), target: 0.4 },
  "GET /docs": { requests: reads(`${API}/docs`), target: 0.75 },
  "GET /availability, one day, 3,000 bookings ahead": {
    requests: reads(`${API}/availability?date=${dateIn(3)}`),
    target: 0.08,
  },
  "GET /availability, 30 days, 3,000 bookings ahead": {
    requests: reads(`${API}/availability?days=30`),
    target: 0.03,
  },
};

/** @param rounds of all cases in turn, so that a slow moment of the machine falls on all alike */
export async function measureAnswers(rounds: number, seconds: number): Promise<Metric[]> {
  using folder = shopFolder(OPEN_SHOP);
  await fillDiary(folder, { past: 0, future: 3_000, days: 60 });
  await using server = await startShop(folder, MANY_CALLERS);
  await using bare = await startBare();
  await using stack = new AsyncDisposableStack();
  const peers = await startPeers(stack);
  const { note, metrics } = createSamples();

  /** Shares of the bare server's answers a second and of its slowest hundredth. */
  const compared = async (port: number, requests: readonly Uint8Array[], again: boolean) => {
    const ours = await load({ port, requests, again, seconds });
    const others = Object.keys(ours.statuses).filter((status) => status !== "200");
    if (others.length > 0) throw new Error(`requests were answered ${JSON.stringify(ours.statuses)}`);
    const sized = requests.map((request) => withHeader(request, "X-Size", String(ours.bytes)));
    const theirs = await load({ port: bare.port, requests: sized, again: true, seconds });
    return { speed: ours.perSecond / theirs.perSecond, p99: ours.p99 / theirs.p99 };
  };
  const strangers = (time: number) => unseenEstimates(time * MOST_PER_SECOND);

  for (const port of [server.port, bare.port, ...peers.map((peer) => peer.port)])
    await load({ port, requests: strangers(WARM_UP_SECONDS), seconds: WARM_UP_SECONDS });
  for (const { requests } of Object.values(READS))
    await load({ port: server.port, requests, again: true, seconds: WARM_UP_SECONDS });

  for (let round = 0; round < rounds; round++) {
    const estimates = strangers(seconds);
    const ours = await compared(server.port, estimates, false);
    note("POST /estimates, unseen ÷ bare", atLeast(0.2), ours.speed);
    note("p99 of the same ÷ bare", atMost(5), ours.p99);
    for (const { name, port } of peers) {
      const { speed } = await compared(port, estimates, false);
      if (name === HONO) note("POST /estimates, unseen ÷ Hono's", atLeast(2 / 3), ours.speed / speed);
      note(`${name}: POST /estimates, unseen ÷ bare`, noTarget, speed);
    }
    for (const [name, { requests, target }] of Object.entries(READS))
      note(`${name} ÷ bare`, atLeast(target), (await compared(server.port, requests, true)).speed);
  }
  return metrics();
}
