/**
 * Two servers on one PostgreSQL that goes away in many ways while customers book: nothing doubled, nothing lost that was
 * answered 201, nobody told that nothing was booked when it was, and everything comes back by itself.
 */
import { SQL } from "bun";
import { API } from "../../test/helpers.ts";
import { type LossyNetwork, startProxy } from "../../test/postgres-proxy.ts";
import { until } from "../../test/service-process.ts";
import { type Postgres, startPostgres } from "../../test/services.ts";
import { countsOf, together } from "../requests.ts";
import { type Answered, startTwoServers, TIMES, type TwoServers, wish } from "./two-servers.ts";

const BOOKINGS = `${API}/bookings`;
const CALLERS = 16;
/** An answer comes within this time. */
const LONGEST_MS = 6_000;
/** /readyz tells the truth within this time, on a machine that is busy with the load as well. */
const READY_MS = 2_000;
/** Bookings that must succeed before and after each fault. */
const CALM = 2 * CALLERS;

interface Tools {
  postgres: Postgres;
  proxy: LossyNetwork;
  sql: () => SQL;
}

/** Something that is wrong for a while; resolves when it is over. */
type Fault = (tools: Tools) => Promise<void>;

const down =
  (ms: number): Fault =>
  async ({ postgres }) => {
    await postgres.stop();
    await Bun.sleep(ms);
    await postgres.start();
  };

const hole =
  (ms: number, lost: Partial<LossyNetwork["network"]>): Fault =>
  async ({ proxy }) => {
    Object.assign(proxy.network, lost);
    await Bun.sleep(ms);
    Object.assign(proxy.network, { dropsQuestions: false, dropsAnswers: false });
  };

const LOST_COMMITS = [
  "arrives, the connection is cut off",
  "arrives, the answer is lost",
  "is cut off",
  "is lost",
] as const;

const loses =
  (times: number): Fault =>
  async ({ proxy }) => {
    for (let i = 0; i < times; i++) {
      proxy.network.commits = [...LOST_COMMITS];
      await until("the COMMITs", () => proxy.network.commits.length === 0);
    }
  };

const FAULTS = {
  async "every connection is ended five times"({ sql }) {
    for (let i = 0; i < 5; i++) {
      await sql()`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`;
      await Bun.sleep(100);
    }
  },
  "a restart with 2 s down": down(2_000),
  "a restart with 6.5 s down": down(6_500),
  async "SIGKILL of PostgreSQL"({ postgres }) {
    await postgres.kill();
    await postgres.start();
  },
  "nothing arrives for 5 s": hole(5_000, { dropsQuestions: true, dropsAnswers: true }),
  "no answer arrives for 5 s": hole(5_000, { dropsAnswers: true }),
  async "a machine vanishes inside a transaction"({ sql }) {
    const held = await sql().reserve();
    await held.unsafe(
      "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 2500; UPDATE shop SET writes = writes + 1",
    );
    await Bun.sleep(3_000);
    // Used here so that the garbage collector does not end the transaction before.
    await held.close({ timeout: 0 }).catch(() => {});
  },
  "four COMMITs, or their answers, are lost": loses(1),
  "twenty COMMITs, or their answers, are lost": loses(5),
} satisfies Record<string, Fault>;

/** Safe, because `keyof` names the keys of the object. */
const NAMES = Object.keys(FAULTS) as (keyof typeof FAULTS)[];

interface Sent {
  id: string;
  body: object;
  answer: Answered;
}

/** @param names the faults, one after the other; by default all */
export async function measureSharedFaults(names = NAMES) {
  await using postgres = await startPostgres({ durable: true });
  const url = await postgres.createDatabase();
  using proxy = await startProxy(url);
  await using shop = await startTwoServers(proxy.url);
  const sent: Sent[] = [];
  const broken: string[] = [];
  const faults: Record<string, object> = {};
  for (const name of names) {
    const client = new SQL(url, { max: 1 });
    const seen = await watched(shop, () => FAULTS[name]({ postgres, proxy, sql: () => client }), sent);
    await client.close({ timeout: 0 }).catch(() => {});
    faults[name] = seen.seen;
    broken.push(...seen.broken.map((text) => `${name}: ${text}`));
  }
  await using sql = new SQL(url, { max: 1 });
  const stored: Stored[] = await sql`SELECT request_id, confirmation_code FROM bookings`;
  broken.push(...(await lies(shop, sent, stored)));
  // Counted again, because the replays of requests whose outcome was not known may have booked.
  const [{ rows, leads }] = (await sql`
    SELECT (SELECT count(*)::int FROM bookings) AS rows, (SELECT count(*)::int FROM leads) AS leads
  `) as [{ rows: number; leads: number }];
  if (leads !== rows) broken.push(`${rows} bookings have ${leads} leads`);
  return { faults, booked: sent.filter(({ answer }) => answer.status === 201).length, rows, broken };
}

let serial = 0;

/** Customers book before, during and after a fault. */
async function watched(shop: TwoServers, fault: () => Promise<void>, all: Sent[]) {
  const sent: Sent[] = [];
  const broken: string[] = [];
  const readMs: number[] = [];
  const ready: { at: number; isReady: boolean }[] = [];
  let isOver = false;
  const customer = async () => {
    while (!isOver) {
      const id = `r${++serial}`;
      const body = { ...wish(serial % 300, TIMES[serial % 2]), booking_request_id: id };
      sent.push({ id, body, answer: await shop.post(BOOKINGS, body) });
    }
  };
  const reader = async () => {
    while (!isOver) {
      expectRead(await shop.get(`${API}/services`));
      expectRead(await shop.post(`${API}/estimates`, { vehicle_type: "suv" }));
      expectRead(await shop.get(`${API}/faq`));
    }
  };
  const expectRead = ({ status, ms }: Answered) => {
    if (status !== 200) broken.push(`a read without the database is ${status}`);
    readMs.push(ms);
  };
  const poller = async () => {
    for (; !isOver; await Bun.sleep(20)) {
      const { status, ms } = await shop.get("/readyz");
      ready.push({ at: performance.now(), isReady: status === 200 });
      if (ms > 1_500) broken.push(`/readyz took ${ms} ms`);
    }
  };
  const running = Promise.all([together(CALLERS, customer), reader(), poller()]);
  const confirmed = () => sent.filter(({ answer }) => answer.status === 201).length;
  const calm = async () => {
    const before = confirmed();
    await until("customers to book again", () => confirmed() >= before + CALM);
  };
  let [from, to] = [0, 0];
  try {
    await calm();
    from = performance.now();
    await fault();
    to = performance.now();
    await calm();
    await until("both servers to be ready", () => ready.slice(-4).every(({ isReady }) => isReady));
  } finally {
    isOver = true;
    await running;
  }
  all.push(...sent);
  const unready = ready.find(({ at, isReady }) => at > from && !isReady);
  const last = unready && ready.findLast(({ isReady }) => !isReady);
  const seen = {
    answered: countsOf(sent.map(({ answer }) => outcomeOf(answer))),
    longestMs: Math.max(...sent.map(({ answer }) => answer.ms)),
    longestReadMs: Math.max(...readMs),
    /** Until /readyz said so, both ways; null where it was over before. */
    unreadyAfterMs: unready ? Math.round(unready.at - from) : null,
    readyAfterMs: last ? Math.max(0, Math.round(last.at - to)) : null,
  };
  if (seen.longestMs > LONGEST_MS) broken.push(`an answer took ${seen.longestMs} ms`);
  if ((seen.readyAfterMs ?? 0) > READY_MS) broken.push(`/readyz learnt of the recovery after ${seen.readyAfterMs} ms`);
  return { seen, broken };
}

type OutcomeName = "booked" | "stored nothing" | "not known" | `status ${number}`;

function outcomeOf({ status, json }: Answered): OutcomeName {
  if (status === 201) return "booked";
  if (status !== 503 || json.error_code !== "BOOKING_FAILED") return `status ${status}`;
  return /is not known/.test(json.message) ? "not known" : "stored nothing";
}

interface Stored {
  request_id: string;
  confirmation_code: string;
}

/** Answers that the rows contradict. */
async function lies(shop: TwoServers, sent: readonly Sent[], stored: readonly Stored[]): Promise<string[]> {
  const byId = Map.groupBy(stored, ({ request_id }) => request_id);
  const broken: string[] = [];
  for (const { id, body, answer } of sent) {
    const rows = byId.get(id) ?? [];
    const outcome = outcomeOf(answer);
    if (rows.length > 1) broken.push(`${id} was booked ${rows.length} times`);
    if (outcome.startsWith("status")) broken.push(`${id}: ${outcome} ${answer.text.slice(0, 200)}`);
    if (outcome === "booked" && rows[0]?.confirmation_code !== answer.json.data.confirmation_code)
      broken.push(`${id} was answered 201, and is not stored`);
    if (outcome === "stored nothing" && rows.length > 0)
      broken.push(`${id} is stored, and its caller was told the opposite`);
    if (outcome === "not known") {
      const replay = await shop.post(BOOKINGS, body);
      const [row] = rows;
      if (replay.status !== 201 || (row && replay.json.data.confirmation_code !== row.confirmation_code))
        broken.push(`a replay of ${id} does not tell what became of it: ${replay.status}`);
    }
  }
  return broken;
}
