/** Many callers want the same at the same moment, from two servers on one PostgreSQL: exact bays, quotas, replays and moves. */
import { SQL } from "bun";
import { startProxy } from "../../test/postgres-proxy.ts";
import { temporaryDatabase } from "../../test/services.ts";
import { BAYS, counted, freshPhone, PER_PHONE, startTwoServers, TIMES, type TwoServers, wish } from "./two-servers.ts";

const CALLERS = 32;
/** Dates that a round uses. */
const DAYS = 8;

export interface SharedRaceReport {
  requests: number;
  booked: number;
  faults: string[];
}

/** The statement by which writes of all machines come one after the other. */
const TURN = "UPDATE shop SET writes = writes + 1 WHERE id = 1";

/** @param withoutTurn the control: the statement that orders the writes does not reach the database */
export async function measureSharedRaces({
  rounds,
  withoutTurn = false,
}: {
  rounds: number;
  withoutTurn?: boolean;
}): Promise<SharedRaceReport> {
  await using database = await temporaryDatabase();
  using proxy = await startProxy(database.url);
  await using shop = await startTwoServers(withoutTurn ? proxy.url : database.url, {
    "rate_limits.bookings_per_phone_per_day": PER_PHONE,
  });
  if (withoutTurn) proxy.network.rewrite = (said) => replaced(said, TURN, "SELECT 1");
  const faults: string[] = [];
  let requests = 0;
  let booked = 0;
  for (let round = 0; round < rounds; round++) {
    const raced = [
      await raceForSlot(shop, round * DAYS),
      await raceForQuota(shop, round * DAYS + 1),
      await raceOfReplays(shop, round * DAYS + 4),
      await raceOfMoves(shop, round * DAYS + 5),
    ];
    for (const one of raced) {
      requests += one.requests;
      booked += one.booked;
      if (one.fault) faults.push(`round ${round}, ${one.fault}`);
    }
  }
  faults.push(...(await overbooked(database.url, booked)));
  return { requests, booked, faults };
}

interface Raced {
  requests: number;
  booked: number;
  fault: string | undefined;
}

async function raceForSlot({ post }: TwoServers, day: number): Promise<Raced> {
  const answers = await all(CALLERS, () => post("bookings", wish(day)));
  return judged("one slot", answers, BAYS, [409]);
}

async function raceForQuota({ post }: TwoServers, day: number): Promise<Raced> {
  const customer_phone = freshPhone();
  const answers = await all(CALLERS, (i) =>
    post("bookings", { ...wish(day + Math.floor((i % 6) / 2), TIMES[i % 2]), customer_phone }),
  );
  // A slot may be full, too.
  return judged("one customer", answers, PER_PHONE, [429, 409]);
}

async function raceOfReplays({ post }: TwoServers, day: number): Promise<Raced> {
  const body = { ...wish(day), booking_request_id: crypto.randomUUID() };
  const answers = await all(CALLERS, () => post("bookings", body));
  const told = new Set(answers.map(({ text }) => text));
  const isOne = told.size === 1 && answers.every(({ status }) => status === 201);
  const statuses = counted(answers.map(({ status }) => status));
  return {
    requests: CALLERS,
    booked: 1,
    fault: isOne ? undefined : `one request many times: ${told.size} different answers, ${statuses}`,
  };
}

async function raceOfMoves({ post }: TwoServers, day: number): Promise<Raced> {
  const made = await all(2 * BAYS, (i) => post("bookings", { ...wish(day, TIMES[i % 2]) }));
  const { date, time } = wish(day + 1);
  const moves = await Promise.all(
    made.map(({ json }) =>
      post("bookings/reschedule", {
        confirmation_code: json.data?.confirmation_code,
        email: "pat@example.com",
        date,
        time,
      }),
    ),
  );
  const { fault } = judged("moves to one slot", moves, BAYS, [409], 200);
  return { requests: made.length + moves.length, booked: made.filter(({ status }) => status === 201).length, fault };
}

function judged(
  name: string,
  answers: readonly { status: number }[],
  due: number,
  refusals: readonly number[],
  success = 201,
): Raced {
  const statuses = answers.map(({ status }) => status);
  const won = statuses.filter((status) => status === success).length;
  const isExact = won === due && statuses.every((status) => status === success || refusals.includes(status));
  return { requests: answers.length, booked: won, fault: isExact ? undefined : `${name}: ${counted(statuses)}` };
}

const all = <Result>(count: number, call: (i: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, i) => call(i)));

async function overbooked(url: string, booked: number): Promise<string[]> {
  const sql = new SQL(url, { max: 1 });
  const [stored] = await sql`SELECT count(*)::int AS n FROM bookings`;
  const full: { at: string; n: number }[] = await sql`
    SELECT one.start_at AS at, count(*)::int AS n FROM bookings AS one
    JOIN bookings AS other ON other.start_at <= one.start_at AND other.busy_until > one.start_at
    GROUP BY one.id, one.start_at HAVING count(*) > ${BAYS}`;
  await sql.close();
  return [
    ...full.map(({ at, n }) => `${n} cars in ${BAYS} bays at ${new Date(Number(at)).toISOString()}`),
    ...(stored.n === booked ? [] : [`${booked} bookings were confirmed, and ${stored.n} are stored`]),
  ];
}

/** Another text of the same length in the place of one. */
function replaced(said: Buffer, text: string, other: string): Buffer {
  const at = said.indexOf(text);
  if (at >= 0) said.write(other.padEnd(text.length), at);
  return said;
}
