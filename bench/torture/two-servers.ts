/** Two servers on one PostgreSQL, for races and faults. */
import { createHash } from "node:crypto";
import { openPostgresCatalogs } from "../../src/store/postgres/catalogs.ts";
import { API, CATALOG } from "../../test/helpers.ts";
import {
  dateIn,
  NO_LIMITS,
  OPEN_DAILY,
  type ServerProcess,
  shopFolder,
  startServer,
} from "../../test/process/server.ts";

/** A server that is forgotten ends after this time. */
const LIFETIME_MS = 3_600_000;
export const TIMES = ["09:00", "14:00"];
export const { bays: BAYS } = CATALOG.scheduling;
export const PER_PHONE = 3;

export interface Answered {
  status: number;
  /** The body as it was sent. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  json: any;
  ms: number;
}

export interface TwoServers extends AsyncDisposable {
  servers: readonly ServerProcess[];
  /** Requests alternate between the servers. */
  post: (path: string, body: object) => Promise<Answered>;
  get: (path: string) => Promise<Answered>;
}

/** @param url of an empty database @param edits of the catalog, whose limits are out of reach */
export async function startTwoServers(url: string, edits: Record<string, unknown> = {}): Promise<TwoServers> {
  const folder = shopFolder({ ...OPEN_DAILY, ...NO_LIMITS, "scheduling.horizon_days": 365, ...edits });
  await importCatalog(url, folder.read());
  const options = { quiet: true, lifetimeMs: LIFETIME_MS, env: { TINT_DATA: url } };
  // Started together, as after an update of all machines.
  const servers = await Promise.all([startServer(folder, options), startServer(folder, options)]);
  let asked = 0;
  const next = () => servers[asked++ % servers.length] as ServerProcess;
  const answered = async (send: Promise<Response>): Promise<Answered> => {
    const from = performance.now();
    const response = await send;
    const text = await response.text();
    return {
      status: response.status,
      json: JSON.parse(text),
      text,
      ms: Math.round(performance.now() - from),
    };
  };
  return {
    servers,
    post: (path, body) => answered(next().post(path.startsWith("/") ? path : `${API}/${path}`, body)),
    get: (path) => answered(next().fetch(path.startsWith("/") ? path : `${API}/${path}`)),
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
      folder[Symbol.dispose]();
    },
  };
}

async function importCatalog(url: string, text: string): Promise<void> {
  const catalogs = await openPostgresCatalogs(url);
  const hash = createHash("sha256").update(text).digest("hex");
  await catalogs.add({ version: 1, text, hash, madeAt: Date.now(), madeBy: "torture", note: "" });
  await catalogs.close();
}

let phones = 3_000_000;
export const freshPhone = () => `+1404${phones++}`;

/** @param day from today */
export function wish(day: number, time = TIMES[0]) {
  return {
    date: dateIn(3 + day),
    time,
    customer_name: "Pat Example",
    customer_phone: freshPhone(),
    customer_email: "pat@example.com",
    vehicle_type: "suv",
  };
}

export const counted = (statuses: readonly number[]) =>
  Object.entries(Object.groupBy(statuses, String))
    .map(([status, all]) => `${all?.length} times ${status}`)
    .join(", ");
