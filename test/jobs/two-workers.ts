/**
 * Two processes send the messages of one PostgreSQL. One of them is killed while it sends: its messages come back when its
 * claims expire. Texts are looked for at Twilio before they are sent again; a CRM gets the same id again. Or the clock of one
 * goes wrong, which must not show.
 */
import { SQL } from "bun";
import type { Channels } from "../../src/messages/channels.ts";
import { locationOf } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import { temporaryDatabase } from "../services.ts";
import { leadChange, newLead } from "../store/conformance-values.ts";
import { until } from "./outbox.ts";
import { startCrm } from "./receivers.ts";
import { startTwilio } from "./twilio.ts";
import type { WorkerProcess } from "./worker-process.ts";

const PROGRAM = new URL("worker-process.ts", import.meta.url).pathname;
/** The process that makes a push after this share of all jobs is killed by it. */
const KILLED_AFTER = 0.1;
/** Leads written at the same time. */
const AT_ONCE = 50;
const LONGEST_MS = 300_000;

interface WorkersOptions {
  /** Half of them texts, half of them pushes. */
  jobs: number;
  /** The worker's own when left out. */
  attemptMs?: number;
  /** What happens to one of the processes. */
  fault: "killed" | { clockAheadMs: number };
}

export async function measureWorkers({ jobs, attemptMs, fault }: WorkersOptions) {
  await using database = await temporaryDatabase();
  const store = await openStore(locationOf(database.url));
  const sql = new SQL(database.url, { max: 1 });
  using twilio = await startTwilio();
  let pushes = 0;
  // A CRM for each process, so that the kill comes while the process to be killed waits for an answer.
  const crmOf = (nth: number) =>
    startCrm(() => {
      pushes += 1;
      if (fault === "killed" && pushes === Math.round(jobs * KILLED_AFTER)) children[nth]?.kill("SIGKILL");
      return 204;
    });
  using one = crmOf(0);
  using other = crmOf(1);
  const children = [start(one.settings, fault === "killed" ? 0 : fault.clockAheadMs), start(other.settings, 0)];
  try {
    // `ready` is the first thing that they print.
    for (const { stdout } of children) await stdout.getReader().read();
    const startedAt = performance.now();
    for (let nth = 0; nth < jobs / 2; nth += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, jobs / 2 - nth) }, (_, i) => addTwo(nth + i)));
    const open = async () => {
      const [row] = await sql`SELECT count(*) AS open FROM jobs WHERE status <> 'done'`;
      return Number(row.open);
    };
    await until(open, (count) => count === 0, LONGEST_MS).catch(() => {});
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    const lost = await open();
    const cameBack: { id: number; change: string }[] =
      await sql`SELECT id, lead_id AS change FROM jobs WHERE doubtful = 1`;
    const again = repeated([...one.pushed, ...other.pushed].map(({ id }) => id));
    const explained = new Set(cameBack.map(({ change }) => change));
    return {
      jobs,
      /** Not done in the end. */
      lost,
      /** Jobs that came back doubtful, because their claims expired. */
      cameBack: cameBack.length,
      textedTwice: repeated(twilio.messages.map(({ body }) => body)).length,
      /** Pushes that came twice, with the same id. */
      pushedTwice: again.length,
      /** Of these, pushes whose job did not come back: nothing explains the second one. */
      pushedTwiceWithoutCause: again.filter((id) => !explained.has(id)).length,
      seconds,
    };
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(children.map(({ exited }) => exited));
    await sql.close();
    await store.close();
  }

  function start(crm: Channels["crm"], aheadMs: number) {
    const channels = { twilio: twilio.settings, crm, mail: null, push: null };
    const given: WorkerProcess = { url: database.url, channels, attemptMs, aheadMs };
    return Bun.spawn([process.execPath, PROGRAM, JSON.stringify(given)], {
      stdout: "pipe",
      timeout: LONGEST_MS,
      killSignal: "SIGKILL",
    });
  }

  /** A text and a push, whose id is that of the lead. */
  async function addTwo(nth: number): Promise<void> {
    const dueAt = Date.now();
    const lead = newLead({ createdAt: dueAt });
    await store.addLead({
      ...lead,
      jobs: [
        { kind: "shop_sms", payload: { to: "+14045550142", text: `Text ${nth} to the shop.` }, dueAt, unless: null },
        { kind: "push_to_crm", payload: { ...leadChange(), id: lead.id }, dueAt, unless: null },
      ],
    });
  }
}

/** The texts that are in a list more than once. */
function repeated(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.filter((text) => seen.size === seen.add(text).size);
}
