/** The memory of a server that answers strangers, and reads between them. */
import { API } from "../test/helpers.ts";
import { dateIn, shopFolder } from "../test/process/server.ts";
import { memoryOf, startShop } from "./children.ts";
import { load } from "./load.ts";
import { atMost, type Metric } from "./report.ts";
import { MANY_CALLERS, OPEN_SHOP, reads, unseenEstimates } from "./requests.ts";

const MB = 1_000_000;
/** Requests that are made beforehand. */
const BATCH = 50_000;
const LONGEST_SECONDS = 120;
/** Between the unseen estimates, each of which is one request in two. */
const BETWEEN = [`${API}/services`, `${API}/docs`, "/llms.txt", `${API}/availability?date=${dateIn(3)}`].map(reads);

/** @param requests how many the server answers */
export async function measureMemory(requests: number): Promise<Metric[]> {
  using folder = shopFolder(OPEN_SHOP);
  await using server = await startShop(folder, MANY_CALLERS);
  const after = async (count: number) => {
    for (let left = count; left > 0; left -= BATCH) {
      const batch = unseenEstimates(Math.min(left, BATCH) / 2).flatMap((estimate, i) => {
        const read = BETWEEN[i % BETWEEN.length] ?? [];
        return [estimate, read[i % read.length] ?? estimate];
      });
      const { sent, statuses } = await load({ port: server.port, requests: batch, seconds: LONGEST_SECONDS });
      if (sent < batch.length || Object.keys(statuses).some((status) => status !== "200"))
        throw new Error(`${sent} of ${batch.length} requests were answered ${JSON.stringify(statuses)}`);
    }
    return (await memoryOf(server.pid)) / MB;
  };
  const half = await after(requests / 2);
  const whole = await after(requests / 2);
  const count = requests.toLocaleString("en-US");
  return [
    { name: `memory after ${count} requests, half of them unseen estimates`, samples: [whole], ...atMost(125, " MB") },
    { name: "growth in the second half", samples: [whole - half], ...atMost(4, " MB") },
  ];
}
