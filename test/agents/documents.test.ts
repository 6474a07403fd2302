/** What documents are made from: the catalog alone, or also the time, an open start and the answers of the day. */
import { expect, test } from "bun:test";
import { AGENT_CARDS } from "../../src/agents/a2a-card.ts";
import { SERVER_CARDS } from "../../src/agents/mcp.ts";
import { createExamples } from "../../src/discovery/openapi/examples.ts";
import { documents, HOME } from "../../src/pages/documents.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { CATALOG, NOW } from "../helpers.ts";

const examplesAt = createExamples(() => openSqliteStore(":memory:"));
/** A section of the documentation, or an entry of the manifest, is made anew whenever the whole is. */
const wholes = documents(examplesAt).filter(({ path }) => !/\/(docs-md|capabilities)\//.test(path));
const ALL = [...wholes, ...AGENT_CARDS, ...SERVER_CARDS, HOME.manifest, HOME.text];

test.each(ALL.map((one) => [one.path, one.contentType, one] as const))(
  "%s (%s) says whether it depends on more than the catalog",
  async (_, __, { render, showsSamples = false, showsToday = false }) => {
    const bodyAt = async (days: number) => (await render(CATALOG, NOW.add({ hours: 24 * days }))).body;
    const [today, again, later] = [await bodyAt(0), await bodyAt(0), await bodyAt(7)];
    expect([again === today, later !== today]).toEqual([true, showsSamples || showsToday]);
  },
);

test("where the examples fail, the documents are there without them", async () => {
  const broken = documents(
    createExamples(() => ({
      ...openSqliteStore(":memory:"),
      book: async () => Promise.reject(new Error("disk full")),
    })),
  );
  const docs = broken.find(({ path }) => path.endsWith("/docs-md"));
  const body = (await docs?.render(CATALOG, NOW))?.body ?? "";
  expect(body).toContain("## Quick start");
  expect(body).not.toContain('"status": "confirmed"');
});
