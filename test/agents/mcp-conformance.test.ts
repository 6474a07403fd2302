/** The protocol authors' conformance suite, both revisions, with a list of what a plain tools server cannot pass. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listen } from "./listen.ts";

const SUITE = new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url).pathname;

/** The server has no such feature, says so in its capabilities, and answers −32601. */
const NOT_OFFERED = `
  logging-set-level completion-complete resources-list resources-read-text resources-read-binary
  resources-templates-read resources-subscribe resources-unsubscribe prompts-list prompts-get-simple
  prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image
`
  .trim()
  .split(/\s+/);

/** The scenario calls a tool, such as test_image_content, that only the suite's own example server has. */
const NEEDS_THE_EXAMPLE_SERVER = `
  tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content
  tools-call-error tools-call-with-logging tools-call-with-progress tools-call-sampling tools-call-elicitation
  json-schema-2020-12 elicitation-sep1034-defaults elicitation-sep1330-enums http-custom-header-server-validation
  input-required-result-basic-elicitation input-required-result-basic-sampling input-required-result-basic-list-roots
  input-required-result-request-state input-required-result-multiple-input-requests input-required-result-multi-round
  input-required-result-non-tool-request input-required-result-result-type input-required-result-tampered-state
  input-required-result-capability-check
`
  .trim()
  .split(/\s+/);

/** Single checks of scenarios that otherwise pass. */
const EXCEPTED_CHECKS = [
  // Need test_missing_capability, test_streaming_elicitation and test_logging_tool of the example server.
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-server-no-log-without-loglevel",
  // Prompts and resources are not offered.
  "sep-2549-prompts-list-caching-hints",
  "sep-2549-resources-list-caching-hints",
  "sep-2549-resources-templates-list-caching-hints",
];

/** Scenarios that must pass, so that an empty run does not count as a good one. */
const PASSED = {
  "2025-11-25": ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"],
  "2026-07-28": `
    server-stateless tools-list dns-rebinding-protection caching http-header-validation server-sse-multiple-streams
    sep-2164-resource-not-found input-required-result-unsupported-methods input-required-result-validate-input
  `
    .trim()
    .split(/\s+/),
};

interface Check {
  id: string;
  status: string;
}

describe.each(["2025-11-25", "2026-07-28"] as const)("MCP conformance, revision %s", (revision) => {
  test("passes every scenario that applies to a server with tools only", async () => {
    await using api = listen({ edits: { "rate_limits.anonymous_per_minute": 10_000 } });
    const results = await runSuite(`${api.url}/mcp`, revision);
    const failed = [...results].flatMap(([scenario, checks]) =>
      checks.filter(({ status }) => status === "FAILURE").map(({ id }) => ({ scenario, id })),
    );
    const excepted = [...NOT_OFFERED, ...NEEDS_THE_EXAMPLE_SERVER];
    expect(failed.filter(({ scenario, id }) => !excepted.includes(scenario) && !EXCEPTED_CHECKS.includes(id))).toEqual(
      [],
    );
    // An exception that passes must leave the list.
    const needless = excepted.filter((one) => results.has(one) && !failed.some(({ scenario }) => scenario === one));
    expect(needless).toEqual([]);
    for (const scenario of PASSED[revision]) {
      expect({ scenario, passed: results.get(scenario)?.some(({ status }) => status === "SUCCESS") }).toEqual({
        scenario,
        passed: true,
      });
    }
  }, 60_000);
});

/** The checks of every scenario of a revision. */
async function runSuite(url: string, revision: string): Promise<Map<string, Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), "tintdesk-"));
  try {
    const { PATH = "" } = process.env;
    const args = ["server", "--url", url, "--suite", "all", "--spec-version", revision, "--output-dir", folder];
    const child = Bun.spawn([process.execPath, SUITE, ...args], {
      cwd: folder,
      env: { PATH },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      timeout: 50_000,
    });
    await child.exited;
    const results = new Map<string, Check[]>();
    for (const name of readdirSync(folder)) {
      const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T/.exec(name)?.[1];
      if (scenario) results.set(scenario, await Bun.file(join(folder, name, "checks.json")).json());
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
