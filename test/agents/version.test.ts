/** One version, that of `package.json`, wherever a client looks for it. */
import { expect, test } from "bun:test";
import { version } from "../../package.json" with { type: "json" };
import { API, manyCallers } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();

const IN_JSON: [path: string, versionIn: (json: Record<string, Record<string, unknown>>) => unknown][] = [
  [`${API}/capabilities`, ({ data }) => data?.version],
  [`${API}/openapi.json`, ({ info }) => info?.version],
  ["/.well-known/agents.json", ({ info }) => info?.version],
  ["/.well-known/agent-card.json", (card) => card.version],
];

test.each(IN_JSON)("%s", async (path, versionIn) => {
  const { json } = await APP.get(path);
  expect(versionIn(json)).toBe(version);
});

test.each([
  [`${API}/docs`, `version ${version}`],
  [`${API}/docs-md`, `version ${version}`],
])("%s", async (path, words) => {
  const { text } = await APP.get(path);
  expect(text).toContain(words);
});
