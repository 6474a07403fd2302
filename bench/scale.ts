/** How much slower answers get in a shop with many bookings. */
import { API } from "../test/helpers.ts";
import { dateIn, NO_LIMITS, OPEN_DAILY, type ServerProcess, shopFolder } from "../test/process/server.ts";
import { startShop } from "./children.ts";
import { load, requestBytes } from "./load.ts";
import { fillDiary } from "./many-bookings.ts";
import { type Figure, median } from "./report.ts";
import { firstFrame, tint } from "./start.ts";

const ROOMY = { "scheduling.bays": 50, "scheduling.horizon_days": 365 };
const env = { TINT_TRUSTED_PROXIES: "127.0.0.1/32" };
const everyCaller = (make: (headers: Record<string, string>) => Uint8Array) =>
  Array.from({ length: 512 }, (_, i) => make({ "X-Forwarded-For": `198.18.${i >> 8}.${i & 255}` }));
const post = (path: string, body: object) =>
  everyCaller((headers) => requestBytes("POST", `${API}${path}`, { body, headers }));
const get = (path: string) => everyCaller((headers) => requestBytes("GET", `${API}${path}`, { headers }));

const ESTIMATE = post("/estimates", { vehicle_type: "suv", film_type: "ceramic", coverage: "full" });
const WARM_UP_SECONDS = 1;
const BOOKING = {
  customer_name: "Pat Example",
  customer_phone: "+14045550199",
  customer_email: "pat@example.com",
  vehicle_type: "suv",
  coverage: "front2",
};

async function twoShops(rounds: number, few: ShopSize, many: ShopSize, compare: Compare): Promise<void> {
  const edits = { ...OPEN_DAILY, ...NO_LIMITS, ...ROOMY };
  using small = shopFolder(edits);
  using large = shopFolder(edits);
  await fillDiary(small, few);
  await fillDiary(large, many);
  await using a = await startShop(small, env);
  await using b = await startShop(large, env);
  for (let round = 0; round < rounds; round++) {
    await compare({ server: a, folder: small }, { server: b, folder: large });
  }
}

type ShopSize = Parameters<typeof fillDiary>[1];
interface Shop {
  server: ServerProcess;
  folder: ReturnType<typeof shopFolder>;
}
type Compare = (small: Shop, large: Shop) => Promise<void>;

const rate = async ({ port }: ServerProcess, requests: Uint8Array[], seconds: number) =>
  (await load({ port, requests, seconds })).perSecond;

/** Milliseconds of one answer, asked for alone. */
const time = async ({ port }: ServerProcess, requests: Uint8Array[], seconds: number) =>
  (await load({ port, requests, seconds, connections: 1, warmUpSeconds: 0 })).p50;

export async function measureScale(rounds: number, seconds: number): Promise<Figure[]> {
  const estimates: number[] = [];
  const alternatives: number[] = [];
  const refused = post("/bookings", { ...BOOKING, date: dateIn(0), time: "09:00" });
  const none = { past: 0, future: 0, days: 1 };
  await twoShops(rounds, none, { past: 0, future: 100_000, days: 360 }, async (small, large) => {
    // Both compile their code first.
    for (const { server } of [small, large]) await rate(server, ESTIMATE, WARM_UP_SECONDS);
    const without = await rate(small.server, ESTIMATE, seconds);
    const ahead = await rate(large.server, ESTIMATE, 2 * seconds);
    const again = await rate(small.server, ESTIMATE, seconds);
    estimates.push((2 * ahead) / (without + again));
    alternatives.push((await time(large.server, refused, seconds)) / (await time(small.server, refused, seconds)));
  });

  const slower = { refused: [] as number[], availability: [] as number[], home: [] as number[] };
  // Both shops have as many future bookings, so that only the past differs. The day asked for has many bookings.
  const size = (past: number) => ({ past, future: 800, days: 16 });
  await twoShops(rounds, size(1_000), size(1_000_000), async (small, large) => {
    const month = get("/availability?days=30");
    slower.refused.push((await time(large.server, refused, seconds)) / (await time(small.server, refused, seconds)));
    slower.availability.push((await time(large.server, month, seconds)) / (await time(small.server, month, seconds)));
    const frame = ({ folder }: Shop) => firstFrame([...tint, "--catalog", folder.catalog, "--data", folder.data]);
    const times = { small: [] as number[], large: [] as number[] };
    for (let i = 0; i < 5; i++) {
      times.small.push(await frame(small));
      times.large.push(await frame(large));
    }
    slower.home.push(median(times.large) / median(times.small));
  });
  const atMost = { target: 1.3, better: "less" } as const;
  return [
    { name: "estimates with 100,000 future bookings ÷ with none", samples: estimates, target: 0.95, better: "more" },
    { name: "time of a refused booking, 100,000 future bookings ÷ none", samples: alternatives, ...atMost },
    { name: "time of a refused booking, 1,000,000 bookings ÷ 1,000", samples: slower.refused, ...atMost },
    { name: "time of availability, 1,000,000 bookings ÷ 1,000", samples: slower.availability, ...atMost },
    { name: "time to the home screen, 1,000,000 bookings ÷ 1,000", samples: slower.home, ...atMost },
  ];
}
