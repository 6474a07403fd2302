/** Reads the imports and keeps the arrows between the parts running one way. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { CATALOG } from "./helpers.ts";

const ROOT = new URL("..", import.meta.url).pathname;

interface Import {
  /** Path of the importing file, relative to the checkout. */
  file: string;
  /** Path of the imported file, relative to the checkout, or the name of a package. */
  target: string;
  typeOnly: boolean;
  /** Loaded when the code around it runs. */
  isLate?: boolean;
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
    ...calls.map(([, name = ""]) => ({ file, target: target(name), typeOnly: false, isLate: true })),
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

/** All files that are loaded with this one. */
function loadedWith(start: string): string[] {
  const loaded = new Set([start]);
  for (const file of loaded)
    for (const one of IMPORTS)
      if (one.file === file && !one.typeOnly && !one.isLate && TEXTS.has(one.target)) loaded.add(one.target);
  return [...loaded];
}

test("the reader of imports sees them all", () => {
  const statements = [...TEXTS.values()].reduce((sum, text) => sum + [...text.matchAll(/^import[\s{]/gm)].length, 0);
  expect(IMPORTS.length).toBeGreaterThanOrEqual(statements);
  expect(IMPORTS.map(arrow)).toContain("cli/commands/serve.ts → src/programs/serve.ts");
  expect(IMPORTS.map(arrow)).toContain("src/app.ts → src/http/request.ts");
  const dangling = IMPORTS.filter(({ target }) => /^(src|cli)\/.*\.tsx?$/.test(target) && !TEXTS.has(target));
  expect(dangling.map(arrow)).toEqual([]);
});

describe("who knows what", () => {
  test("only src/http and src/app.ts know Elysia", () => {
    const importers = importersOf((target) => /^(@elysiajs\/|elysia(\/|$))/.test(target));
    expect(importers.filter((file) => !file.startsWith("src/http/") && file !== "src/app.ts")).toEqual([]);
    expect(importers.length).toBeGreaterThan(0);
  });

  test("only src/store/sqlite knows SQLite, only src/store/postgres knows PostgreSQL", () => {
    const sqlite = importersOf((target) => target === "bun:sqlite");
    expect(sqlite.filter((file) => !file.startsWith("src/store/sqlite/"))).toEqual([]);
    expect(sqlite.length).toBeGreaterThan(0);
    const postgres = mentions(/\bSQL\b[^\n]*from "bun"|\bBun\.(SQL|sql)\b/);
    expect(postgres.filter((file) => !file.startsWith("src/store/postgres/"))).toEqual([]);
    expect(postgres.length).toBeGreaterThan(0);
  });

  test("only src/limits/valkey knows Valkey and Redis", () => {
    const knowing = mentions(/\bRedisClient\b|\bBun\.redis\b|\{[^}]*\bredis\b[^}]*\} from "bun"/);
    expect(knowing.filter((file) => !file.startsWith("src/limits/valkey/"))).toEqual([]);
    expect(knowing.length).toBeGreaterThan(0);
  });

  test("only src/env/env.ts reads the environment", () => {
    expect(mentions(/\bprocess\s*\.\s*env\b|\bBun\s*\.\s*env\b|import\.meta\.env\b/)).toEqual([
      "src/env/env.ts",
      // The build script names the variable that it replaces by a constant.
      "cli/build.ts",
    ]);
  });

  test("only cli/shop/child.ts starts programs, with an environment of its own", () => {
    const starts =
      /\bspawn(Sync)?\b|\bexec(File)?(Sync)?\(|\bfork\(|\bchild_process\b|\bBun\s*\.\s*\$|\bnode:cluster\b/;
    const starting = [...TEXTS].filter(([, text]) => starts.test(withoutComments(text).replace(/\.exec\(/g, "")));
    expect(starting.map(([file]) => file)).toEqual(["cli/shop/child.ts"]);
    const calls = withoutComments(TEXTS.get("cli/shop/child.ts") ?? "").match(/spawn\w*\([^;]*;/g) ?? [];
    expect(calls).toEqual([expect.stringMatching(/\benv: \{ PATH \}/)]);
  });

  test("only the command line reads its arguments", () => {
    expect(mentions(/\bprocess\.argv\b|\bBun\.argv\b/).filter((file) => file.startsWith("src/"))).toEqual([]);
  });

  test("handlers never see a Request, the store never sees HTTP", () => {
    const http = /\bnew (Request|Response|Headers)\b|: (Request|Response|Headers)\b|\bResponse\.json\b/;
    const inside = /^src\/(capabilities|store|domain|catalog)\/|^src\/schema\/|^src\/errors\.ts$/;
    expect(mentions(http).filter((file) => inside.test(file))).toEqual([]);
  });
});

describe("which way the arrows run", () => {
  test("the domain imports the constants, plain values, the types of the catalog, what is derived from it, and itself", () => {
    const forbidden = offences(
      "src/domain/",
      ({ target, typeOnly }) =>
        !(
          target === "src/constants.ts" ||
          /^src\/lib\/(durations|money|text)\.ts$/.test(target) ||
          /^src\/catalog\/(per-catalog|price-list|shop|terms)\.ts$/.test(target) ||
          target.startsWith("src/domain/")
        ) && !(target.startsWith("src/catalog/") && typeOnly),
    );
    expect(forbidden).toEqual([]);
  });

  test("the domain does no input or output and is given the time", () => {
    const impure =
      /\b(fetch|setTimeout|setInterval|require)\(|\b(console|process|Bun)\.|Date\.now|new Date\(\)|Temporal\.Now|Math\.random|\basync\b/;
    expect(mentions(impure).filter((file) => file.startsWith("src/domain/"))).toEqual([]);
  });

  test("the constants and the errors import nothing", () => {
    expect(offences("src/constants.ts", () => true)).toEqual([]);
    expect(offences("src/errors.ts", () => true)).toEqual([]);
  });

  /** The rooms of src from the bottom up. A room may import the rooms listed before it. */
  const ROOMS = [
    ["src/constants.ts", "src/errors.ts", "src/lib/"],
    ["src/schema/"],
    ["src/catalog/"],
    ["src/domain/"],
    ["src/job/", "src/store/"],
    ["src/messages/", "src/payments/"],
    ["src/env/", "src/capabilities/"],
    ["src/limits/"],
    ["src/discovery/", "src/http/"],
    ["src/agents/", "src/pages/"],
    ["src/app.ts"],
    ["src/programs/"],
    ["cli/"],
  ];
  for (const [floor, parts] of ROOMS.entries()) {
    const above = ROOMS.slice(floor + 1).flat();
    for (const part of parts) {
      const beside = parts.filter((other) => other !== part && floor > 0);
      test(`${part} imports nothing of ${[...above, ...beside].join(", ")}`, () => {
        expect(offences(part, into(...above, ...beside))).toEqual([]);
      });
    }
  }

  test("every file of src is in a room", () => {
    const rooms = ROOMS.flat();
    expect(FILES.filter((file) => !rooms.some((room) => file.startsWith(room)))).toEqual([]);
  });

  test("the command line leaves http, discovery, pages and agents to the programs", () => {
    expect(offences("cli/", into("src/http/", "src/discovery/", "src/pages/", "src/agents/"))).toEqual([]);
  });

  test("only the programs and the command line open a database", () => {
    const opens = /^src\/store\/(location\/open|sqlite\/sqlite|postgres\/(postgres|catalogs))\.ts$/;
    const openers = importersOf((target) => opens.test(target));
    expect(openers.filter((file) => !/^(src\/programs|src\/store\/location|cli)\//.test(file))).toEqual([]);
    expect(openers).toContain("src/programs/serve.ts");
  });

  test("only the compositions import the application", () => {
    expect(importersOf((target) => target === "src/app.ts")).toEqual(["src/programs/serve.ts"]);
  });

  test("no program imports a test or a benchmark", () => {
    expect(IMPORTS.filter(into("test/", "bench/", "bun:test")).map(arrow)).toEqual([]);
  });

  test("a server starts without the code of pages and documentation", () => {
    const loaded = loadedWith("src/programs/serve.ts");
    expect(loaded).toContain("src/pages/book/pages.ts");
    const late = /^src\/pages\/(docs|markup|book\/(drawing|glass|manage|vehicle))\/|^src\/discovery\/openapi\/document/;
    expect(loaded.filter((file) => late.test(file))).toEqual([]);
  });

  test("the thread that writes starts without zod, which would take half of its memory", () => {
    const loaded = loadedWith("src/store/sqlite/writer-thread.ts");
    expect(loaded).toContain("src/store/queries/claims.ts");
    const users = IMPORTS.filter(({ target, typeOnly }) => target === "zod" && !typeOnly).map(({ file }) => file);
    expect(users.filter((file) => loaded.includes(file))).toEqual([]);
  });

  test("no circle of files", () => {
    expect(circlesOf(IMPORTS.filter(({ target }) => TEXTS.has(target)))).toEqual([]);
  });

  test("no circle of folders", () => {
    // A file directly in src or cli counts as a room.
    const roomOf = (file: string) => (/^(src|cli)$/.test(dirname(file)) ? file : dirname(file));
    const between = IMPORTS.filter(({ target }) => TEXTS.has(target))
      .map(({ file, target }) => ({ file: roomOf(file), target: roomOf(target) }))
      .filter(({ file, target }) => file !== target);
    expect(circlesOf(between)).toEqual([]);
  });
});

type Arrow = Pick<Import, "file" | "target">;

/** One trail for each circle of imports; types and lazy imports count like any other. */
function circlesOf(arrows: readonly Arrow[]): string[] {
  const targets = Map.groupBy(arrows, ({ file }) => file);
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (from: string, trail: readonly string[]) => {
    if (trail.includes(from)) circles.push([...trail.slice(trail.indexOf(from)), from].join(" → "));
    if (done.has(from) || trail.includes(from)) return;
    for (const target of new Set(targets.get(from)?.map((one) => one.target))) walk(target, [...trail, from]);
    done.add(from);
  };
  for (const from of targets.keys()) walk(from, []);
  return circles;
}

/** Functions of a file: every `function`, and arrow functions that are constants of the file. */
const FUNCTIONS =
  /^\s*(?:export )?(?:async )?function\s*\*?\s*(\w+)|^(?:export )?const (\w+)(?:: [^=\n]+)? = (?:async )?(?:<[^>\n]*>)?(?:\((?:[^()\n]|\([^()\n]*\))*\)|\w+)(?:: [^=\n]+?)? =>/gm;

describe("each function name is declared once", () => {
  /** What a page, a command or an engine does: the room says to what. */
  const VERBS: Record<string, readonly string[]> = {
    src: ["answer", "ask", "book", "read", "refuse", "run", "send", "show"],
    cli: ["Screen", "add", "ask", "configure", "edit", "list", "refuse", "remove", "reopen", "set", "show"],
  };
  /** The two engines have each function of the other, under its name. */
  const withoutEngine = (file: string) => file.replace(/^src\/store\/(sqlite|postgres)\/.*/, "engine");

  test.each(["src", "cli"])("in %s", (room) => {
    const files = new Map<string, string[]>();
    for (const [file, text] of TEXTS)
      if (file.startsWith(`${room}/`))
        for (const [, name, constant] of text.matchAll(FUNCTIONS)) {
          const key = name ?? constant ?? "";
          files.set(key, [...(files.get(key) ?? []), file]);
        }
    expect(files.size).toBeGreaterThan(500);
    const twice = [...files].filter(
      ([name, where]) =>
        where.length > 1 &&
        !VERBS[room]?.includes(name) &&
        !(where.length === 2 && new Set(where).size === 2 && new Set(where.map(withoutEngine)).size === 1),
    );
    expect(twice.map(([name, where]) => `${name}: ${where.join(", ")}`)).toEqual([]);
  });
});

test("file names are kebab-case", () => {
  expect(FILES.filter((file) => !/^[a-z0-9-]+(\/[a-z0-9-]+)*(\.d)?\.tsx?$/.test(file))).toEqual([]);
});

describe("the shop's own words", () => {
  /** Keys of the stock catalog. One of them alone may be a word of the language; a list of them belongs to the catalog. */
  const { automotive, services, flat_glass: flat } = CATALOG;
  const LISTS = [
    Object.keys(automotive.vehicle_types),
    Object.keys(automotive.films),
    Object.keys(automotive.coverages),
    Object.keys(automotive.addons),
    services.filter(({ estimate }) => estimate === "automotive").map(({ key }) => key),
    Object.keys(flat?.rates_per_sqft ?? {}),
    Object.keys(Object.values(flat?.rates_per_sqft ?? {})[0] ?? {}),
  ];
  /** Default coverages of a file that lists none; FAQ categories and concerns, which the specification fixes. */
  const FIXED = ["src/catalog/sections/automotive.ts", "src/constants.ts"];

  test("no file but the catalog lists them", () => {
    const listed = [...TEXTS].flatMap(([file, text]) => {
      const lists = withoutComments(text).match(/\[[^[\]]*\]|\{[^{}]*\}/g) ?? [];
      const isList = (list: string) =>
        LISTS.some((words) => words.filter((word) => new RegExp(`["'\\s,{[]${word}["'\\s:]`).test(list)).length > 1);
      return FIXED.includes(file) ? [] : lists.filter(isList).map((list) => `${file}: ${list}`);
    });
    expect(listed).toEqual([]);
  });

  test("no cast turns a text into one of them", () => {
    expect(mentions(/\bas (VehicleType|FilmType|Coverage|Addon|SiteType|Tier|AutomotiveService)\b/)).toEqual([]);
  });
});
