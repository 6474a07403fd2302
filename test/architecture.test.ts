/** Reads the imports and keeps the arrows between the parts running one way. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const ROOT = new URL("..", import.meta.url).pathname;

interface Import {
  /** Of the importing file, relative to the checkout. */
  file: string;
  /** The file imported, relative to the checkout, or the package. */
  target: string;
  typeOnly: boolean;
}

const FILES = ["src", "cli"].flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync({ cwd: ROOT })]);
const TEXTS = new Map(FILES.map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));
const IMPORTS = [...TEXTS].flatMap(([file, text]) => importsOf(file, text));

function importsOf(file: string, text: string): Import[] {
  const target = (name: string) => (name.startsWith(".") ? normalize(join(dirname(file), name)) : name);
  const statements = [...text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^;"']*?\sfrom\s+)?["']([^"']+)["']/gm)];
  const calls = [...text.matchAll(/\b(?:import|require)\(\s*["']([^"']+)["']\s*\)/g)];
  return [
    ...statements.map(([statement, type, name = ""]) => ({
      file,
      target: target(name),
      typeOnly: type !== undefined || /\{\s*type [^,}]+(,\s*type [^,}]+)*,?\s*\}/.test(statement),
    })),
    ...calls.map(([, name = ""]) => ({ file, target: target(name), typeOnly: false })),
  ];
}

const arrow = ({ file, target }: Import) => `${file} → ${target}`;
/** The imports of one part that a rule forbids. */
const offences = (part: string, isForbidden: (one: Import) => boolean) =>
  IMPORTS.filter((one) => one.file.startsWith(part) && isForbidden(one)).map(arrow);
const into = (...parts: string[]) => {
  return ({ target }: Import) => parts.some((part) => target.startsWith(part));
};
const importersOf = (isTarget: (target: string) => boolean) =>
  [...new Set(IMPORTS.filter(({ target }) => isTarget(target)).map(({ file }) => file))].sort();
const mentions = (pattern: RegExp) =>
  [...TEXTS].filter(([, text]) => pattern.test(withoutComments(text))).map(([file]) => file);
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");

test("the reader of imports sees them all", () => {
  const statements = [...TEXTS.values()].reduce((sum, text) => sum + [...text.matchAll(/^import[\s{]/gm)].length, 0);
  expect(IMPORTS.length).toBeGreaterThanOrEqual(statements);
  expect(IMPORTS.map(arrow)).toContain("cli/commands/serve.ts → src/main.ts");
  expect(IMPORTS.map(arrow)).toContain("src/app.ts → src/http/gateway.ts");
  const dangling = IMPORTS.filter(({ target }) => /^(src|cli)\/.*\.tsx?$/.test(target) && !TEXTS.has(target));
  expect(dangling.map(arrow)).toEqual([]);
});

describe("who knows what", () => {
  test("only src/http and src/app.ts know Elysia", () => {
    const importers = importersOf((target) => /^(@elysiajs\/|elysia(\/|$))/.test(target));
    expect(importers.filter((file) => !file.startsWith("src/http/") && file !== "src/app.ts")).toEqual([]);
    expect(importers.length).toBeGreaterThan(0);
  });

  test("only src/store knows SQLite", () => {
    const importers = importersOf((target) => target === "bun:sqlite");
    expect(importers.filter((file) => !file.startsWith("src/store/"))).toEqual([]);
    expect(importers.length).toBeGreaterThan(0);
  });

  test("only src/env.ts reads the environment", () => {
    expect(mentions(/\bprocess\s*\.\s*env\b|\bBun\s*\.\s*env\b|import\.meta\.env\b/)).toEqual([
      "src/env.ts",
      // It names a variable that it replaces.
      "cli/build.ts",
    ]);
  });

  test("only the command line reads its arguments", () => {
    expect(mentions(/\bprocess\.argv\b|\bBun\.argv\b/).filter((file) => file.startsWith("src/"))).toEqual([]);
  });

  test("handlers never see a Request, the store never sees HTTP", () => {
    const http = /\bnew (Request|Response|Headers)\b|: (Request|Response|Headers)\b|\bResponse\.json\b/;
    const inside = /^src\/(capabilities|store|domain|catalog)\/|^src\/(invoke|capability|errors|fields)\.ts$/;
    expect(mentions(http).filter((file) => inside.test(file))).toEqual([]);
  });
});

describe("which way the arrows run", () => {
  test("the domain imports the vocabulary, the types of the catalog, and itself", () => {
    const forbidden = offences(
      "src/domain/",
      ({ target, typeOnly }) =>
        !(target === "src/vocabulary.ts" || target.startsWith("src/domain/")) &&
        !(target.startsWith("src/catalog/") && typeOnly),
    );
    expect(forbidden).toEqual([]);
  });

  test("the domain does no input or output and is given the time", () => {
    const impure =
      /\b(fetch|setTimeout|setInterval|require)\(|\b(console|process|Bun)\.|Date\.now|new Date\(\)|Temporal\.Now|Math\.random|\basync\b/;
    expect(mentions(impure).filter((file) => file.startsWith("src/domain/"))).toEqual([]);
  });

  test("the vocabulary and the errors import nothing", () => {
    expect(offences("src/vocabulary.ts", () => true)).toEqual([]);
    expect(offences("src/errors.ts", () => true)).toEqual([]);
  });

  const LAYERS: Record<string, string[]> = {
    "src/catalog/": [
      "src/domain/",
      "src/store/",
      "src/jobs/",
      "src/capabilities/",
      "src/http/",
      "src/discovery/",
      "cli/",
    ],
    "src/store/": ["src/capabilities/", "src/http/", "src/discovery/", "src/jobs/", "cli/"],
    "src/jobs/": ["src/capabilities/", "src/http/", "src/discovery/", "cli/"],
    "src/capabilities/": ["src/http/", "src/discovery/", "src/store/sqlite.ts", "src/env.ts", "cli/"],
    "src/http/": ["src/discovery/", "src/store/sqlite.ts", "src/env.ts", "cli/"],
    "src/discovery/": ["src/http/", "src/store/", "src/env.ts", "cli/"],
    "cli/": ["src/http/", "src/discovery/"],
    "src/": ["cli/"],
  };
  for (const [part, forbidden] of Object.entries(LAYERS)) {
    test(`${part} imports nothing of ${forbidden.join(", ")}`, () => {
      expect(offences(part, into(...forbidden))).toEqual([]);
    });
  }

  test("only the compositions import the application", () => {
    expect(importersOf((target) => target === "src/app.ts")).toEqual(["src/main.ts"]);
  });

  test("no program imports a test or a benchmark", () => {
    expect(IMPORTS.filter(into("test/", "bench/", "bun:test")).map(arrow)).toEqual([]);
  });

  test("no file imports itself round a circle of values", () => {
    const edges = Map.groupBy(
      IMPORTS.filter(({ target, typeOnly }) => TEXTS.has(target) && !typeOnly),
      ({ file }) => file,
    );
    const circles: string[] = [];
    const done = new Set<string>();
    const walk = (file: string, trail: string[]) => {
      if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(" → "));
      if (done.has(file) || trail.includes(file)) return;
      for (const { target } of edges.get(file) ?? []) walk(target, [...trail, file]);
      done.add(file);
    };
    for (const file of FILES) walk(file, []);
    // The commands are loaded by the program when they are called, and throw its errors.
    expect(circles.filter((circle) => !circle.includes("cli/program.ts"))).toEqual([]);
  });
});

test("file names are kebab-case", () => {
  expect(FILES.filter((file) => !/^[a-z0-9-]+(\/[a-z0-9-]+)*(\.d)?\.tsx?$/.test(file))).toEqual([]);
});
