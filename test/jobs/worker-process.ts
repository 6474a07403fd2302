/** Sends the messages of a PostgreSQL until it is killed. The one argument is a WorkerProcess as JSON. Prints `ready`. */
import { pino } from "pino";
import { type Channels, lanes } from "../../src/messages/channels.ts";
import { createDeliver, startWorker } from "../../src/messages/worker.ts";
import { locationOf } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import { CATALOG } from "../helpers.ts";

export interface WorkerProcess {
  url: string;
  channels: Channels;
  attemptMs?: number | undefined;
  /** How far the clock of the process goes ahead, once it has started. */
  aheadMs?: number | undefined;
}

const { url, channels, attemptMs, aheadMs = 0 }: WorkerProcess = JSON.parse(process.argv[2] ?? "");
const store = await openStore(locationOf(url));
const trueTime = Date.now;
Date.now = () => trueTime() + aheadMs;
const deliver = createDeliver(channels, store, () => CATALOG);
const log = pino({ level: "silent" });
for (const kinds of lanes(channels, () => CATALOG))
  startWorker({ store, deliver, kinds, log, ...(attemptMs && { attemptMs }) });
process.stdout.write("ready\n");
