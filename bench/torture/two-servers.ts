/** Two servers on one database, for races and faults. */
import { dateIn, type ServerProcess, shopFolder } from "../../test/process/server.ts";
import { importCatalog, startShop } from "../children.ts";
import { OPEN_SHOP } from "../requests.ts";

export const TIMES = ["09:00", "14:00"];

export interface Answered {
  status: number;
  /** The body as it was sent. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  json: any;
  ms: number;
}

export interface TwoServers extends AsyncDisposable {
  /** Requests alternate between the servers. */
  post: (path: string, body: object) => Promise<Answered>;
  get: (path: string) => Promise<Answered>;
  /** URL of the SQLite file that the servers use without a PostgreSQL. */
  file: string;
}

/** @param url of an empty PostgreSQL database; SQLite without it @param edits of a catalog whose limits are out of reach */
export async function startTwoServers(url: string | null, edits: Record<string, unknown> = {}): Promise<TwoServers> {
  const folder = shopFolder({ ...OPEN_SHOP, ...edits });
  // The address of a made-up shop would be that of each server, and so their answers would differ.
  const site = { TINT_SITE_URL: "https://lakeside.test" };
  const env: Record<string, string> = url === null ? site : { ...site, TINT_DATA: url };
  if (url !== null) await importCatalog(folder, url);
  // Started together, as after an update of all machines, so that they race for the making of the database as well.
  const servers = await Promise.all([startShop(folder, env), startShop(folder, env)]);
  let asked = 0;
  const answered = async (ask: (server: ServerProcess) => Promise<Response>): Promise<Answered> => {
    const from = performance.now();
    const response = await ask(servers[asked++ % servers.length] as ServerProcess);
    const text = await response.text();
    return { status: response.status, json: JSON.parse(text), text, ms: Math.round(performance.now() - from) };
  };
  return {
    post: (path, body) => answered((server) => server.post(path, body)),
    get: (path) => answered((server) => server.fetch(path)),
    file: `sqlite://${folder.database}`,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
      folder[Symbol.dispose]();
    },
  };
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
