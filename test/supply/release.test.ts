/** What goes with a release, besides the executables: test/process/build.test.ts tries one of those. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import { licenceTexts, packagesOfTheProgram } from "./licences.ts";
import { materials, notesOf } from "./release.ts";

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
  expect(notesOf(readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8"), manifest.version)).not.toBe("");
});
