/**
 * Twenty-four wishes over each protocol. The calls and bytes they take are in bench/agent-walks.md, which is written anew
 * when WRITE_WALKS is set.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../app.ts";
import { API } from "../fixed-day.ts";
import { type Agent, a2aAgent, mcpAgent, restAgent } from "./agents.ts";
import { BOOKED_WISHES, USER, WISHES } from "./wishes.ts";

/** A Monday morning. */
const NOW = Temporal.Instant.from("2026-11-23T14:00:00Z");
const PROTOCOLS: Record<string, (app: TestApp) => Promise<Agent>> = { REST: restAgent, MCP: mcpAgent, A2A: a2aAgent };

/** What an answer may take of an agent's context, in all. */
const MOST_KB: Record<string, number> = { REST: 26, MCP: 20, A2A: 25 };

/** The user's booking of some days ago. */
const BOOKED = {
  ...USER,
  date: "2026-11-27",
  time: "10:00",
  vehicle_type: "suv",
  film_type: "standard",
  coverage: "full",
};

const ALL = [...WISHES, ...BOOKED_WISHES];

const walks = new Map<string, Agent>();

for (const [protocol, start] of Object.entries(PROTOCOLS)) {
  describe(protocol, () => {
    for (const { wish, grant } of ALL) {
      test(wish, async () => {
        const app = testApp({ now: NOW.subtract({ hours: 72 }) });
        const booked = await app.post(`${API}/bookings`, BOOKED);
        app.advance({ hours: 72 });
        const agent = await start(app);
        await grant(agent, { confirmation_code: booked.json.data.confirmation_code, phone: USER.customer_phone });
        walks.set(`${protocol} ${wish}`, agent);
        const { calls, bytes } = agent;
        expect(calls).toBeLessThanOrEqual(6);
        expect(bytes).toBeLessThanOrEqual((MOST_KB[protocol] ?? 0) * 1024);
      });
    }
  });
}

afterAll(async () => {
  if (!process.env.WRITE_WALKS) return;
  const rows = ALL.map(({ wish }) => {
    const cells = Object.keys(PROTOCOLS).map((protocol) => {
      const walk = walks.get(`${protocol} ${wish}`);
      return walk ? `${walk.calls}; ${(walk.bytes / 1024).toFixed(1)}` : "failed";
    });
    return `| ${[wish, ...cells].join(" | ")} |`;
  });
  if (walks.size < ALL.length * Object.keys(PROTOCOLS).length) return;
  await Bun.write(new URL("../../bench/agent-walks.md", import.meta.url), `${HEAD}${rows.join("\n")}\n`);
});

const HEAD = `# What agents need for twenty-four wishes

Calls, and kB of their answers: over REST and A2A with the first look at the manifest or the list, over MCP after the list of tools.
The agent knows nothing but what the answers say: it takes the steps that they propose, with the user's own data.
\`WRITE_WALKS=1 bun test test/walks/wishes.test.ts\` writes this file.

| Wish | ${Object.keys(PROTOCOLS).join(" | ")} |
|---|${Object.keys(PROTOCOLS)
  .map(() => "---|")
  .join("")}
`;
