/** The owner's colours, logo and frames: what the catalog accepts, and what it says about the rest. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { CatalogError } from "../../src/catalog/load/document.ts";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import { SURFACES } from "../../src/catalog/sections/site.ts";
import { CATALOG, CATALOG_TEXT } from "../helpers.ts";

const STYLE = readFileSync(new URL("../../src/pages/markup/base.css", import.meta.url), "utf8");

test("colours are judged on the backgrounds that the pages have", () => {
  const { light, dark } = SURFACES;
  expect(STYLE).toContain(`--sunken: light-dark(${light.sunken}, ${dark.sunken});`);
  expect(STYLE).toContain(`--on-accent: light-dark(${light.onAccent}, ${dark.onAccent});`);
});

const THEME = 'theme: {light: "#0b5f6f", dark: "#6fd0dd"}';
const FRAMES = "embed_origins: []";

const FAULTS: [from: string, to: string, at: string, said: string][] = [
  [
    THEME,
    'theme: {light: "#6fd0dd"}',
    '"#6fd0dd"',
    "site.theme.light is hard to read on the light page: its contrast is 1.5 and must be 4.5",
  ],
  [
    THEME,
    'theme: {dark: "#0b5f6f"}',
    '"#0b5f6f"',
    "site.theme.dark is hard to read on the dark page: its contrast is 2.1",
  ],
  [THEME, "theme: {light: teal}", "teal", "site.theme.light must be a color with six digits, like #0b5f6f"],
  [FRAMES, "embed_origins: [http://www.example.com]", "http://www", "must begin with https://"],
  [FRAMES, "embed_origins: [https://www.example.com/book]", "https://www.example.com/book", "without a path"],
  [FRAMES, 'embed_origins: ["*"]', '"*"', "without a path"],
  [FRAMES, "logo: http://www.example.com/logo.svg", "http://www", "site.logo must begin with https://"],
  ["drawings: {coupe: coupe,", "drawings: {tank: tall,", "tank", "automotive.drawings.tank must be a vehicle type"],
  [
    "vehicle_names: {suv: SUV}",
    "vehicle_names: {suf: SUV}",
    "suf",
    "automotive.vehicle_names.suf must be a vehicle type",
  ],
];
test.each(FAULTS)("%s becomes %s", (from, to, at, said) => {
  const text = CATALOG_TEXT.replace(from, () => to);
  const before = text.slice(0, text.indexOf(at, text.indexOf(to))).split("\n");
  const [issue = ""] = issuesOf(text);
  expect(issue).toStartWith(`catalog.yaml:${before.length}:${(before.at(-1)?.length ?? 0) + 1}: `);
  expect(issue).toContain(said);
});

test.each([
  [FRAMES, "embed_origins: [https://www.example.com, http://localhost:8080, http://127.0.0.1:3000]"],
  [THEME, 'theme: {light: "#004080", dark: "#ffd166"}'],
])("%s becomes %s, which is fine", (from, to) => {
  expect(issuesOf(CATALOG_TEXT.replace(from, () => to))).toEqual([]);
});

test("a catalog from before these pages has the usual colours and words, and no frames", () => {
  const text = CATALOG_TEXT.replace(/ {2}# The pages that people see[\s\S]*?(?=\n\n)/, "");
  expect(text).not.toContain("embed_origins");
  const { site } = parseCatalog(Buffer.from(text), "catalog.yaml");
  // What speaks for a shop is never made up.
  expect(site).toEqual({ ...CATALOG.site, facts: [] });
});

function issuesOf(text: string): readonly string[] {
  try {
    parseCatalog(Buffer.from(text), "catalog.yaml");
    return [];
  } catch (error) {
    if (error instanceof CatalogError) return error.issues;
    throw error;
  }
}
