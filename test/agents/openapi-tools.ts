/** Tools of third parties that read the OpenAPI document. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder with the document in it, removed at the end of the block. */
export function workplace(document: object, files: Record<string, string> = {}) {
  const path = mkdtempSync(join(tmpdir(), "tintdesk-openapi-"));
  for (const [name, text] of Object.entries({ "openapi.json": JSON.stringify(document), ...files })) {
    writeFileSync(join(path, name), text);
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** @param script of the tool's package; it runs under Bun, so that no other runtime is needed */
export function run(script: string, args: string[], cwd: string) {
  const options = { cwd, env: { PATH: process.env.PATH ?? "", HOME: cwd, REDOCLY_TELEMETRY: "off", NO_COLOR: "1" } };
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "--bun", script, ...args], options);
  return { exitCode, output: `${stdout}${stderr}` };
}
