/** `tint init` and `tint completion`. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { QUESTIONS } from "../../cli/catalog/init-questions.ts";
import { lawQuestions } from "../../cli/catalog/new-catalog.ts";
import toConfirm from "../../cli/catalog/questions-to-confirm.json" with { type: "json" };
import { knownStates } from "../../cli/catalog/terms.ts";
import { createProgram } from "../../cli/program.ts";
import { fillReferences } from "../../src/capabilities/faq.ts";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { CATALOG, CATALOG_TEXT } from "../helpers.ts";
import { childEnv, PROGRAM_IN_SHELL, shopFolder } from "../process/server.ts";
import { openTerminal } from "../screens/tmux.ts";
import { newBooking } from "../store/conformance-values.ts";
import { issuesOfNewShop, newShops } from "./new-shops.ts";
import { tint } from "./run.ts";

setDefaultTimeout(60_000);

const FLAGS = {
  name: "Lakeside Tint: #1",
  phone: "512-555-0142",
  email: "hello@lakeside.example",
  street: "12 Main Street, Suite 3",
  city: "Austin",
  state: "texas",
  zip: "78701",
  timezone: "America/Chicago",
  hours: "mon-fri 9-18, sat 10:00-12:00, sat 13-15",
  "price-level": "110",
  bays: "3",
  "alerts-to": "(512) 555-0143",
};
const flagsOf = (flags: Record<string, string>) =>
  Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
const NEW = ["--catalog", "new.yaml"];

test("flags alone make a good catalog: notes stay, facts of the example shop go", async () => {
  using folder = shopFolder();
  const { status, stdout, stderr } = await tint(folder, ["init", ...NEW, ...flagsOf(FLAGS)]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  expect(stderr).toContain("\nUntil tint setup nobody in alerts.to hears of bookings: texts are off\n");
  expect(stderr).toContain("\n2 questions of the example shop left out; yours: tint faq add.\n");
  expect(stderr).toMatch(/\n {2}2\. .*: tint faq\n {2}3\. What is still missing, .*: tint doctor\n$/);
  // What these steps lead to, and JSON, name what is only counted here.
  expect((await tint(folder, ["faq", ...NEW])).stdout).toContain("Which area do you serve?");
  const found = (await tint(folder, ["doctor", ...NEW])).stdout;
  expect(found).toMatch(/ still examples: business\.url .*, site\.url .*, site\.base_url .*, business\.geo /);
  expect(found).toContain("nobody in alerts.to hears of bookings: texts are off\n");
  const json = await tint(folder, ["init", "--catalog", "json.yaml", ...flagsOf(FLAGS), "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    questions_to_read: expect.arrayContaining(["Which area do you serve?"]),
    questions_left_out: expect.arrayContaining(["Why can a 35 film fail in Georgia?"]),
  });
  const text = readFileSync(join(folder.path, "new.yaml"), "utf8");
  const { business, automotive, tint_law, faq, ...rest } = parseCatalog(Buffer.from(text), "new.yaml");
  expect(business).toMatchObject({
    name: FLAGS.name,
    phone: "+1-512-555-0142",
    address: { street: FLAGS.street, locality: "Austin", region: "TX", postal_code: "78701" },
    timezone: "America/Chicago",
    special_hours: [],
    credentials: [],
  });
  expect(business.hours.saturday).toEqual([
    { opens: "10:00", closes: "12:00" },
    { opens: "13:00", closes: "15:00" },
  ]);
  expect(tint_law.home).toBe("US-TX");
  expect(automotive.vehicle_types.suv).toMatchObject({ ceramic: { full: 65_900 } });
  // Amounts with cents stay so, and a note stays in its column where there is room.
  expect(text).toContain("ballpark_per_sqft: {low: 17.60, high: 19.80} ");
  expect(text).toContain('  name: "Lakeside Tint: #1"        # shown on every answer');
  // The claims of the example are not the new shop's.
  expect(rest).toMatchObject({
    site: { facts: [], reviews: null, photos: [] },
    bookings: { open_per_customer: 4 },
    rate_limits: { registrations_per_hour: 3 },
    messages: {
      sms_countries: ["US"],
      sms_per_hour: 30,
      sms_per_day: 150,
      digest_above_per_hour: 12,
    },
    alerts: { to: ["+15125550143"], bookings_per_hour: 20 },
    retention_days: null,
  });
  for (const key of ["open_per_customer", "retention_days", "sms_countries", "digest_above_per_hour", "alerts"])
    expect(text).toContain(`${key}:`);
  expect(rest.scheduling.bays).toBe(3);
  expect(text).not.toMatch(/404-?555|[Mm]arlow|Fictional|Marietta|Atlanta|Cobb|30060/);
  for (const { question, answer } of faq) expect(question + answer).not.toMatch(/Georgia|US-GA/);
  const notes = (yaml: string) => yaml.match(/#.*/g)?.length ?? 0;
  // A few notes belong to lines that only the example shop has.
  expect(notes(text)).toBeGreaterThan(notes(CATALOG_TEXT) - 5);

  const again = await tint(folder, ["init", ...NEW, ...flagsOf(FLAGS)]);
  expect(again).toMatchObject({ status: 1, stdout: "" });
  expect(again.stderr).toContain("never overwritten");
  expect(readFileSync(join(folder.path, "new.yaml"), "utf8")).toBe(text);
});

test("the new shop is asked for its own claims", async () => {
  using folder = shopFolder();
  const site = async (more: Record<string, string>, name: string) => {
    const made = await tint(folder, ["init", "--catalog", name, ...flagsOf({ ...FLAGS, ...more })]);
    return { ...made, site: parseCatalog(readFileSync(join(folder.path, name)), name).site };
  };
  const said = await site(
    { facts: "Lifetime warranty; Since 2009", reviews: "4.9, 212, Google, https://maps.google.com/?cid=1" },
    "said.yaml",
  );
  expect(said.site.facts).toEqual(["Lifetime warranty", "Since 2009"]);
  expect(said.site.reviews).toMatchObject({ rating: 4.9, count: 212, source: "Google" });
  const wrong = await tint(folder, ["init", "--catalog", "x.yaml", ...flagsOf({ ...FLAGS, reviews: "great" })]);
  expect(wrong.stderr).toContain("--reviews must be stars, how many, the site and its address");
});

describe("services that the shop does not sell", () => {
  const made = async (services: string) => {
    using folder = shopFolder();
    const { status, stderr } = await tint(folder, ["init", ...NEW, ...flagsOf({ ...FLAGS, services })]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining("is made for") });
    const text = readFileSync(join(folder.path, "new.yaml"), "utf8");
    return { text, catalog: parseCatalog(Buffer.from(text), "new.yaml") };
  };
  const keysOf = ({ services }: Shop) => services.map(({ key }) => key);

  test("without work on buildings nothing of it is left, and what is left is as it was", async () => {
    const { text, catalog } = await made("Automotive, film-removal, clearplex");
    expect(keysOf(catalog)).toEqual(["automotive", "film_removal", "clearplex"]);
    expect(catalog.flat_glass).toBeUndefined();
    expect(catalog.terms.faqCategories).toEqual(["automotive", "general"]);
    const answers = catalog.faq.map(({ question, answer }) => question + answer).join("\n");
    expect(answers).not.toMatch(/per square foot|building|house|security film|coating|flat_glass/i);
    expect(text).not.toMatch(/^ *# (residential|commercial|security)$/m);
    // Every line is a line of the catalog with all services, in the same order.
    const lines = (await made(keysOf(CATALOG).join())).text.split("\n");
    let at = 0;
    const isWhole = (line: string) => !/default_minutes|site_types:/.test(line);
    for (const line of text.split("\n").filter(isWhole)) {
      at = lines.indexOf(line, at) + 1;
      expect({ line, isThere: at > 0 }).toEqual({ line, isThere: true });
    }
  });

  test("with one kind of building, the section and the questions of that kind stay", async () => {
    const { catalog } = await made("automotive,residential");
    expect(Object.keys(catalog.flat_glass?.rates_per_sqft ?? {})).toEqual(["residential"]);
    expect(new Set(catalog.faq.map(({ category }) => category))).toEqual(
      new Set(["automotive", "residential", "general"]),
    );
    for (const row of Object.values(catalog.automotive.vehicle_types))
      expect(Object.keys(row)).toEqual(Object.keys(CATALOG.automotive.films));
    expect(catalog.scheduling.default_minutes).toEqual({ "1": 270, "2": 60 });
  });

  test.each([
    ["residential", "must include automotive: films are sold by it"],
    ["automotive,residental", "did you mean residential?"],
  ])("%s is refused", async (services, reason) => {
    using folder = shopFolder();
    const { status, stderr } = await tint(folder, ["init", ...NEW, ...flagsOf({ ...FLAGS, services })]);
    expect(status).toBe(2);
    expect(stderr).toContain(reason);
    expect(existsSync(join(folder.path, "new.yaml"))).toBe(false);
  });
});

test("an existing catalog is never overwritten, whatever the flags", async () => {
  using folder = shopFolder();
  const before = folder.read();
  const { status, stderr } = await tint(folder, ["init"]);
  expect(status).toBe(1);
  expect(stderr).toContain("never overwritten");
  expect(folder.read()).toBe(before);
});

test("without a terminal all missing flags are named, and all wrong answers", async () => {
  using folder = shopFolder();
  const missing = await tint(folder, ["init", ...NEW, "--name", "X", "--geo", "north"]);
  expect(missing).toMatchObject({ status: 2, stdout: "" });
  expect(missing.stderr).toMatch(/^--geo must be .*\nMissing: /);
  expect(missing.stderr).toContain(
    "--phone, --email, --street, --city, --state, --zip, --timezone, --hours, --price-level",
  );
  const wrong = await tint(folder, [
    "init",
    ...NEW,
    ...flagsOf({
      ...FLAGS,
      phone: "12",
      state: "Texs",
      timezone: "America/Chcago",
      hours: "whenever",
      "price-level": "5",
      zip: "ABC",
      geo: "north",
      website: "lakeside",
    }),
  ]);
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain("did you mean TX, Texas?");
  expect(wrong.stderr).toContain("did you mean America/Chicago?");
  for (const flag of ["phone", "state", "zip", "timezone", "hours", "price-level", "website", "geo"])
    expect(wrong.stderr).toContain(`--${flag} `);
  expect(existsSync(join(folder.path, "new.yaml"))).toBe(false);
});

test("without a terminal the zone of the state is used, and said", async () => {
  using folder = shopFolder();
  const { timezone: _, ...flags } = FLAGS;
  const { status, stderr } = await tint(folder, ["init", ...NEW, ...flagsOf(flags)]);
  expect([status, stderr.split("\n")[0]]).toEqual([
    0,
    "Note: the time zone is America/Chicago, the usual one of the state; --timezone names another.",
  ]);
  expect(readFileSync(join(folder.path, "new.yaml"), "utf8")).toContain("timezone: America/Chicago");
});

test("a time zone that the catalog refuses is named by its flag, and nothing is written", async () => {
  using folder = shopFolder();
  const { status, stderr } = await tint(folder, ["init", ...NEW, ...flagsOf({ ...FLAGS, timezone: "UTC" })]);
  expect(status).toBe(2);
  expect(stderr).toStartWith("--timezone must be the time zone of a place");
  expect(existsSync(join(folder.path, "new.yaml"))).toBe(false);
});

test("every state has a usual time zone that the catalog takes", () => {
  const question = QUESTIONS.find(({ key }) => key === "timezone");
  const zones = new Set([...knownStates().keys()].map((state) => question?.usual?.({ state })));
  for (const zone of zones) {
    expect(zone).toInclude("/");
    expect({ zone, issue: zone && question?.issue(zone) }).toEqual({ zone, issue: undefined });
  }
  expect(question?.usual?.({ state: "texas" })).toBe("America/Chicago");
});

test("on a terminal the zone of the state is offered; stopped halfway, the answers are handed back", async () => {
  using folder = shopFolder();
  await using terminal = await openTerminal(folder, { columns: 120, rows: 40 });
  const flags =
    "--name Lakeside --phone 512-555-0142 --email a@example.com --street 'O Street' --city Austin --zip 78701";
  await terminal.run(`TZ=UTC tint init --catalog new.yaml ${flags}`);
  // The flags have answered six of the 18.
  await terminal.see("1 of 12  State, for the address");
  await terminal.run("NY").see("2 of 12  Time zone");
  // ← goes back to the question before, which offers what was answered.
  await terminal.press("Left").see(/1 of 12 {2}State.*\[NY\]/);
  // Lines that are pasted answer the questions to come.
  await terminal.press("TX", "C-m", "UTC", "C-m").see("[America/Chicago]");
  await terminal.see("That must be the time zone of a place");
  await terminal.press("C-c").see("tint init goes on from here.");
  expect(existsSync(join(folder.path, "new.yaml"))).toBe(false);
  const kept = await Bun.file(join(folder.path, "new.yaml.answers.json")).json();
  expect(kept).toMatchObject({ street: "O Street", state: "TX" });
});

/** `bun run torture shops` tries hundreds. */
test("nothing of the example shop is left, whatever the answers", async () => {
  const shops = fc.asyncProperty(newShops, async (shop) => expect(await issuesOfNewShop(shop)).toEqual([]));
  await fc.assert(shops, { numRuns: 1 });
});

test("every state's law is told in true sentences", () => {
  for (const [key, law] of Object.entries(CATALOG.tint_law.jurisdictions)) {
    const told = lawQuestions(key, law).map(({ question, answer }) => ({
      question,
      answer: fillReferences(answer, CATALOG),
    }));
    for (const { question, answer } of told) {
      expect(question).toContain(law.name);
      expect(answer).toMatch(/^[A-Z][^{}]*\.$/);
    }
  }
  const answers = (key: string) => {
    const law = CATALOG.tint_law.jurisdictions[key];
    return law ? lawQuestions(key, law).map(({ answer }) => fillReferences(answer, CATALOG)) : [];
  };
  const together = "of light must pass through glass and film together.";
  expect(answers("US-TX").slice(0, 3)).toEqual([
    `At least 25% ${together}`,
    `Rear side windows: At least 25% ${together} Rear window: Any darkness is allowed.`,
    "Only a strip at the top is allowed, at most 5 inches or down to the AS-1 line marked on the glass.",
  ]);
  expect(answers("US-AL")[1]).toBe(
    `On a passenger car at least 32% ${together} On a multipurpose vehicle (the label on the door jamb says so) any darkness is allowed.`,
  );
  expect(answers("US-NJ").slice(0, 3)).toEqual([
    "Film is not allowed.",
    "Any darkness is allowed.",
    "Film is not allowed.",
  ]);
  expect(answers("US-AL")[3]).toBe("Yes. Ask the authority how to apply.");
});

test("the questions that an owner must confirm are the template's", () => {
  const questions = CATALOG.faq.map(({ question }) => question);
  for (const one of toConfirm) expect(questions).toContain(one);
  // Prices in an answer are places of the catalog, so that they follow the price level.
  for (const { answer } of CATALOG.faq) expect(answer).not.toMatch(/\$ ?\d|\d dollars/);
});

test("completion for bash, zsh and fish, of commands, flags and their words", async () => {
  using folder = shopFolder({ "scheduling.blocked_dates": ["2999-01-01"] });
  for (const shell of ["bash", "zsh", "fish"]) {
    const { status, stdout, stderr } = await tint(folder, ["completion", shell]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("tint completion complete --");
  }
  const complete = async (...words: string[]) => {
    const { stdout, stderr } = await tint(folder, ["completion", "complete", "--", ...words]);
    expect(stderr).toBe("");
    return stdout.split("\n").map((row) => row.split("\t")[0]);
  };
  expect(await complete("book")).toContain("bookings");
  expect(await complete("")).not.toContain("complete");
  expect(await complete("bookings", "")).toContain("no-show");
  expect(await complete("leads", "list", "--status", "")).toContain("quoted");
  expect(await complete("keys", "issue", "--")).toContain("--email");
  const CASES: [string[], string][] = [
    [["bookings", "--status", ""], "no_show"],
    [["leads", "--status", ""], "won"],
    [["estimate", "--vehicle", ""], "suv"],
    [["estimate", ""], "flat"],
    [["estimate", "suv", "--film", ""], "ceramic"],
    [["estimate", "suv", "--shade", ""], "limo"],
    [["estimate", "suv", "--jurisdiction", "US-C"], "US-CA"],
    [["estimate", "flat", "--site", ""], "residential"],
    [["price", "set", ""], "suv"],
    [["price", "set", "suv", ""], "film_removal"],
    [["price", "set", "suv", "ceramic", "f"], "front2"],
    [["addon", "set", ""], "sunroof"],
    [["hours", "set", "t"], "thursday"],
    [["faq", "add", "--category", ""], "security"],
    [["catalog", "set", "scheduling.b"], "scheduling.bays"],
    [["unblock", ""], "2999-01-01"],
    [["leads", "book", "Q-7F3A2B", "--vehicle", ""], "suv"],
    [["completion", "b"], "bash"],
  ];
  for (const [words, offered] of CASES)
    expect({ words, found: await complete(...words) }).toEqual({ words, found: expect.arrayContaining([offered]) });
  // There is no database yet, and completion does not make one.
  expect(await complete("bookings", "show", "")).toEqual([":4", ""]);
  expect(existsSync(folder.data)).toBe(false);
  const store = openSqliteStore(folder.data);
  await store.book(
    newBooking({ confirmationCode: "7F3A1B0C", date: "2999-01-01", lead: { reference: "B-7F3A1B" } }),
    1,
    [],
  );
  await store.close();
  expect(await complete("bookings", "show", "")).toContain("7F3A1B0C");
  expect(await complete("leads", "won", "B-")).toContain("B-7F3A1B");
  // Every command that takes a code or a reference, but for those that undo: nothing has ended.
  const program = await createProgram(() => true);
  for (const [group, offered] of [
    ["bookings", "7F3A1B0C"],
    ["leads", "B-7F3A1B"],
  ] as const) {
    const takers = program.commands
      .find((one) => one.name() === group)
      ?.commands.filter((one) => one.registeredArguments.some(({ required }) => required) || one.name() === "cancel");
    for (const name of takers?.map((one) => one.name()) ?? []) {
      const found = await complete(group, name, "");
      expect({ group, name, isOffered: found.includes(offered) }).toEqual({
        group,
        name,
        isOffered: name !== "reopen",
      });
    }
    expect(takers?.length).toBeGreaterThan(6);
  }
  await tint(folder, ["leads", "contacted", "B-7F3A1B"]);
  expect(await complete("leads", "reopen", "")).toContain("B-7F3A1B");
  // The words of the catalog and the database that the line names, not of the usual ones.
  const other = join(folder.path, "other");
  await openSqliteStore(other).close();
  expect(await complete("bookings", "show", "--data", other, "")).not.toContain("7F3A1B0C");
  expect(await complete("bookings", "show", "--data", folder.data, "")).toContain("7F3A1B0C");
  writeFileSync(`${other}.yaml`, CATALOG_TEXT.replace(/shade_words: {/, "shade_words: {pitch: 5, "));
  for (const catalog of [["--catalog", `${other}.yaml`], [`--catalog=${other}.yaml`]])
    expect(await complete("estimate", "suv", ...catalog, "--shade", "")).toContain("pitch");
  expect((await tint(folder, ["completion", "tcsh"])).status).toBe(2);
});

test("bash completes without the package bash-completion", async () => {
  using folder = shopFolder();
  const script = `tint() { ${PROGRAM_IN_SHELL} "$@"; }
    source <(tint completion bash)
    COMP_WORDS=(tint price set s); COMP_CWORD=3
    __tint_complete; echo "\${COMPREPLY[@]}"`;
  const child = Bun.spawn(["bash", "--norc", "--noprofile", "-c", script], {
    cwd: folder.path,
    env: childEnv(),
    stdout: "pipe",
    stderr: "pipe",
  });
  expect((await new Response(child.stdout).text()).trim()).toBe("sedan suv");
});

const TYPED = ["$(touch ran)", "`touch ran`", "--data=$(touch ran)", "a;touch ran;", "--x$(touch ran)="];

test("completion for bash runs nothing of what was typed", async () => {
  using folder = shopFolder();
  writeFileSync(join(folder.path, "script"), (await tint(folder, ["completion", "bash"])).stdout);
  // What the command answers is none of the words that were typed, so a stand-in does.
  const script = `tint() { echo asked >> answered; echo :4; }; source ./script; for one in "$@"; do
    COMP_WORDS=(tint find "$one" ""); COMP_CWORD=3; __tint_complete
    COMP_WORDS=(tint find "$one"); COMP_CWORD=2; __tint_complete; done; cat answered`;
  const child = Bun.spawn(["bash", "-f", "-c", script, "bash", ...TYPED], { cwd: folder.path, stderr: "pipe" });
  expect(await new Response(child.stdout).text()).toBe("asked\n".repeat(2 * TYPED.length));
  expect(readdirSync(folder.path)).not.toContain("ran");
});

test.if(Bun.which("zsh") !== null)("nor does that for zsh, which completes", async () => {
  using folder = shopFolder();
  // The builtins of zsh's editor are stood in for: they work in a widget alone.
  const zsh = `tint() { ${PROGRAM_IN_SHELL} "$@"; }
    compdef() {}; compset() {}; _describe() { print -r -- $found; }; source <(tint completion zsh)
    words=(tint price set s); CURRENT=4; _tint
    words=(tint find "$1" ""); CURRENT=4; _tint; print done; words=(tint find "$1"); CURRENT=3; _tint; print done`;
  for (const typed of TYPED) {
    const child = Bun.spawn(["zsh", "-f", "-c", zsh, "zsh", typed], { cwd: folder.path, env: childEnv() });
    expect(await new Response(child.stdout).text()).toMatch(/sedan.* suv[\s\S]*done/);
    expect(readdirSync(folder.path)).not.toContain("ran");
  }
});

test("bash can source its completion twice", async () => {
  using folder = shopFolder();
  const { stdout } = await tint(folder, ["completion", "bash"]);
  const file = join(folder.path, "tint.bash");
  writeFileSync(file, stdout);
  const bash = Bun.spawn(["bash", "-c", `source '${file}'; source '${file}'; complete -p tint`], { stderr: "pipe" });
  expect([await new Response(bash.stdout).text(), await new Response(bash.stderr).text()]).toEqual([
    "complete -F __tint_complete tint\n",
    "",
  ]);
});
