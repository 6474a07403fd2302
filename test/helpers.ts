/** What the tests share: an app with a fixed clock, a real SQLite store, and a catalog that can be edited. */
import { Database } from "bun:sqlite";
import { onTestFinished } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import { createApp } from "../src/app.ts";
import { checkValues } from "../src/catalog/checks/check-values.ts";
import { derive, type Shop } from "../src/catalog/shop.ts";
import { priceAt } from "../src/catalog/terms.ts";
import { deepFreeze } from "../src/lib/fields.ts";
import { parseNetworks } from "../src/lib/network.ts";
import { createRateLimiter, type Limiter, type Room } from "../src/limits/rate-limit.ts";
import type { Payments } from "../src/payments/stripe.ts";
import { databaseFile } from "../src/store/sqlite/database.ts";
import { makeOwn, newDatabase } from "../src/store/sqlite/migrate.ts";
import { openSqliteStore } from "../src/store/sqlite/sqlite.ts";
import type { Store } from "../src/store/store.ts";

export const CATALOG_FILE = new URL("../catalog.yaml", import.meta.url).pathname;

/** Saturday, 10:00 in the shop's time zone; the shop is open until 15:00. */
export const NOW = Temporal.Instant.from("2026-11-21T15:00:00Z");

/** A date at the shop, by the fixed clock of the tests. @param days from the day of NOW */
export function dateFromNow(days: number): string {
  return NOW.toZonedDateTimeISO("America/New_York").toPlainDate().add({ days }).toString();
}

/** A catalog as tests change it: its text, and the shop made of it, with values set at dotted paths: `{"scheduling.bays": 1}`. */
export function testCatalog(file: string) {
  const text = readFileSync(file, "utf8");
  // Bun's own reader takes a fiftieth of the time of the program's, which keeps positions; test/catalog/load.test.ts compares the two.
  const values: unknown = Bun.YAML.parse(text);
  const made = new Map<string, Shop>();
  return {
    text,
    /** With edits, comments are lost. */
    textWith: (edits: Record<string, unknown> = {}): string =>
      Object.keys(edits).length === 0 ? text : Bun.YAML.stringify(withEdits(values, edits), null, 2),
    /** The same edits give the same frozen object, so that what is derived from a catalog is made once. The last ones are kept. */
    shopWith: (edits: Record<string, unknown> = {}): Shop => {
      // JSON leaves out what is undefined, which here takes a key away.
      const key = JSON.stringify(edits, (_, value) => (value === undefined ? "\0" : value));
      const shop = made.get(key) ?? catalogOf(withEdits(values, edits));
      made.delete(key);
      made.set(key, shop);
      for (const oldest of [...made.keys()].slice(0, -MOST_KEPT)) made.delete(oldest);
      return shop;
    },
  };
}

const MOST_KEPT = 30;

function withEdits(original: unknown, edits: Record<string, unknown>): unknown {
  const values = structuredClone(original);
  for (const [path, value] of Object.entries(edits)) {
    const keys = path.split(".");
    const last = keys.pop() ?? "";
    // Missing maps on the way are made.
    const holder = keys.reduce<Record<string, unknown>>(
      (map, key) => {
        map[key] ??= {};
        return map[key] as Record<string, unknown>;
      },
      values as Record<string, unknown>,
    );
    holder[last] = value;
  }
  return values;
}

/** @throws Error with all faults; for their lines and columns, load a text */
export function catalogOf(values: unknown): Shop {
  const checked = checkValues(values);
  if ("catalog" in checked) return derive(deepFreeze(checked.catalog));
  throw new Error(checked.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("\n"));
}

/** The example shop, from which `tint init` makes new ones. Commands and screens have a smaller one, `small-shop.ts`. */
export const { text: CATALOG_TEXT, textWith: catalogText, shopWith: catalogWith } = testCatalog(CATALOG_FILE);
export const CATALOG = catalogWith();
/** The words of the stock catalog. */
export const WORDS = CATALOG.terms;

/** The prices of a vehicle type by coverage, for a film or service with such prices. */
export function pricesOf(catalog: Shop, vehicle: string, column: string): Record<string, number> {
  const price = priceAt(catalog, vehicle, column);
  if (typeof price === "number") throw new Error(`${column} has one price`);
  return price;
}

export interface TestApp {
  /** Sends a request; `from` is the address of the peer. A body that is no string is sent as JSON. */
  send: (method: string, path: string, options?: SendOptions) => Promise<Answer>;
  get: (path: string, options?: SendOptions) => Promise<Answer>;
  post: (path: string, body: unknown, options?: SendOptions) => Promise<Answer>;
  store: Store;
  /** Moves the shop's clock and the rate limiter's. */
  advance: (duration: Temporal.DurationLike) => void;
  setCatalog: (catalog: Shop) => void;
  now: () => Temporal.Instant;
  /** Log lines so far, parsed. */
  logs: Record<string, unknown>[];
}

export interface SendOptions {
  headers?: Record<string, string>;
  body?: unknown;
  from?: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  text: string;
  /** The body as JSON; only for answers that have one. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any;
}

interface AppOptions {
  catalog?: Shop;
  store?: Store;
  now?: Temporal.Instant;
  trusted?: string[];
  /** By default one of the app's own, on the shop's clock. */
  limiter?: Limiter;
  /** By default one whose lines are in `logs`. */
  log?: Logger;
  /** Compare every answer with its schema; by default it is. */
  checkAnswers?: boolean;
  /** With pictures that the catalog names. */
  folder?: string;
  /** Takes deposits. */
  payments?: Payments;
  /** Told of every answer. */
  observe?: Parameters<typeof createApp>[0]["observe"];
}

/** A limiter's memory for so many callers; all others share one count. */
export function roomFor(pools: number): Room {
  return { pools, requests: 100 * pools };
}

/** A limiter's memory for more callers than a test has. */
const ROOMY: Room = { pools: 20_000, requests: 40_000 };

/** An app of its own, with an empty in-memory store unless one is given. Paths are relative to the site, `/api/v1/…`. */
export function testApp(options: AppOptions = {}): TestApp {
  let now = options.now ?? NOW;
  let catalog = options.catalog ?? CATALOG;
  const logs: Record<string, unknown>[] = [];
  const store = options.store ?? openSqliteStore(":memory:");
  const peers = new WeakMap<Request, string>();
  const app = createApp({
    catalog: {
      get current() {
        return { catalog, hash: "0".repeat(64) };
      },
    },
    store,
    peerOf: (request) => peers.get(request),
    log: options.log ?? pino({}, { write: (line: string) => logs.push(JSON.parse(line)) }),
    trusted: parseNetworks(options.trusted ?? []),
    now: () => now,
    checkAnswers: options.checkAnswers ?? true,
    scratch: () => openSqliteStore(":memory:"),
    observe: options.observe,
    payments: options.payments,
    folder: options.folder,
    limiter: options.limiter ?? createRateLimiter(() => now.epochMilliseconds, ROOMY),
  });

  const send: TestApp["send"] = async (method, path, { headers = {}, body, from = "192.0.2.1" } = {}) => {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const request = new Request(`http://localhost${path}`, {
      method,
      headers,
      ...(text !== undefined && { body: text }),
    });
    peers.set(request, from);
    const response = await app.handle(request);
    const bytes = await response.bytes();
    // The log line is written after the answer.
    await new Promise(setImmediate);
    const received = new TextDecoder().decode(bytes);
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      text: received,
      json: isPlainJson(response.headers) && received ? JSON.parse(received) : undefined,
    };
  };
  return {
    send,
    get: (path, options) => send("GET", path, options),
    post: (path, body, options) => send("POST", path, { ...options, body }),
    store,
    advance: (duration) => {
      now = now.add(duration);
    },
    setCatalog: (next) => {
      // A copy with other values decides other things.
      catalog = Object.isFrozen(next) ? next : derive(next);
    },
    now: () => now,
    logs,
  };
}

/**
 * One app for requests that leave nothing behind, each from another caller: to make an app takes longer than some dozen requests.
 */
export function manyCallers(options: AppOptions = {}): TestApp {
  return fromManyCallers(testApp(options));
}

/** The same app, each request of which comes from another caller. */
export function fromManyCallers<App extends TestApp>(app: App): App {
  let callers = 0;
  const send: TestApp["send"] = (method, path, own) =>
    app.send(method, path, { from: `203.${callers >> 12}.${(callers >> 6) & 63}.${callers++ & 63}`, ...own });
  return {
    ...app,
    send,
    get: (path, own) => send("GET", path, own),
    post: (path, body, own) => send("POST", path, { ...own, body }),
  };
}

function isPlainJson(headers: Headers): boolean {
  return headers.get("content-type")?.includes("json") === true && !headers.has("content-encoding");
}

export const API = "/api/v1";

/**
 * The jobs that the steps of `follow_up` make of a booking: those to a customer go to who asked for a quote, and a reminder is
 * told to the shop, too.
 */
export const BOOKING_JOBS = CATALOG.follow_up.flatMap(({ do: step }) => {
  if (/_customer$/.test(step)) return [];
  return step === "remind_owner" ? [step, "remind_owner_notice"] : [step];
});

/** An edit of the catalog: one reminder by each way, a day before. */
export const A_DAY_BEFORE = {
  "messages.reminders": [
    { hours_before: 24, by: "sms" },
    { hours_before: 24, by: "email" },
  ],
};

/** A booking that succeeds at NOW: Tuesday morning, an SUV in ceramic film (240 minutes). */
export const BOOKING = {
  date: "2026-11-24",
  time: "09:00",
  customer_name: "Pat Example",
  customer_phone: "+1-404-555-0111",
  customer_email: "pat@example.com",
  vehicle_type: "suv",
  film_type: "ceramic",
};

/** The last warning of every dry run of a booking, the same to everybody. */
export const AT_BOOKING = {
  code: "QUOTA_AT_BOOKING",
  message: "The limits of the customer's phone and e-mail are known only when it is booked.",
} as const;

/** As `BOOKING`, at another time, for a customer who has no booking yet. */
export function bookingOn(date: string, time = BOOKING.time) {
  return { ...BOOKING, date, time, customer_phone: freshPhone() };
}

export const QUOTE = {
  first_name: "Pat",
  phone: "(404) 555-0112",
  email: "pat@example.com",
  service_type: "commercial",
};

/**
 * A sample as an agent sends it for Pat, who agreed: in Pat's own name, and not as a dry run.
 * @param fillIn the fields that the sample leaves to the caller
 */
export function inOwnName(sample: object, fillIn: readonly string[] = []): Record<string, unknown> {
  const { dry_run: _, ...request } = sample as Record<string, unknown>;
  const own = { ...BOOKING, ...QUOTE, name: "Pat Example", last_name: "Example" } as Record<string, unknown>;
  const person = "customer_name customer_phone customer_email first_name last_name phone email name".split(" ");
  return {
    ...Object.fromEntries(
      Object.entries(request).map(([field, value]) => [field, person.includes(field) ? own[field] : value]),
    ),
    ...Object.fromEntries(fillIn.map((field) => [field, field === "accept_not_legal" ? true : own[field]])),
  };
}

/**
 * A sample with what it asks for put in, by path: `vehicle_type`, `addons[1]`, `windows[0].width_in`.
 * @param answers by path, or by the last name in it
 */
export function filledIn(
  sample: object,
  fillIn: readonly string[] = [],
  answers: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const filled: Record<string, unknown> = structuredClone({ ...sample });
  for (const path of fillIn) {
    const steps = path.match(/[^.[\]]+/g) ?? [];
    const last = steps.pop() ?? "";
    let inside = filled;
    for (const step of steps) inside = inside[step] as typeof inside;
    inside[last] = answers[path] ?? answers[last];
  }
  return filled;
}

/** An answer without the ids that differ from one answer to the next. */
export function withoutFreshIds<T>(answer: T): T {
  return JSON.parse(JSON.stringify(answer).replace(/try_\w{16}/g, "try_"));
}

/** A phone number that no other call has been given. */
export function freshPhone(): string {
  phones += 1;
  return `+1404555${String(phones).padStart(4, "0")}`;
}
let phones = 1000;

export interface FileApp extends TestApp {
  /** A connection of its own to the store's file, to look at what was written and to change it behind the API. */
  db: Database;
  /** How many leads, bookings, jobs and keys are stored. */
  counts: () => { leads: number; bookings: number; jobs: number; keys: number };
}

/** An app whose store is a file in a temporary folder, until the test ends. @param wrap stands between the app and its store */
export function fileApp(options: Omit<AppOptions, "store"> = {}, wrap?: (store: Store) => Store): FileApp {
  const { close, ...app } = openFileApp(options, wrap);
  onTestFinished(close);
  return app;
}

/** A `fileApp` that several tests look at and none changes, until it is closed. */
export function openFileApp(options: Omit<AppOptions, "store"> = {}, wrap = (store: Store) => store) {
  const folder = mkdtempSync(join(tmpdir(), "tintdesk-"));
  // To make the tables anew for each test takes most of its time.
  using fresh = Database.deserialize(newDatabase(), { strict: true });
  makeOwn(fresh);
  writeFileSync(databaseFile(folder), fresh.serialize(), { mode: 0o600 });
  const app = testApp({ ...options, store: wrap(openSqliteStore(folder)) });
  const db = new Database(databaseFile(folder));
  const close = async () => {
    db.close();
    await app.store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const count = (table: string) => db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? -1;
  const counts = () => ({
    leads: count("leads"),
    bookings: count("bookings"),
    jobs: count("jobs"),
    keys: count("api_keys"),
  });
  return { ...app, db, counts, close } satisfies FileApp & { close: () => Promise<void> };
}

/** Registers a key and returns it. */
export async function registerKey(app: TestApp, email: string, from = "198.51.100.200"): Promise<string> {
  const { json } = await app.post(`${API}/register`, { name: "Tester", email }, { from });
  return json.data.api_key;
}
