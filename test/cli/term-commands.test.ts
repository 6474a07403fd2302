/** `tint film`, `tint vehicle`, `tint addon`: words are added fully priced, and removed from every place. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { parse } from "yaml";
import { removeServices } from "../../src/catalog/edit/services.ts";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { testApp } from "../app.ts";
import { API, BOOKING, NOW } from "../fixed-day.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { openTerminal } from "../screens/tmux.ts";
import { CATALOG_TEXT } from "../small-shop.ts";
import { newBooking } from "../store/conformance-values.ts";
import { expectRefusals, inStore, tint, tintJson } from "./run.ts";

setDefaultTimeout(60_000);

const CARBON = ["film", "add", "carbon", "--like", "standard", "--name", "Carbon"];
const CABOVER = ["vehicle", "add", "cabover", "--like", "van"];
const BRIM = ["addon", "add", "brim", "--price", "60", "--minutes", "20"];

const parsed = (folder: ShopFolder) => parseCatalog(Buffer.from(folder.read()), "catalog.yaml");
const run = async (folder: ShopFolder, args: readonly string[]) => {
  const answer = await tint(folder, args);
  expect(answer).toMatchObject({ status: 0 });
  return answer;
};
/** The lines of the file that differ from the first. */
const changedLines = (text: string) => {
  const stock = new Set(CATALOG_TEXT.split("\n"));
  return text.split("\n").filter((line) => !stock.has(line));
};

/** The stored answer to a booking. */
async function confirmationOf(catalog: Shop, job: object): Promise<object> {
  const { json } = await testApp({ catalog }).post(`${API}/bookings`, { ...BOOKING, ...job });
  return json.data;
}

describe("adding", () => {
  test("a film has every price and length of the other one, and no other line changes", async () => {
    using folder = shopFolder();
    const { stdout, stderr } = await run(folder, CARBON);
    expect(stderr).toBe(`Saved ${folder.catalog}.\n`);
    expect(stdout).toContain("+ automotive.films.carbon: {name: Carbon, ir_rejection_pct: 55,");
    expect(stdout).toContain("+ automotive.vehicle_types.van.carbon: {full: 379, front2: 139}\n");
    expect(stdout).toContain("+ automotive.addons.sunroof.price.carbon: 79\n");
    const carbon = changedLines(folder.read()).map((line) => line.replace(/,? ?carbon: (\{.*?\}|\d+)/, ""));
    const stock = new Set(CATALOG_TEXT.split("\n"));
    expect(carbon.filter((line) => !stock.has(line))).toEqual([
      expect.stringMatching(/^ {4}carbon: *\{name: Carbon, /),
    ]);
    expect(folder.read()).toContain(
      "ceramic: {full: 499, front2: 219}, carbon: {full: 289, front2: 129}, film_removal",
    );
    const { data } = await tintJson(folder, "estimate suv --film carbon --addon sunroof");
    expect(data).toMatchObject({ film_type: "carbon", total: 428 });
  });

  test("the facts of a film are those given; a film that takes longer passes its minutes on", async () => {
    using folder = shopFolder();
    await run(folder, [
      ...["film", "add", "Nano-X", "--like", "ceramic", "--ir", "97", "--uv", "99.9", "--warranty", "10 years"],
      ...["--description", "The coolest film: it's new."],
    ]);
    const { automotive, scheduling } = parsed(folder);
    const figures = { name: "Nano x", ir_rejection_pct: 97, uv_rejection_pct: 99.9, warranty: "10 years" };
    expect(automotive.films.nano_x).toMatchObject({ ...figures, description: "The coolest film: it's new." });
    expect(automotive.films.nano_x?.reference).toBeUndefined();
    expect(scheduling.job_minutes.nano_x_extra).toBe(30);
  });

  test("a synonym that becomes a word of its own is no synonym any more", async () => {
    using folder = shopFolder();
    await run(folder, ["vehicle", "add", "minivan", "--like", "van"]);
    const { synonyms } = parsed(folder);
    expect(Object.keys(synonyms.vehicle_types)).not.toContain("minivan");
    await run(folder, ["vehicle", "remove", "minivan"]);
    expect(parsed(folder).automotive.vehicle_types).not.toHaveProperty("minivan");
  });

  test("a vehicle type has prices, minutes, a picture and a class of the law, in the columns of the others", async () => {
    using folder = shopFolder();
    await run(folder, CABOVER);
    expect(changedLines(folder.read())).toHaveLength(4);
    expect(folder.read()).toContain("\n    cabover:   {standard: {full: 379, front2: 139}, ");
    expect(parsed(folder)).toMatchObject({
      automotive: { drawings: { cabover: "box" } },
      scheduling: { job_minutes: { full: { cabover: 240 } } },
      tint_law: { vehicle_class: { cabover: "multipurpose" } },
    });
    await run(folder, ["vehicle", "add", "shooting-brake", "--like", "wagon"]);
    expect(parsed(folder).tint_law.confirm_class).toEqual(["crossover", "wagon", "shooting_brake"]);
  });

  test.each([
    [[], { standard: 6000, ceramic: 6000 }, { name: "Brim", applies_to: ["automotive"], position: null }],
    [
      ["--price", "standard=40,ceramic=$55.50", "--name", "Brim strip", "--position", "windshield-strip"],
      { standard: 4000, ceramic: 5550 },
      { name: "Brim strip", position: "windshield_strip" },
    ],
    [
      ["--applies-to", "automotive", "clearplex", "--suggest", "Less glare"],
      { standard: 6000, ceramic: 6000 },
      { applies_to: ["automotive", "clearplex"], suggest: "Less glare" },
    ],
  ])("an add-on with %j", async (more, price, facts) => {
    using folder = shopFolder();
    await run(folder, [...BRIM, ...more]);
    expect(changedLines(folder.read())).toHaveLength(1);
    expect(parsed(folder).automotive.addons.brim).toMatchObject({ minutes: 20, price, ...facts });
  });

  test("synonyms lead to a new word, and go with it, however many stand side by side", async () => {
    using folder = shopFolder();
    await run(folder, ["vehicle", "add", "camper", "--like", "van", "--synonym", "RV", "motor-home", "campervan"]);
    await run(folder, ["film", "add", "carbon", "--like", "standard", "--synonym", "cxp", "carbon_film"]);
    expect(parsed(folder).synonyms).toMatchObject({
      vehicle_types: { rv: "camper", motor_home: "camper", campervan: "camper", pickup: "truck" },
      films: { cxp: "carbon", carbon_film: "carbon" },
    });
    expect((await run(folder, ["estimate", "rv", "--film", "cxp"])).stdout).toContain("$379");
    await run(folder, ["film", "remove", "carbon"]);
    await run(folder, ["vehicle", "remove", "camper"]);
    expect(folder.read()).toBe(CATALOG_TEXT);
  });

  test("what was added is priced, listed, and a word of help and completion", async () => {
    using folder = shopFolder();
    for (const args of [CARBON, CABOVER, BRIM]) await run(folder, args);
    const { data } = await tintJson(folder, "estimate cabover --film carbon --addon brim");
    expect(data).toMatchObject({ total: 439, duration_minutes: 260, vehicle: { type: "cabover" } });
    for (const [args, word] of [
      [["price", "set", "--help"], "cabover"],
      [["film", "list"], "carbon"],
      [["vehicle"], "cabover"],
      [["addon"], "brim"],
      [["completion", "complete", "--", "price", "set", ""], "cabover"],
      [["completion", "complete", "--", "film", "remove", ""], "carbon"],
      [["completion", "complete", "--", "vehicle", "add", "x", "--like", ""], "cabover"],
      [["completion", "complete", "--", "estimate", "--addon", ""], "brim"],
    ] as const)
      expect((await run(folder, args)).stdout).toContain(word);
    const places = ["--catalog", folder.catalog];
    const elsewhere = await tint(folder, ["completion", "complete", "--", "film", "remove", ...places, ""], {
      env: { TINT_CATALOG: "nowhere.yaml" },
    });
    expect(elsewhere.stdout).toContain("carbon");
  });

  test.each([
    [["film", "add", "ceramic", "--like", "standard"], 1, "automotive.films.ceramic is there already."],
    [["film", "add", "9mil", "--like", "standard"], 2, "begin with a letter"],
    [["film", "add", "carbon", "--like", "standrd"], 2, "Did you mean standard?"],
    [["film", "add", "carbon", "--like", "standard", "--ir", "lots"], 2, "lots is not a number. Write --ir like 60."],
    [
      ["film", "set", "ceramic", "--ir", "a", "--uv", "b"],
      2,
      "Write --ir like 60.\nb is not a number. Write --uv like",
    ],
    [["film", "add", "carbon", "--like", "standard", "--ir", "101"], 1, "carbon.ir_rejection_pct must be 100 or less"],
    [["addon", "add", "brim", "--price", "standard=60", "--minutes", "20"], 2, "no amount for ceramic"],
    [["addon", "add", "brim", "--price", "tinted=60", "--minutes", "20"], 2, "tinted is not a film"],
    [[...BRIM, "--applies-to", "flying"], 2, "flying"],
  ])("tint %j is refused", async (args, status, reason) => {
    using folder = shopFolder();
    await expectRefusals(folder, [[args, status, reason]]);
    expect(folder.read()).toBe(CATALOG_TEXT);
  });

  test("--dry-run shows the difference and saves nothing; --json names every value", async () => {
    using folder = shopFolder();
    expect((await run(folder, [...CABOVER, "--dry-run"])).stdout).toContain(
      "+ tint_law.vehicle_class.cabover: multipurpose\n",
    );
    expect(folder.read()).toBe(CATALOG_TEXT);
    const { differences, ...rest } = await tintJson(folder, CABOVER);
    expect(rest).toMatchObject({ saved: true, changed: true });
    expect(differences).toContainEqual({ path: "scheduling.job_minutes.full.cabover", old: null, new: 240 });
  });

  test("a catalog in another layout keeps that layout", async () => {
    using folder = shopFolder();
    const block = CATALOG_TEXT.replace(
      /( {4})van: {7}\{standard: .*\n/,
      "$1van:   # the big ones\n      standard: {full: 379.00, front2: 139.50}\n      ceramic: &dear\n        full: 649   # with care\n        front2: 239\n      film_removal: {full: 250, front2: 80}\n      clearplex: 495\n",
    );
    folder.write(block);
    await run(folder, [...CARBON, "--yes"]);
    expect(changedLines(folder.read())).toContain("      carbon: {full: 379.00, front2: 139.50}");
    await run(folder, CABOVER);
    expect(parsed(folder).automotive.vehicle_types.cabover).toEqual(parsed(folder).automotive.vehicle_types.van);
    await run(folder, ["vehicle", "remove", "cabover"]);
    await run(folder, ["film", "remove", "carbon"]);
    expect(folder.read()).toBe(block);
  });
});

describe("removing", () => {
  test.each([
    [
      ["film", "remove", "standard"],
      [
        "automotive.defaults.film_type: tint catalog set automotive.defaults.film_type ceramic",
        "tint catalog set automotive.films.standard.reference false and then tint catalog set automotive.films.ceramic.reference true",
      ],
    ],
    [
      ["film", "remove", "ceramic"],
      ["automotive.example.film_type", "faq.2.answer: names a value of ceramic in braces: tint faq edit 3"],
    ],
    [["vehicle", "remove", "suv"], ["example.vehicle_type: tint catalog set automotive.example.vehicle_type sedan"]],
    [["addon", "remove", "sunroof"], ["faq.3.answer"]],
  ])("tint %j names every place that has to change first, at line:column", async (args, places) => {
    using folder = shopFolder();
    const { status, stdout, stderr } = await tint(folder, [...args, "--anyway"]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/ is still needed\. First:\n {2}\d+:\d+ /);
    for (const place of places) expect(stderr).toContain(place);
    expect(folder.read()).toBe(CATALOG_TEXT);
  });

  test("the advice leads to the end, and the texts that still speak of the word are named", async () => {
    using folder = shopFolder();
    for (let step = 0; step < 20; step++) {
      const { status, stderr } = await tint(folder, ["film", "remove", "standard"]);
      if (status === 0) {
        expect(stderr).toMatch(/Note: texts may still speak of standard, at\n {2}\d+:\d+ /);
        break;
      }
      const [, advice = ""] = stderr.split("\n");
      const [, commands = ""] = /: (?:[^:]*: )?(tint .*)$/.exec(advice) ?? [];
      const last = commands.includes(" or ") ? commands.split(" or ").slice(-1) : commands.split(" and then ");
      for (const command of last) await run(folder, command.trim().split(" ").slice(1));
    }
    const { automotive } = parsed(folder);
    expect(Object.keys(automotive.films)).toEqual(["ceramic"]);
    expect(automotive.vehicle_types.suv).not.toHaveProperty("standard");
    const last = await tint(folder, ["film", "remove", "ceramic"]);
    expect(last.stderr).toContain("ceramic is the only film. Add another one: tint film add NAME --like ceramic");
  });

  test("bookings to come are named, and --anyway removes the word all the same", async () => {
    using folder = shopFolder();
    for (const args of [CARBON, CABOVER, BRIM]) await run(folder, args);
    const at = NOW.epochMilliseconds + 72 * 3_600_000;
    const job = { vehicle_type: "cabover", film_type: "carbon", addons: ["brim"] };
    const answer = await confirmationOf(parsed(folder), job);
    const code = "7F3A1B0C";
    await inStore(folder, async (store) => {
      await store.book(newBooking({ confirmationCode: code, startAt: at, date: "2030-01-02", answer }), 2, []);
      await store.book(newBooking({ startAt: NOW.epochMilliseconds - 72 * 3_600_000, answer }), 2, []);
    });
    const words = ["addon remove brim", "vehicle remove cabover", "film remove carbon"];
    const says = /is in a booking to come:\n {2}7F3A1B0C, Wed Jan 2, 2030, 9:00 AM\n[\s\S]*--anyway/;
    await expectRefusals(
      folder,
      words.map((line) => [line, 1, says]),
    );
    for (const line of words) await run(folder, `${line} --anyway`.split(" "));
    expect(folder.read()).toBe(CATALOG_TEXT);
    const { stdout } = await run(folder, ["bookings", "show", "7F3A1B0C"]);
    expect(stdout).toContain("carbon");
  });
});

test("help, completion and refusals of a shop without work on buildings speak of no building", async () => {
  using folder = shopFolder();
  folder.write(removeServices(CATALOG_TEXT, ["residential", "commercial", "security", "clearplex", "film_removal"]));
  const complete = (...words: string[]) => ["completion", "complete", "--", ...words];
  for (const [args, without] of [
    [["estimate", "--help"], /flat|residential/],
    [["price", "set", "--help"], /clearplex|film_removal/],
    [["faq", "add", "--help"], /residential|security/],
    [complete("faq", "add", "--category", ""), /residential|security/],
    [complete("price", "set", "suv", ""), /clearplex|film_removal/],
    [complete("addon", "add", "brim", "--applies-to", ""), /clearplex|film_removal/],
  ] as const)
    expect((await run(folder, args)).stdout).not.toMatch(without);
  expect(await tint(folder, ["estimate", "flat", "--sqft", "100"])).toEqual({
    status: 1,
    stdout: "",
    stderr: "The catalog has no prices for work on buildings.\n",
  });
});

test("on a terminal the difference is shown, and nothing is saved without a yes", async () => {
  using folder = shopFolder();
  await using terminal = await openTerminal(folder, { columns: 100, rows: 30 });
  await terminal
    .run(`tint ${CABOVER.join(" ")}`)
    .see(/\+ tint_law\.vehicle_class\.cabover: multipurpose[\s\S]*Type y for yes:/);
  expect(folder.read()).toBe(CATALOG_TEXT);
  await terminal.run("n").see("Nothing was saved.");
  expect(folder.read()).toBe(CATALOG_TEXT);
  await terminal.run(`clear; tint ${CABOVER.join(" ")}`).see("Type y for yes:");
  await terminal.run("yes").see("Saved ");
  expect(parsed(folder).automotive.vehicle_types).toHaveProperty("cabover");
  // Not "Saved", which stands on the screen until it is cleared.
  await terminal.run(`clear; tint ${BRIM.join(" ")} --yes; echo status $?`).see("status 0");
  expect(parsed(folder).automotive.addons).toHaveProperty("brim");
});

describe("set, rename and move", () => {
  test("a renamed film has its prices, lengths and answers; the old word is understood, and no other line changes", async () => {
    using folder = shopFolder();
    const before = parsed(folder);
    const { stdout } = await run(folder, ["film", "rename", "ceramic", "nano"]);
    expect(stdout).toContain("nano");
    const { automotive, scheduling, synonyms, faq } = parsed(folder);
    expect(Object.keys(automotive.films)).toEqual(["standard", "nano"]);
    expect(automotive.films.nano).toEqual(before.automotive.films.ceramic);
    expect(automotive.vehicle_types.suv?.nano).toEqual(before.automotive.vehicle_types.suv?.ceramic);
    expect(automotive.addons.sunroof?.price.nano).toBe(before.automotive.addons.sunroof?.price.ceramic);
    expect(scheduling.job_minutes.nano_extra).toBe(before.scheduling.job_minutes.ceramic_extra);
    expect(synonyms.films).toMatchObject({ ceramic: "nano", premium: "nano" });
    expect(JSON.stringify(faq)).not.toContain(".ceramic.");
    expect((await tintJson(folder, "estimate suv --film ceramic")).data).toMatchObject({
      film_type: "nano",
      total: 599,
    });
    expect(await tint(folder, ["film", "rename", "nano", "standard"])).toMatchObject({ status: 1 });
    await run(folder, ["film", "rename", "nano", "ceramic"]);
    expect(parsed(folder).automotive).toEqual(before.automotive);
  });

  test("a renamed vehicle has its law, names, pictures and facts", async () => {
    using folder = shopFolder();
    const before = parsed(folder);
    await run(folder, ["vehicle", "rename", "suv", "offroader"]);
    const { automotive, scheduling, synonyms, tint_law } = parsed(folder);
    expect(Object.keys(automotive.vehicle_types).indexOf("offroader")).toBe(2);
    expect(automotive.vehicle_names.offroader).toBe("SUV");
    expect(automotive.vehicle_facts.offroader).toEqual(before.automotive.vehicle_facts.suv);
    expect(automotive.drawings.offroader).toBe("tall");
    expect(tint_law.vehicle_class.offroader).toBe(before.tint_law.vehicle_class.suv);
    expect(scheduling.job_minutes.full).toMatchObject({ offroader: 210 });
    expect(Object.entries(synonyms.vehicle_types).filter(([, to]) => to === "suv")).toEqual([]);
    expect(synonyms.vehicle_types.suv).toBe("offroader");
  });

  test("the old word of an add-on is understood, although none had another word before", async () => {
    using folder = shopFolder();
    await run(folder, ["addon", "rename", "sunroof", "roof"]);
    expect(parsed(folder).synonyms.addons).toEqual({ sunroof: "roof" });
  });

  test("the order changes, and nothing else", async () => {
    using folder = shopFolder();
    const before = parsed(folder);
    const { stdout } = await run(folder, ["film", "move", "ceramic", "--first"]);
    expect(stdout).toBe("standard, ceramic\n→ ceramic, standard\n");
    expect(Object.keys(parsed(folder).automotive.films)).toEqual(["ceramic", "standard"]);
    await run(folder, ["vehicle", "move", "sedan", "--after", "wagon"]);
    await run(folder, ["addon", "move", "sunroof", "--before", Object.keys(before.automotive.addons)[0] ?? ""]);
    const now = parsed(folder);
    // The owner's values; what is derived of them follows their order.
    expect(parse(folder.read())).toEqual(parse(CATALOG_TEXT));
    expect(Object.keys(now.automotive.vehicle_types).slice(0, 5)).toEqual(["coupe", "suv", "truck", "wagon", "sedan"]);
    expect(Object.keys(now.automotive.addons)[0]).toBe("sunroof");
    await run(folder, ["film", "move", "ceramic", "--last"]);
    await run(folder, ["vehicle", "move", "sedan", "--first"]);
    expect(Object.keys(parsed(folder).automotive)).toEqual(Object.keys(before.automotive));
    for (const wrong of [[], ["--first", "--last"], ["--after", "ceramic"]])
      expect((await tint(folder, ["film", "move", "ceramic", ...wrong])).status).toBe(2);
  });

  test("names and figures are set, old → new", async () => {
    using folder = shopFolder();
    const { stdout } = await run(folder, ["film", "set", "ceramic", "--name", "Ceramic Plus", "--ir", "95"]);
    expect(stdout).toMatch(/- .*Ceramic IR film[\s\S]*\+ .*Ceramic Plus/);
    await run(folder, ["vehicle", "set", "van", "--name", "Van or minibus", "--about", "Tall, with sliding doors."]);
    await run(folder, ["addon", "set", "sunroof", "--minutes", "25"]);
    const { automotive } = parsed(folder);
    expect(automotive.films.ceramic).toMatchObject({ name: "Ceramic Plus", ir_rejection_pct: 95 });
    expect(automotive.vehicle_names.van).toBe("Van or minibus");
    expect(automotive.vehicle_facts.van?.about).toBe("Tall, with sliding doors.");
    expect(automotive.addons.sunroof?.minutes).toBe(25);
    for (const wrong of ["film set ceramic", "addon set sunroof", "addon set sunroof ceramic"])
      expect((await tint(folder, wrong)).status).toBe(2);
  });
});
