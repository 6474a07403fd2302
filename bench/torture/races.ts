/** Many callers want the same at the same moment, from two servers with one database: exact bays, quotas, replays and moves. */
import { SQL } from "bun";
import { API, CATALOG } from "../../test/helpers.ts";
import { startProxy } from "../../test/postgres-proxy.ts";
import { temporaryDatabase } from "../../test/services.ts";
import { countsOf, together } from "../requests.ts";
import { freshPhone, startTwoServers, TIMES, type TwoServers, wish } from "./two-servers.ts";

const { bays: BAYS, grid_minutes: GRID } = CATALOG.scheduling;
const PER_PHONE = 3;
/** Dates that a round uses. */
const DAYS = 6;
const RULES = {
  "scheduling.bays": BAYS,
  "scheduling.grid_minutes": GRID,
  "rate_limits.bookings_per_phone_per_day": PER_PHONE,
};

/** @param rounds at most 60, each on days of its own */
export async function measureRaces(rounds: number, callers: number) {
  await using shop = await startTwoServers(null, RULES);
  return await raced(shop, shop.file, rounds, callers);
}

/** The statement by which writes of all machines come one after the other; its condition goes on. */
const TURN = "UPDATE shop SET writes = writes + 1 WHERE id = 1";

/** The same on PostgreSQL. @param withoutTurn the control: the statement that orders the writes does not reach the database */
export async function measureSharedRaces(rounds: number, callers: number, withoutTurn = false) {
  await using database = await temporaryDatabase();
  using proxy = await startProxy(database.url);
  await using shop = await startTwoServers(withoutTurn ? proxy.url : database.url, RULES);
  if (withoutTurn) proxy.network.rewrite = (said) => replaced(said, TURN, "SELECT 1 FROM shop WHERE true");
  return await raced(shop, database.url, rounds, callers);
}

/** @param race with its control, which has to break promises: otherwise the race shows nothing */
export async function withControl(race: (withoutTurn: boolean) => ReturnType<typeof raced>) {
  const { broken, ...metrics } = await race(false);
  const { broken: sold, ...control } = await race(true);
  if (sold.length === 0) broken.push("the control sold no bay twice, so that the test shows nothing");
  return { ...metrics, control: { ...control, faults: sold.length }, broken };
}

interface Raced {
  requests: number;
  booked: number;
  fault: string | undefined;
}

async function raced(shop: TwoServers, database: string, rounds: number, callers: number) {
  const broken: string[] = [];
  let requests = 0;
  let booked = 0;
  for (let round = 0; round < rounds; round++) {
    const day = round * DAYS;
    for (const race of [
      await raceForSlot(shop, callers, day),
      await raceForQuota(shop, callers, day + 1),
      await raceOfReplays(shop, callers, day),
      await raceOfMoves(shop, day + 4),
    ]) {
      requests += race.requests;
      booked += race.booked;
      if (race.fault) broken.push(`round ${round}, ${race.fault}`);
    }
  }
  broken.push(...(await overbooked(database, booked)));
  return { requests, booked, broken };
}

const BOOKINGS = `${API}/bookings`;

async function raceForSlot({ post }: TwoServers, callers: number, day: number): Promise<Raced> {
  const answers = await together(callers, () => post(BOOKINGS, wish(day)));
  return countAnswers("one slot", answers, BAYS, [409]);
}

async function raceForQuota({ post }: TwoServers, callers: number, day: number): Promise<Raced> {
  const customer_phone = freshPhone();
  const answers = await together(callers, (i) =>
    post(BOOKINGS, {
      ...wish(day + Math.floor((i % 6) / 2), TIMES[i % 2]),
      customer_phone,
      special_requests: `Car ${i}`,
    }),
  );
  // A slot may be full, too.
  return countAnswers("one customer", answers, PER_PHONE, [429, 409]);
}

async function raceOfReplays({ post }: TwoServers, callers: number, day: number): Promise<Raced> {
  const body = { ...wish(day, TIMES[1]), booking_request_id: crypto.randomUUID() };
  const answers = await together(callers, () => post(BOOKINGS, body));
  const told = new Set(answers.map(({ text }) => text)).size;
  const { fault } = countAnswers("one request many times", answers, callers, []);
  return { requests: callers, booked: 1, fault: told === 1 ? fault : `one request has ${told} different answers` };
}

async function raceOfMoves({ post }: TwoServers, day: number): Promise<Raced> {
  const made = await together(2 * BAYS, (i) => post(BOOKINGS, wish(day, TIMES[i % 2])));
  const { date, time } = wish(day + 1);
  const moves = await together(made.length, (i) => {
    const confirmation_code = made[i]?.json.data?.confirmation_code;
    return post(`${BOOKINGS}/reschedule`, { confirmation_code, email: "pat@example.com", date, time });
  });
  const { fault } = countAnswers("moves to one slot", moves, BAYS, [409], 200);
  return { requests: made.length + moves.length, booked: made.filter(({ status }) => status === 201).length, fault };
}

function countAnswers(
  name: string,
  answers: readonly { status: number }[],
  due: number,
  refusals: readonly number[],
  success = 201,
): Raced {
  const counts = countsOf(answers.map(({ status }) => String(status)));
  const booked = counts[success] ?? 0;
  const isExact = booked === due && answers.every(({ status }) => status === success || refusals.includes(status));
  const told = Object.entries(counts).map(([status, times]) => `${times} times ${status}`);
  return { requests: answers.length, booked, fault: isExact ? undefined : `${name}: ${told.join(", ")}` };
}

async function overbooked(url: string, booked: number): Promise<string[]> {
  await using sql = new SQL(url, { max: 1 });
  const [stored] = await sql`SELECT CAST(count(*) AS INTEGER) AS n FROM bookings`;
  const full: { at: string | number; n: number }[] = await sql`
    SELECT one.start_at AS at, CAST(count(*) AS INTEGER) AS n FROM bookings AS one
    JOIN bookings AS other ON other.start_at <= one.start_at AND other.busy_until > one.start_at
    GROUP BY one.id, one.start_at HAVING count(*) > ${BAYS}`;
  return [
    ...full.map(({ at, n }) => `${n} cars in ${BAYS} bays at ${new Date(Number(at)).toISOString()}`),
    ...(stored.n === booked ? [] : [`${booked} bookings were confirmed, and ${stored.n} are stored`]),
  ];
}

/** Another text of the same length in place of one. */
function replaced(said: Buffer, text: string, other: string): Buffer {
  const at = said.indexOf(text);
  if (at >= 0) said.write(other.padEnd(text.length), at);
  return said;
}
