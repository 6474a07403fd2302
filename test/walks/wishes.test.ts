/** Twelve wishes over each protocol. The calls and bytes they take stand in docs/agent-walks.md, which this run refreshes. */
import { afterAll, describe, test } from "bun:test";
import { TOOLS } from "../../src/constants.ts";
import { catalogWith, type TestApp, testApp } from "../helpers.ts";
import { type Agent, a2aAgent, mcpAgent, restAgent } from "./agents.ts";
import { WISHES } from "./wishes.ts";

/** A Monday morning. */
const NOW = Temporal.Instant.from("2026-11-23T14:00:00Z");
/** The owner's choice: agents may book and change bookings over MCP too. */
const CATALOG = catalogWith({ "mcp.tools": [...TOOLS] });
const PROTOCOLS: Record<string, (app: TestApp) => Promise<Agent>> = { REST: restAgent, MCP: mcpAgent, A2A: a2aAgent };

const walks = new Map<string, Agent>();

for (const [protocol, start] of Object.entries(PROTOCOLS)) {
  describe(protocol, () => {
    for (const { wish, grant } of WISHES) {
      test(wish, async () => {
        const agent = await start(testApp({ catalog: CATALOG, now: NOW }));
        await grant(agent);
        walks.set(`${protocol} ${wish}`, agent);
      });
    }
  });
}

afterAll(async () => {
  const rows = WISHES.map(({ wish }) => {
    const cells = Object.keys(PROTOCOLS).map((protocol) => {
      const walk = walks.get(`${protocol} ${wish}`);
      return walk ? `${walk.calls} · ${(walk.bytes / 1024).toFixed(1)} kB` : "failed";
    });
    return `| ${[wish, ...cells].join(" | ")} |`;
  });
  if (walks.size < WISHES.length * Object.keys(PROTOCOLS).length) return;
  await Bun.write(new URL("../../docs/agent-walks.md", import.meta.url), `${HEAD}${rows.join("\n")}\n`);
});

const HEAD = `# What agents need for twelve wishes

Each cell counts the calls and the bytes of their answers, the first look at the manifest, the tools or the list included.
The agent knows nothing but what the answers say: it takes the steps that they propose, with the user's own data. The run of
\`test/walks/wishes.test.ts\` writes this file.

| Wish | ${Object.keys(PROTOCOLS).join(" | ")} |
|---|${Object.keys(PROTOCOLS)
  .map(() => "---|")
  .join("")}
`;
