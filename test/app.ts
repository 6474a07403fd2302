/** An app with the fixed clock and a real SQLite store. */
import { Database } from "bun:sqlite";
import { onTestFinished } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import { createApp } from "../src/app.ts";
import { derive, type Shop } from "../src/catalog/shop.ts";
import { parseNetworks } from "../src/lib/network.ts";
import { createRateLimiter, type Limiter, type Room } from "../src/limits/rate-limit.ts";
import type { Payments } from "../src/payments/stripe.ts";
import { databaseFile } from "../src/store/sqlite/database.ts";
import { newInMemory } from "../src/store/sqlite/migrate.ts";
import { openSqliteStore } from "../src/store/sqlite/sqlite.ts";
import type { Store } from "../src/store/store.ts";
import { API, NOW } from "./fixed-day.ts";
import { stockShop } from "./test-catalog.ts";

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
  let catalog = options.catalog ?? stockShop().shopWith();
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
    // An answer does not tell what broke; a test that meets it unawares has to.
    if (response.status === 500) console.error(`${method} ${path} is answered 500:`, Object(logs.at(-1)?.err).stack);
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
  using fresh = newInMemory();
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
