/** kill -9, again and again, of a server that takes bookings and sends texts about them. */
import { Database } from "bun:sqlite";
import { API } from "../../test/helpers.ts";
import { until } from "../../test/jobs/outbox.ts";
import { startTwilio } from "../../test/jobs/twilio.ts";
import { freePort, jsonOf, shopFolder, startServer } from "../../test/process/server.ts";
import { randomFrom } from "../../test/torture/random.ts";
import { brokenOf } from "../report.ts";
import { bookingOf, OPEN_SHOP, together } from "../requests.ts";

const CALLERS = 6;
/** A server lives for at most this long, from the moment that it answers. */
const LONGEST_LIFE_MS = 1_000;
/** Jobs that were under way come back when their claims have expired. */
const SETTLING_MS = 300_000;

export async function measureKills({ kills, seed }: { kills: number; seed: number }) {
  const random = randomFrom(seed);
  using folder = shopFolder({ ...OPEN_SHOP, follow_up: [{ after: "0m", do: "notify_shop_sms" }] });
  using twilio = await startTwilio();
  const env = { ...twilio.env, PORT: String(freePort()) };
  const start = () => startServer(folder, { env, lifetimeMs: SETTLING_MS + LONGEST_LIFE_MS });
  const acknowledged = new Map<string, string>();
  let server = await start();
  let isOver = false;
  let next = 0;

  /** Sends the same request until it is answered, as a caller would whose answer got lost. */
  const book = async (i: number) => {
    const id = `kill-${i}`;
    const body = JSON.stringify({ ...bookingOf(i), booking_request_id: id });
    while (!isOver) {
      const answer = await fetch(new URL(`${API}/bookings`, server.url), { method: "POST", body }).catch(() => null);
      // The server is being killed or started.
      const data = answer && (await jsonOf(answer).catch(() => null));
      if (!answer || !data) await Bun.sleep(5);
      else if (answer.status !== 201) throw new Error(`booking ${i} was answered ${answer.status}`);
      else return void acknowledged.set(id, data.data.confirmation_code);
    }
  };
  const callers = together(CALLERS, async () => {
    while (!isOver) await book(next++);
  });
  try {
    for (let i = 0; i < kills; i++) {
      await Promise.race([Bun.sleep(random.int(LONGEST_LIFE_MS)), callers]);
      server.signal("SIGKILL");
      await server.exited;
      server = await start();
    }
    isOver = true;
    await callers;
    using db = new Database(folder.database, { readonly: true });
    const open = db.query<{ n: number }, []>("SELECT count(*) AS n FROM jobs WHERE status = 'waiting'");
    await until(
      () => open.get()?.n,
      (n) => n === 0,
      SETTLING_MS,
    );
    return { kills, ...verdict(db, acknowledged, twilio.messages) };
  } finally {
    isOver = true;
    await server[Symbol.asyncDispose]();
  }
}

function verdict(db: Database, acknowledged: ReadonlyMap<string, string>, messages: readonly { body: string }[]) {
  const stored = db
    .query<{ id: string; code: string; jobs: number }, []>(
      `SELECT request_id AS id, confirmation_code AS code,
         (SELECT count(*) FROM jobs JOIN leads ON leads.id = jobs.lead_id
          WHERE leads.id = bookings.lead_id AND jobs.kind = 'notify_shop_sms') AS jobs
       FROM bookings`,
    )
    .all();
  const codes = new Map(stored.map(({ id, code }) => [id, code]));
  // Other texts tell the owner of many bookings in an hour.
  const texts = messages.flatMap(({ body }) => /^New booking (\w{8}):/.exec(body)?.[1] ?? []);
  const told = new Set(texts);
  const never = {
    /** Acknowledged, and not stored afterwards. */
    lost: [...acknowledged].filter(([id, code]) => codes.get(id) !== code).length,
    /** Request ids with more than one booking. */
    doubled: stored.length - codes.size,
    /** Bookings without their text to the shop. */
    unsent: stored.filter(({ code }) => !told.has(code)).length,
    /** Bookings that were stored without their lead or jobs. */
    halves: stored.filter(({ jobs }) => jobs !== 1).length,
  };
  // A text may go out twice when the answer to the first was lost.
  return { acknowledged: acknowledged.size, ...never, toldTwice: texts.length - told.size, broken: brokenOf(never) };
}
