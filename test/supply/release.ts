/**
 * `bun run release [folder] [target …]` writes what a release consists of into dist/release or the folder: an executable for
 * each target, their checksums, the list of packages in them (CycloneDX), the texts of
 * their licences, and the notes from CHANGELOG.md. The same commit, in a folder of the same path, gives
 * the same bytes: some packages have the path of their folder written into them.
 */
import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Contrib, Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import manifest from "../../package.json" with { type: "json" };
import { licenceTexts, packagesOfTheProgram } from "./licences.ts";

const ROOT = join(import.meta.dir, "../..");

/** Name of the executable by Bun's name of the target. */
const TARGETS: Readonly<Record<string, string>> = {
  "bun-linux-x64": "tint-linux-x64",
  "bun-linux-arm64": "tint-linux-arm64",
  "bun-darwin-x64": "tint-macos-x64",
  "bun-darwin-arm64": "tint-macos-arm64",
  "bun-windows-x64": "tint-windows-x64.exe",
};

/** The packages of the program as a CycloneDX document, without the time, so that the same program gives the same text. */
export function materials(): string {
  const factory = new Contrib.License.Factories.LicenseFactory(refuseOddExpression);
  const bom = new Models.Bom();
  bom.metadata.component = new Models.Component(Enums.ComponentType.Application, manifest.name, {
    version: manifest.version,
    bomRef: `pkg:npm/${manifest.name}@${manifest.version}`,
  });
  for (const { name, version, licence } of packagesOfTheProgram()) {
    const [scope, bare] = name.startsWith("@") ? name.split("/") : [undefined, name];
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    const component = new Models.Component(Enums.ComponentType.Library, bare ?? name, {
      version,
      bomRef: purl,
      purl,
      ...(scope && { group: scope }),
    });
    component.licenses.add(factory.makeFromString(licence));
    bom.components.add(component);
  }
  bom.components.add(bun());
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/** The runtime, which is part of each executable. */
function bun(): Models.Component {
  const component = new Models.Component(Enums.ComponentType.Framework, "bun", {
    version: Bun.version,
    bomRef: `pkg:npm/bun@${Bun.version}`,
    purl: `pkg:npm/bun@${Bun.version}`,
  });
  component.licenses.add(new Models.SpdxLicense("MIT"));
  return component;
}

/** @throws Error for what is no expression of licences, like `MIT OR Apache-2.0` */
function refuseOddExpression(text: string): void {
  if (!/^\(?[\w.+-]+( (OR|AND|WITH) [\w.+-]+)*\)?$/.test(text)) throw new Error(`${text} is no licence expression`);
}

/** The part of the changelog about a version; of what is unreleased when the version has none. */
export function notesOf(changelog: string, version: string): string {
  const parts = changelog.split(/^## /m).slice(1);
  const part =
    parts.find((one) => one.startsWith(`[${version}]`)) ?? parts.find((one) => one.startsWith("[Unreleased]"));
  if (!part) throw new Error(`CHANGELOG.md says nothing of ${version}`);
  return `${part.slice(part.indexOf("\n")).trim()}\n`;
}

/** So that the executable names no moment of its own; outside of Git it does. */
function momentOfCommit(): { SOURCE_DATE_EPOCH?: string } {
  const { exitCode, stdout } = Bun.spawnSync(["git", "log", "-1", "--format=%ct"], { cwd: ROOT, stderr: "ignore" });
  return exitCode === 0 ? { SOURCE_DATE_EPOCH: stdout.toString().trim() } : {};
}

async function sha256(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}

async function release(folder: string, targets: readonly string[]): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const names: string[] = [];
  for (const target of targets) {
    const name = TARGETS[target];
    if (name === undefined) throw new Error(`no target ${target}; there are ${Object.keys(TARGETS).join(", ")}`);
    const { exitCode } = Bun.spawnSync([process.execPath, "cli/build.ts", join(folder, name), target], {
      cwd: ROOT,
      env: { ...process.env, ...momentOfCommit() },
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (exitCode !== 0) throw new Error(`${target} could not be built`);
    names.push(name);
  }
  writeFileSync(join(folder, "tintdesk.cdx.json"), materials());
  writeFileSync(join(folder, "LICENCES.txt"), licenceTexts());
  names.push("tintdesk.cdx.json", "LICENCES.txt");
  const sums = await Promise.all(names.map(async (name) => `${await sha256(join(folder, name))}  ${name}\n`));
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  writeFileSync(join(folder, "NOTES.md"), notesOf(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"), manifest.version));
  process.stdout.write(`${folder}: ${[...names, "SHA256SUMS", "NOTES.md"].join(", ")}\n`);
}

if (import.meta.main) {
  const [folder = join(ROOT, "dist/release"), ...targets] = process.argv.slice(2);
  await release(folder, targets.length > 0 ? targets : Object.keys(TARGETS));
}
