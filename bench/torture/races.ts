/** Many callers want the same at the same moment, from two servers with one database: exact bays, exact quotas. */
import { Database } from "bun:sqlite";
import { API, CATALOG } from "../../test/helpers.ts";
import {
  dateIn,
  NO_LIMITS,
  OPEN_DAILY,
  type ServerProcess,
  shopFolder,
  startServer,
} from "../../test/process/server.ts";
import { randomFrom } from "./random.ts";

const CALLERS = 50;
const PER_PHONE = 3;
/** Every so many rounds one customer wants many appointments; in the others many customers want one. */
const PHONE_ROUNDS = 5;
const { bays } = CATALOG.scheduling;
const MOST_ROUNDS = 300;
/** A server that is forgotten ends after this time. */
const LIFETIME_MS = 3_600_000;
const TIMES = ["09:00", "14:00"];

export interface RaceReport {
  requests: number;
  booked: number;
  /** Rounds that oversold or refused wrongly. */
  faults: string[];
}

export async function measureRaces({ requests, seed }: { requests: number; seed: number }): Promise<RaceReport> {
  const random = randomFrom(seed);
  using folder = shopFolder({
    ...OPEN_DAILY,
    ...NO_LIMITS,
    "scheduling.horizon_days": 365,
    "rate_limits.bookings_per_phone_per_day": PER_PHONE,
  });
  const options = { quiet: true, lifetimeMs: LIFETIME_MS };
  // Started together, so that they race for the making of the database as well.
  const [a, b] = await Promise.all([startServer(folder, options), startServer(folder, options)]);
  await using _a = a;
  await using _b = b;
  const faults: string[] = [];
  let booked = 0;
  let phones = 2_000_000;
  const freshPhone = () => `+1404${phones++}`;
  const rounds = Math.ceil(requests / CALLERS);
  const slots = Array.from({ length: 2 * MOST_ROUNDS }, (_, i) => ({
    date: dateIn(3 + Math.floor(i / TIMES.length)),
    time: TIMES[i % TIMES.length] ?? "",
  }));
  const [contested, spread] = [slots.slice(0, MOST_ROUNDS), slots.slice(MOST_ROUNDS)];
  if (rounds > MOST_ROUNDS) throw new Error(`at most ${MOST_ROUNDS * CALLERS} requests can be raced`);
  for (let round = 0; round < rounds; round++) {
    const isPhoneRound = round % PHONE_ROUNDS === PHONE_ROUNDS - 1;
    const phone = freshPhone();
    const wishes = Array.from({ length: CALLERS }, (_, i) =>
      isPhoneRound
        ? { ...spread[(Math.floor(round / PHONE_ROUNDS) * CALLERS + i) % spread.length], customer_phone: phone }
        : { ...contested[round], customer_phone: freshPhone() },
    );
    const statuses = await Promise.all(wishes.map((wish) => book(random.chance(0.5) ? a : b, wish)));
    const won = statuses.filter((status) => status === 201).length;
    // A slot of the phone rounds may be full by now, so that some are refused for that.
    const refusals = isPhoneRound ? [429, 409] : [409];
    const isExact = won === (isPhoneRound ? PER_PHONE : bays);
    if (!isExact || statuses.some((status) => status !== 201 && !refusals.includes(status)))
      faults.push(`round ${round}: ${counted(statuses)}`);
    booked += won;
  }
  faults.push(...overbooked(folder.database, booked));
  return { requests: rounds * CALLERS, booked, faults };
}

async function book(server: ServerProcess, wish: object): Promise<number> {
  const body = { ...wish, customer_name: "Pat", customer_email: "pat@example.com", vehicle_type: "suv" };
  const answer = await server.post(`${API}/bookings`, body);
  await answer.arrayBuffer();
  return answer.status;
}

const counted = (statuses: number[]) =>
  Object.entries(Object.groupBy(statuses, String))
    .map(([status, all]) => `${all?.length} times ${status}`)
    .join(", ");

function overbooked(file: string, booked: number): string[] {
  using db = new Database(file, { readonly: true });
  const stored = db.query<{ n: number }, []>("SELECT count(*) AS n FROM bookings").get()?.n;
  const full = db
    .query<{ at: number; n: number }, []>(
      `SELECT one.start_at AS at, count(*) AS n FROM bookings AS one
       JOIN bookings AS other ON other.start_at <= one.start_at AND other.busy_until > one.start_at
       GROUP BY one.id HAVING n > ${bays}`,
    )
    .all();
  return [
    ...full.map(({ at, n }) => `${n} cars in ${bays} bays at ${new Date(at).toISOString()}`),
    ...(stored === booked ? [] : [`${booked} bookings were confirmed, and ${stored} are stored`]),
  ];
}
