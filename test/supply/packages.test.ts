/** What comes in with `bun install`: exact versions, no scripts, no telemetry, licences that allow the use, and what goes with a release. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { LIST, licenceOf, licencesPage, licenceTexts, packagesOfTheProgram } from "./licences.ts";
import { materials, notesOf } from "./release.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const LOCK = readFileSync(join(ROOT, "bun.lock"), "utf8");
const INSTALLED = [...new Bun.Glob("node_modules/**/package.json").scanSync({ cwd: ROOT, dot: true })].filter((file) =>
  /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(file),
);

/** Licences that ask for no more than their text to be kept. */
const PERMISSIVE = "MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 Unlicense".split(" ");
/** Tools of development are not handed on, so that these are fine as well. */
const FOR_TOOLS = ["MPL-2.0", "Python-2.0", "CC0-1.0", "CC-BY-4.0"];
const isAmong = (allowed: readonly string[], licence: string) =>
  licence
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((one) => allowed.includes(one));

test("every version is exact", () => {
  const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(versions.filter(([, version]) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  // The lock file names every package of these with its checksum.
  const packages = LOCK.slice(LOCK.indexOf('"packages": {')).match(/^ {4}"[^"]+": \[.*$/gm) ?? [];
  expect(packages.length).toBeGreaterThan(300);
  expect(packages.filter((line) => !/"sha512-[\w+/=]+"\],$|@file:test\/packages\/empty"/.test(line))).toEqual([]);
});

test("no script of a package runs when it is installed", () => {
  expect(manifest.trustedDependencies).toEqual([]);
  expect(LOCK).not.toMatch(/"trustedDependencies": \[\s*"/);
  // None has one today. One that comes in is to be looked at before its name stands here.
  expect([...LOCK.matchAll(/^ {4}"([^"]+)":.*"hasInstallScript": true/gm)].map(([, name]) => name)).toEqual([]);
});

test("telemetry is left out: an empty package stands in for it", () => {
  const scarf = INSTALLED.filter((file) => file.includes("@scarf/"));
  expect(scarf.length).toBeGreaterThan(0);
  for (const file of scarf) expect(JSON.parse(readFileSync(join(ROOT, file), "utf8")).name).toBe("empty");
  expect(existsSync(join(ROOT, "node_modules/@scarf/scarf/report.js"))).toBe(false);
  expect(LOCK).not.toContain("@scarf/scarf@");
});

test("licences: permissive in the program, open in the tools", () => {
  const program = packagesOfTheProgram();
  expect(program.length).toBeGreaterThan(40);
  expect(program.filter(({ licence }) => !isAmong(PERMISSIVE, licence))).toEqual([]);
  const tools = INSTALLED.map((file) => JSON.parse(readFileSync(join(ROOT, file), "utf8")))
    .filter(({ name, version }) => name && version)
    .map((one) => ({ name: one.name, licence: licenceOf(one) }));
  expect(tools.filter(({ licence }) => !isAmong([...PERMISSIVE, ...FOR_TOOLS], licence))).toEqual([]);
});

test("docs/LICENCES.md is current; otherwise run `bun run licences`", () => {
  expect(readFileSync(LIST, "utf8")).toBe(licencesPage());
});

// What goes with a release, besides the executables.

test("the list of materials names every package with its version and licence, and is the same each time", () => {
  const text = materials();
  expect(materials()).toBe(text);
  const { bomFormat, specVersion, metadata, components } = JSON.parse(text);
  expect({ bomFormat, specVersion, name: metadata.component.name }).toEqual({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    name: manifest.name,
  });
  expect(components).toHaveLength(packagesOfTheProgram().length + 1);
  expect(components).toContainEqual(expect.objectContaining({ name: "bun", version: Bun.version }));
  for (const { purl, licenses } of components) {
    expect(purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/);
    expect(licenses.length).toBeGreaterThan(0);
  }
});

test("the texts of the licences name every package, and hold the words that its licence asks for", () => {
  const text = licenceTexts();
  for (const { name, version } of packagesOfTheProgram()) expect(text).toContain(`${name} ${version}: `);
  expect(text).toContain(`Bun ${Bun.version}: MIT`);
  expect(text.match(/Permission is hereby granted/g)?.length).toBeGreaterThan(50);
});

test("the notes are the changelog's part about the version", () => {
  const changelog =
    "# Changelog\n\n## [Unreleased]\n\nnext\n\n## [1.2.0] - 2026-01-01\n\n### Added\n\n- a\n\n## [1.1.0]\n\nold\n";
  expect(notesOf(changelog, "1.2.0")).toBe("### Added\n\n- a\n");
  expect(notesOf(changelog, "9.0.0")).toBe("next\n");
  expect(() => notesOf("# Changelog\n", "1.0.0")).toThrow("says nothing of 1.0.0");
  expect(notesOf(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"), manifest.version)).not.toBe("");
});
