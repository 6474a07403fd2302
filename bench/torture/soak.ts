/** A long day: ordinary and hostile requests for many minutes, with memory and times of answer looked at all the while. */
import { openApiDocument } from "../../test/agents/openapi-document.ts";
import { API } from "../../test/helpers.ts";
import { dateIn, shopFolder, startServer } from "../../test/process/server.ts";
import { createHostileRequests } from "../../test/torture/hostile-requests.ts";
import { type Random, randomFrom, seedOf } from "../../test/torture/random.ts";
import { memoryOf } from "../children.ts";
import { median } from "../report.ts";
import { bookingOf, OPEN_SHOP, STARTS, together } from "../requests.ts";
import { faultOf, send } from "./hostile.ts";

const CALLERS = 4;
/** Between two requests of a caller, so that the machine stays usable. */
const PAUSE_MS = 5;
const HOSTILE = 0.2;
const SAMPLES = 180;
/** From the middle third of the run to its last third, memory may grow by so much. */
const GROWTH_BYTES = 6_000_000;
const SLOWEST_MS = 20_000;

export async function measureSoak({ minutes, seed }: { minutes: number; seed: number }) {
  using folder = shopFolder(OPEN_SHOP);
  const lengthMs = minutes * 60_000;
  await using server = await startServer(folder, { quiet: true, lifetimeMs: lengthMs + 600_000 });
  const hostile = createHostileRequests(await openApiDocument(), seed);
  const until = performance.now() + lengthMs;
  const memory: number[] = [];
  const times: number[] = [];
  const broken: string[] = [];
  let requests = 0;
  const isOver = () => performance.now() >= until || broken.length >= 20;

  const ordinary = async (random: Random, nth: number) => {
    const [path, body] = ordinaryRequest(random, nth);
    const from = performance.now();
    const signal = AbortSignal.timeout(SLOWEST_MS);
    const answer = await server.fetch(path, { signal, ...(body && { method: "POST", body: JSON.stringify(body) }) });
    await answer.arrayBuffer();
    times.push(performance.now() - from);
    // A slot may be taken by now.
    if (answer.status > 201 && answer.status !== 409) broken.push(`${path} was answered ${answer.status}`);
  };
  const callers = together(CALLERS, async () => {
    for (; !isOver(); await Bun.sleep(PAUSE_MS)) {
      const nth = requests++;
      const random = randomFrom(seedOf(seed, nth));
      if (random.chance(HOSTILE)) {
        const request = hostile(nth);
        const fault = faultOf(request, await send(server.port, request));
        if (fault) broken.push(`request ${nth} of seed ${seed}: ${fault}`);
      } else await ordinary(random, nth).catch((error: unknown) => broken.push(String(error)));
    }
  });
  for (; !isOver(); await Bun.sleep(Math.min(lengthMs / SAMPLES, Math.max(0, until - performance.now()))))
    memory.push(await memoryOf(server.pid));
  await callers;

  const third = Math.ceil(memory.length / 3);
  const [start = 0, middle = 0, end = 0] = [0, 1, 2].map((i) => median(memory.slice(i * third, (i + 1) * third)));
  if (end - middle > GROWTH_BYTES) broken.push(`memory grew from ${middle} to ${end} bytes`);
  times.sort((a, b) => a - b);
  // In milliseconds.
  const rounded = (value = Number.NaN) => Number(value.toFixed(1));
  const [p50, p99] = [0.5, 0.99].map((share) => rounded(times[Math.floor(times.length * share)]));
  // Medians of the server's memory in each third of the run.
  const megabytes = [start, middle, end].map((bytes) => rounded(bytes / 1e6));
  return { minutes, requests, megabytes, p50, p99, broken };
}

function ordinaryRequest(random: Random, nth: number): [path: string, body?: object] {
  const vehicle_type = random.pick(["suv", "sedan", "truck"]);
  const film_type = random.pick(["standard", "ceramic"]);
  const booking = { ...bookingOf(nth), date: dateIn(3 + random.int(360)), time: random.pick(STARTS), vehicle_type };
  return random.pick<[string, object?]>([
    [`${API}/estimates`, { vehicle_type, film_type, shade: 5 + random.int(70) }],
    [`${API}/estimates?vehicle_type=${vehicle_type}`],
    [`${API}/flat-glass/estimate`, { total_sqft: 50 + random.int(900), site_type: "residential" }],
    [`${API}/availability?vehicle_type=${vehicle_type}&date=${dateIn(3 + random.int(300))}`],
    [`${API}/availability`],
    [random.pick([`${API}/faq`, `${API}/services`, `${API}/location`, `${API}/docs`, "/llms.txt", "/readyz"])],
    [`${API}/bookings`, booking],
  ]);
}
