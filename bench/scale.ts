/** How much slower availability gets in a shop with many bookings. */
import { API } from "../test/helpers.ts";
import { dateIn, shopFolder } from "../test/process/server.ts";
import { startShop } from "./children.ts";
import { load } from "./load.ts";
import { fillDiary } from "./many-bookings.ts";
import { atMost, createSamples, type Metric } from "./report.ts";
import { MANY_CALLERS, OPEN_SHOP, reads } from "./requests.ts";

/** Both shops have as many bookings ahead, so that only the past differs. */
const AHEAD = { future: 800, days: 16 };
const FEW = 1_000;
const MANY = 1_000_000;
const QUESTIONS = {
  "one day": reads(`${API}/availability?date=${dateIn(3)}`),
  "30 days": reads(`${API}/availability?days=30`),
};

export async function measureScale(rounds: number, seconds: number): Promise<Metric[]> {
  using few = shopFolder(OPEN_SHOP);
  using many = shopFolder(OPEN_SHOP);
  await fillDiary(few, { ...AHEAD, past: FEW - AHEAD.future });
  await fillDiary(many, { ...AHEAD, past: MANY - AHEAD.future });
  await using small = await startShop(few, MANY_CALLERS);
  await using large = await startShop(many, MANY_CALLERS);
  const { note, metrics } = createSamples();
  // The first round compiles and fills caches, and does not count.
  for (let round = 0; round <= rounds; round++)
    for (const [name, requests] of Object.entries(QUESTIONS)) {
      const time = async (port: number) => (await load({ port, requests, again: true, connections: 1, seconds })).p50;
      const ratio = (await time(large.port)) / (await time(small.port));
      if (round > 0) note(`time of availability, ${name}, 1,000,000 bookings ÷ 1,000`, atMost(1.3), ratio);
    }
  return metrics();
}
