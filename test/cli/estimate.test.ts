/** `tint estimate`: the same prices as the API, to the cent, without loading the server. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deskContext } from "../../cli/estimates/desk.ts";
import { atSite } from "../../src/catalog/at-site.ts";
import { testApp } from "../app.ts";
import { API, dateFromNow, NOW, withoutFreshIds } from "../fixed-day.ts";
import { shopFolder } from "../process/server.ts";
import { CATALOG } from "../small-shop.ts";
import { expectRefusals, tint } from "./run.ts";

setDefaultTimeout(20_000);

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;

const AUTO = "/estimates";
const FLAT = "/flat-glass/estimate";

test.each<[args: string, path: string, body: object, shows: string[]]>([
  [
    "truck --service film_removal --addon sunroof,nofault",
    AUTO,
    { vehicle_type: "truck", service: "film_removal", addons: ["sunroof", "nofault"] },
    ["$175.00", "Note:", "Assumed: coverage"],
  ],
  ["van --service=clearplex", AUTO, { vehicle_type: "van", service: "clearplex" }, ["$495.00"]],
  [
    "suv --addon windshield --coverage front2 --year 2024 --make Toyota --model Highlander",
    AUTO,
    {
      ...{ vehicle_type: "suv", addons: ["windshield"], coverage: "front2" },
      ...{ vehicle_year: 2024, vehicle_make: "Toyota", vehicle_model: "Highlander" },
    },
    ["2024 Toyota Highlander", "not permitted", "Georgia"],
  ],
  [
    "--addon sunroof --addon windshield-strip Suv --make flat --shade front_side=35,rear-side=5",
    AUTO,
    {
      ...{ vehicle_type: "suv", addons: ["sunroof", "windshield_strip"], vehicle_make: "flat" },
      shade: { front_side: "35", rear_side: "5" },
    },
    [],
  ],
  [
    "sedan --shade limo --windshield-shade 70% --film CERA --jurisdiction us-ca",
    AUTO,
    { vehicle_type: "sedan", shade: "limo", windshield_shade: "70%", film_type: "ceramic", jurisdiction: "US-CA" },
    ["Tint law of California"],
  ],
  [
    "flat --sqft 350.5 --site residential --concern privacy --floors 2 --blocked 2 --curtain 3 --existing 100",
    FLAT,
    {
      ...{ total_sqft: 350.5, site_type: "residential", primary_concern: "privacy", floors: 2 },
      ...{ blocked_windows: 2, curtain_windows: 3, existing_film_sqft: 100 },
    },
    ["Good", "Better", "Best", "$6,684.00–$6,884.00", "$7,034.50–$7,234.50", "$7,385.00–$7,585.00"],
  ],
  [
    "flat --window 36x60x8 --window 24x48.5 --site commercial --needs-ladder --goal uv_protection",
    FLAT,
    {
      windows: [
        { width_in: 36, height_in: 60, quantity: 8 },
        { width_in: 24, height_in: 48.5, quantity: 1 },
      ],
      ...{ site_type: "commercial", needs_ladder: true, film_goals: ["uv_protection"] },
    },
    ["128.08 sq ft", "8 of 36 x 60 in: 120 sq ft", "1 of 24 x 48.5 in: 8.08 sq ft"],
  ],
])("tint estimate %s: the API's answer, and in words", async (args, path, body, shows) => {
  using folder = shopFolder();
  const asJson = await tint(folder, ["estimate", ...args.split(" "), "--json"]);
  expect(asJson).toMatchObject({ status: 0, stderr: "" });
  // The shop's address is made up, so that links lead to the server of these settings.
  const catalog = atSite("http://127.0.0.1:3000")(CATALOG);
  const api = await testApp({ catalog, now: NOW }).post(API + path, body);
  expect(api.status).toBe(200);
  expect(timeless(withoutFreshIds(JSON.parse(asJson.stdout)))).toEqual(timeless(withoutFreshIds(api.json)));

  const plain = await tint(folder, ["estimate", ...args.split(" ")]);
  expect(plain).toMatchObject({ status: 0, stderr: "" });
  for (const text of shows) expect(plain.stdout).toContain(text);
  expect(plain.stdout).not.toMatch(/undefined|null|NaN|\[object/);
});

/** An answer without the parts that depend on the time of asking, and without the price lock, which only the API gives. */
function timeless(answer: Json): Json {
  const { valid_until: _, estimate_id: _id, book_url: _url, ...data } = answer.data;
  const nextActions = answer.next_actions.map((action: Json) => {
    const { date: _date, time: _time, estimate_id: _id, ...whole } = action.sample_request;
    const { book_url: _url, ...rest } = action;
    const url = action.url?.replace(/&estimate_id=[^&]*|&shade=%7B[^&]*/g, "");
    // In an address the price lock holds a shade for each glass.
    const { shade, ...bare } = whole;
    const sample = url && typeof shade === "object" ? bare : whole;
    return { ...rest, ...(url && { url }), sample_request: sample };
  });
  return { ...answer, data, next_actions: nextActions };
}

test("prices come from --catalog, wherever the flag stands", async () => {
  using folder = shopFolder({ "automotive.vehicle_types.suv.standard.full": 350.25 });
  const elsewhere = { env: { TINT_CATALOG: "nowhere.yaml" } };
  const catalog = ["--catalog", folder.catalog];
  // A car as it is said is its class.
  for (const car of [["suv"], ["21", "highlander"], ["21 highlander"], ["--vehicle", "21 highlander"]]) {
    const { stdout } = await tint(folder, ["estimate", ...catalog, ...car, "--json"], elsewhere);
    expect(JSON.parse(stdout).data).toMatchObject({ total: 350.25, vehicle: { type: "suv" } });
  }
  const { stdout } = await tint(folder, ["estimate", ...catalog, "21", "highlander"], elsewhere);
  expect(stdout).toStartWith("2021 Toyota Highlander (SUV)\n");
});

test.each([
  ["", ["--vehicle is missing", "suv"]],
  ["suv --film cermik", ["--film", "did you mean ceramic?"]],
  ["suv --fiml ceramic", ["--fiml", "Did you mean --film?"]],
  ["suv --addon sunruf", ["--addon", "sunroof"]],
  ["suv --film", ["--film", "It is one of standard or ceramic."]],
  ["suv --film gold --coverage half --year 0x7e8", ["--film", "--coverage", "--year"]],
  ["suv --jurisdiction Kalifornja", ["--jurisdiction", "did you mean US-CA?"]],
  ["suv --shade front_sid=35", ["--shade", "did you mean front_side?"]],
  ["2022 zorbo", ["2022 zorbo is no car that the catalog knows", 'tint estimate --vehicle suv --model "2022 zorbo"']],
  ["high", ["did you mean suv?", 'tint estimate --vehicle suv --model "high"']],
  ["highlander trailer", ["highlander trailer is no car that the catalog knows"]],
  ["flat", ["--sqft or --window is missing", "--site is missing"]],
  ["flat --window 36by60 --site commercial", ["--window", "36x60x8"]],
  ["flat --sqft -5 --site commercial", ["--sqft must be 0.01 or more"]],
  ["flat --sqft 200 --site comersial", ["--site", "did you mean commercial?"]],
])("wrong usage: tint estimate %s", async (args, says) => {
  using folder = shopFolder({ "synonyms.other_vehicles": ["highlander_trailer"] });
  await expectRefusals(
    folder,
    says.map((text) => [`estimate ${args}`.trim(), 2, text]),
  );
});

test("a large area may be written with its comma", async () => {
  using folder = shopFolder();
  const { stdout } = await tint(folder, ["estimate", "flat", "--sqft", "1,200", "--site", "commercial"]);
  expect(stdout).toStartWith("1200 sq ft");
});

test("a faulty catalog: exit 1, the line, and nothing on standard output", async () => {
  using folder = shopFolder({ "automotive.vehicle_types.suv.standard.full": 349.999 });
  const line = folder.read().split("349.999")[0]?.split("\n").length;
  await expectRefusals(folder, [
    ["estimate suv --json", 1, `${folder.catalog}:${line}:`],
    ["estimate suv", 1, "2 decimals"],
  ]);
});

/** The packages that a command loaded, and the `bun:` modules that the project's own files import. */
async function loadedBy(args: string[]) {
  using folder = shopFolder();
  const file = join(folder.path, "loaded.json");
  const { status } = await tint(folder, args, {
    env: { TINT_TEST_LOADED: file },
    preload: new URL("recorder.ts", import.meta.url).pathname,
  });
  expect(status).toBe(0);
  const files: string[] = JSON.parse(readFileSync(file, "utf8"));
  const packages = files.flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  const own = files.filter((path) => !path.includes("/node_modules/"));
  return {
    packages: new Set(packages),
    builtIns: new Set(
      own.flatMap((path) =>
        [...readFileSync(path, "utf8").matchAll(/^import (?!type\b)[^;]*? from "(bun:[a-z]+)"/gm)].map(
          (match) => match[1],
        ),
      ),
    ),
  };
}

test("a quote loads neither the server, nor the database, nor the screens, nor numbering plans", async () => {
  for (const args of [
    ["estimate", "suv", "--json"],
    ["estimate", "flat", "--sqft", "200", "--site", "commercial"],
  ]) {
    const { packages, builtIns } = await loadedBy(args);
    expect(packages).toContain("zod");
    for (const name of ["ink", "react", "elysia", "@elysiajs/swagger", "pino"]) expect(packages).not.toContain(name);
    // The numbering plans of the world's telephones.
    expect(packages).not.toContain("libphonenumber-js");
    expect(builtIns).not.toContain("bun:sqlite");
  }
  // Shows that the recorder sees a database when one is loaded.
  expect((await loadedBy(["outbox"])).builtIns).toContain("bun:sqlite");
});

test("a quote needs no database, and makes none", async () => {
  using folder = shopFolder();
  await tint(folder, ["estimate", "suv"]);
  expect([...new Bun.Glob("**/*").scanSync({ cwd: folder.path })]).toEqual(["catalog.yaml"]);
  expect(() => deskContext(CATALOG, NOW).store).toThrow("a quote needs no database");
  expect(() => deskContext(CATALOG, NOW).codeAttempts).toThrow("a quote names no booking");
});

test("an owner reads flags, not the fields of the API, and how a slip was understood", async () => {
  using folder = shopFolder();
  const said = async (...args: string[]) => {
    const { stdout, stderr } = await tint(folder, ["estimate", ...args]);
    return stdout + stderr;
  };
  expect(await said("flat", "--help")).not.toMatch(/total_sqft|primary_concern/);
  expect(await said("flat", "--sqft", "100", "--window", "36x60x8", "--site", "commercial")).toContain(
    "--window is 120 sq ft, but --sqft is 100 sq ft",
  );
  expect(await said("suv", "--jurisdiction", "XX")).toContain("--jurisdiction must be a state of the catalog");
  expect(await said("suv", "--jurisdiction", "CA", "--windshield-shade", "70")).toContain(
    "it is the add-on windshield",
  );
  const slip = 'Note: "caramic" is understood as ceramic.\n';
  expect(await said("suv", "--film", "caramic")).toEndWith(slip);
  for (const command of ["quote --vehicle suv", `book suv --name Robin --date ${dateFromNow(3)} --time 9am`])
    expect((await tint(folder, `${command} --film caramic`)).stderr).toContain(slip);
});
