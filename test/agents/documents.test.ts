/** What documents are made from: the catalog alone, or also the time, an open start and the answers of the day. */
import { expect, test } from "bun:test";
import { AGENT_CARDS } from "../../src/agents/agent-card.ts";
import { SERVER_CARDS } from "../../src/agents/server-card.ts";
import { createExamples } from "../../src/discovery/openapi/examples.ts";
import { documents, HOME } from "../../src/pages/documents.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { CATALOG, catalogWith, NOW } from "../helpers.ts";

const examplesAt = createExamples(() => openSqliteStore(":memory:"));
/** A section of the documentation alone is made anew whenever the whole is. */
const wholes = documents(examplesAt).filter(({ path }) => !path.includes("/docs-md/"));
const ALL = [...wholes, ...AGENT_CARDS, ...SERVER_CARDS, HOME.manifest, HOME.text];

test.each(ALL.map((one) => [one.path, one.contentType, one] as const))(
  "%s (%s) says whether it depends on more than the catalog",
  async (_, __, { render, showsSamples = false, showsToday = false }) => {
    const bodyAt = async (days: number) => (await render(CATALOG, NOW.add({ hours: 24 * days }))).body;
    const [today, again, later] = [await bodyAt(0), await bodyAt(0), await bodyAt(7)];
    expect([again === today, later !== today]).toEqual([true, showsSamples || showsToday]);
  },
);

test("examples stay the same for a day, with and without a start, and go with the catalog", async () => {
  const [morning, evening, tomorrow] = [0, 9, 24].map((hours) => NOW.add({ hours }));
  const [first, second] = ["09:00", "10:00"].map((time) => ({ date: "2026-11-24", time }));
  if (!morning || !evening || !tomorrow) throw new Error("no times");
  const plain = await examplesAt(CATALOG, morning);
  const withStart = await examplesAt(CATALOG, morning, first);
  expect(plain.success.get("book_appointment")).not.toEqual(withStart.success.get("book_appointment"));
  expect(await examplesAt(CATALOG, evening)).toBe(plain);
  expect(await examplesAt(CATALOG, evening, first)).toBe(withStart);
  expect(await examplesAt(CATALOG, evening, second)).not.toBe(withStart);
  expect(await examplesAt(CATALOG, tomorrow)).not.toBe(plain);
  expect(await examplesAt(catalogWith({ "business.name": "Other Film" }), evening)).not.toBe(plain);
});

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
