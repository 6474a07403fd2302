/** Answers a second and their slowest hundredth, against a bare `Bun.serve` that gets the same requests and answers as many bytes. */
import { API } from "../test/helpers.ts";
import { dateIn, NO_LIMITS, OPEN_DAILY, shopFolder } from "../test/process/server.ts";
import { startBare, startShop } from "./children.ts";
import { type Load, load, requestBytes, withHeader } from "./load.ts";
import type { Figure } from "./report.ts";

const ESTIMATE = {
  vehicle_type: "suv",
  film_type: "ceramic",
  coverage: "full",
  shade: 35,
  addons: ["windshield_strip"],
};

/** Unmeasured, for each case. */
const WARM_UP_SECONDS = 2;

/** The number of callers that take turns, so that each stays far below the highest limit that a catalog may set. */
const CALLERS = 2048;
const everyCaller = (make: (headers: Record<string, string>) => Uint8Array) =>
  Array.from({ length: CALLERS }, (_, i) => make({ "X-Forwarded-For": `198.18.${i >> 8}.${i & 255}` }));
const get = (path: string) => everyCaller((headers) => requestBytes("GET", path, { headers }));
const post = (path: string, body: unknown) =>
  everyCaller((headers) => requestBytes("POST", `${API}${path}`, { body, headers }));

interface Case {
  requests: Uint8Array[];
  /** Answers a second, as a share of the bare server's. */
  target: number;
}

const DOCUMENTS = {
  "GET /services": `${API}/services`,
  "GET /location": `${API}/location`,
  "GET /faq": `${API}/faq`,
  "GET /capabilities": `${API}/capabilities`,
  "GET /docs": `${API}/docs`,
  "GET /llms.txt": "/llms.txt",
  "GET /.well-known/openapi.json": "/.well-known/openapi.json",
};

const CASES: Record<string, Case> = {
  "POST /estimates": { requests: post("/estimates", ESTIMATE), target: 0.5 },
  ...Object.fromEntries(Object.entries(DOCUMENTS).map(([name, path]) => [name, { requests: get(path), target: 0.65 }])),
  "GET /availability, one day": { requests: get(`${API}/availability?date=${dateIn(3)}`), target: 0.35 },
  "GET /availability, 30 days": { requests: get(`${API}/availability?days=30`), target: 0.2 },
};

/** Refusals, against good estimates in the same round. */
const REFUSALS: Record<string, Uint8Array[]> = {
  "400": post("/estimates", { ...ESTIMATE, shade: "black" }),
  "404": get(`${API}/nothing-here`),
  "429": [requestBytes("POST", `${API}/estimates`, { body: ESTIMATE, headers: { "User-Agent": "GPTBot/1.0" } })],
};

/** @param rounds of all cases in turn, so that a slow moment of the machine falls on all alike */
export async function measureAnswers(rounds: number, seconds: number): Promise<Figure[]> {
  using folder = shopFolder({ ...OPEN_DAILY, ...NO_LIMITS, "rate_limits.agent_class_per_minute": 1 });
  await using server = await startShop(folder, { TINT_TRUSTED_PROXIES: "127.0.0.1/32" });
  // The one request that the class of agents may make.
  await server.fetch("/robots.txt", { headers: { "User-Agent": "GPTBot/1.0" } });
  await using bare = await startBare();
  const ratios = new Map<string, number[]>();
  const note = (name: string, value: number) => ratios.set(name, [...(ratios.get(name) ?? []), value]);

  // Code is compiled in steps while it runs: a server of a minute is measured, not one of a second.
  for (const { requests } of Object.values(CASES))
    await load({ port: server.port, requests, seconds: WARM_UP_SECONDS });
  await load({ port: bare.port, requests: [requestBytes("GET", "/")], seconds: WARM_UP_SECONDS });

  for (let round = 0; round < rounds; round++) {
    let estimates: Load | undefined;
    for (const [name, { requests }] of Object.entries(CASES)) {
      const ours = await load({ port: server.port, requests, seconds });
      requireStatus(name, ours, "200");
      const theirs = await load({ port: bare.port, requests: sized(requests, ours.bytes), seconds });
      note(name, ours.perSecond / theirs.perSecond);
      note(`${name}, p99`, ours.p99 / theirs.p99);
      if (name === "POST /estimates") estimates = ours;
    }
    for (const [status, requests] of Object.entries(REFUSALS)) {
      const refused = await load({ port: server.port, requests, seconds });
      requireStatus(status, refused, status);
      note(status, refused.perSecond / (estimates?.perSecond ?? Number.NaN));
    }
  }
  const samples = (name: string) => ratios.get(name) ?? [];
  return [
    ...Object.entries(CASES).map(
      ([name, { target }]): Figure => ({
        name: `${name} ÷ bare`,
        samples: samples(name),
        target,
        better: "more",
      }),
    ),
    { name: "p99 of POST /estimates ÷ bare", samples: samples("POST /estimates, p99"), target: 2.5, better: "less" },
    ...Object.keys(REFUSALS).map(
      (status): Figure => ({
        name: `${status}s ÷ good estimates`,
        samples: samples(status),
        target: 0.9,
        better: "more",
      }),
    ),
  ];
}

/** The very same requests, which also tell the bare server the size of its answer. */
function sized(requests: readonly Uint8Array[], bytes: number): Uint8Array[] {
  return requests.map((request) => withHeader(request, "X-Size", String(bytes)));
}

/** One answer in a thousand may differ: the class of agents over its limit is let through once a minute. */
function requireStatus(name: string, { statuses }: Load, wanted: string): void {
  const all = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  if (!all || (statuses[wanted] ?? 0) < all * 0.999)
    throw new Error(`${name} was answered ${JSON.stringify(statuses)}`);
}
