/** The `tint` command: help, exit statuses, the use of both output streams, and completion. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram } from "../../cli/program.ts";
import { flatGlassOf } from "../../src/domain/flat-glass.ts";
import { VERSION } from "../../src/lib/version.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { testApp } from "../app.ts";
import { API, BOOKING, BOOKING_JOBS, CATALOG_TEXT } from "../helpers.ts";
import { childEnv, PROGRAM, PROGRAM_IN_SHELL, shopFolder } from "../process/server.ts";
import { CATALOG } from "../small-shop.ts";
import { newBooking } from "../store/conformance-values.ts";
import { expectRefusals, inStore, tint, tintJson } from "./run.ts";

setDefaultTimeout(20_000);

/** A shop without special days, of which none has passed on any date. */
const NONE_PASSED = { "business.special_hours": [] };

test("without arguments and without a terminal: the help, exit 0", async () => {
  using folder = shopFolder();
  for (const args of [[], ["--help"], ["-h"], ["help"]])
    expect(await tint(folder, args)).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Usage: tint[\s\S]*\n {2}serve /),
      stderr: "",
    });
});

test("bun tint prints what the command prints, keeps its exit status, and no line of the package manager", () => {
  const cwd = new URL("../..", import.meta.url).pathname;
  const run = (...args: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "tint", ...args], { cwd, env: childEnv() });
    return [exitCode, stdout.toString(), stderr.toString()];
  };
  expect(run("--version")).toEqual([0, `${VERSION}\n`, ""]);
  expect(run("pric")).toEqual([2, "", expect.stringMatching(/^unknown command 'pric'/)]);
});

test("tint help COMMAND says what tint COMMAND --help says, which needs no catalog", async () => {
  using folder = shopFolder();
  for (const command of ["serve", "estimate", "outbox", "price set"]) {
    const words = command.split(" ");
    const asked = await tint(folder, ["help", ...words]);
    // In processes of their own, so that each loads only its own command.
    expect(asked).toEqual(await tint(folder, [...words, "--help"], { apart: true }));
    const usage = { status: 0, stdout: expect.stringContaining(`Usage: tint ${command} `), stderr: "" };
    expect(asked).toEqual(usage);
    expect(await tint(folder, [...words, "--help"], { env: { TINT_CATALOG: "nowhere.yaml" } })).toEqual(usage);
  }
});

test("--catalog and --data may be anywhere, and their values are not taken for a command", async () => {
  using folder = shopFolder(NONE_PASSED);
  const env = { TINT_CATALOG: "nowhere.yaml", TINT_DATA: "nowhere" };
  const at = folder.catalog;
  for (const args of [
    `--catalog ${at} catalog check`,
    `--catalog=${at} --data price catalog check`,
    `catalog --catalog=${at} check`,
    `catalog check --catalog ${at}`,
    `--data=d estimate suv --catalog ${at}`,
  ])
    expect({ args, ...(await tint(folder, args, { env })) }).toMatchObject({ args, status: 0, stderr: "" });
  expect((await tint(folder, ["--data", "x"])).stdout).toStartWith("Usage: tint");
});

test("every option stands once on a help page, and the page of a command shows the options of its list", async () => {
  using folder = shopFolder();
  for (const command of ["bookings", "leads", "estimate flat", "catalog set"]) {
    const { stdout } = await tint(folder, `${command} --help`);
    const counts = ["--catalog <file>", "--data <place>", "--json"].map((one) => stdout.split(`  ${one} `).length - 1);
    expect({ command, counts }).toEqual({ command, counts: [1, 1, 1] });
  }
  expect((await tint(folder, "bookings --help")).stdout).toMatch(/ {2}--date [\s\S]* {2}--status /);
});

test("without a catalog, tint init is named", async () => {
  using folder = shopFolder();
  const env = { TINT_CATALOG: "none.yaml" };
  for (const args of ["price", "estimate suv", "catalog check", "serve --port 0", "hours set mon 9-5pm"])
    expect((await tint(folder, args, { env })).stderr).toContain("To make the catalog of a new shop: tint init");
  expect((await tint(folder, "bookings", { env })).stderr).toContain(
    "none.yaml does not exist, so times are those of this computer; tint init makes one.",
  );
});

test("a full disk behind standard output: one sentence", async () => {
  using folder = shopFolder();
  const child = Bun.spawn(["sh", "-c", '"$0" "$@" > /dev/full', ...PROGRAM, "price"], {
    env: childEnv({ TINT_CATALOG: folder.catalog }),
    stderr: "pipe",
  });
  expect(await new Response(child.stderr).text()).toBe("Standard output cannot be written: the disk is full.\n");
  expect(await child.exited).toBe(1);
});

test("a damaged database, or a file in place of the folder: a sentence with advice", async () => {
  using folder = shopFolder();
  mkdirSync(folder.data);
  writeFileSync(folder.database, "this is no database".repeat(500));
  const damaged = await tint(folder, ["outbox"]);
  expect(damaged).toMatchObject({ status: 1, stdout: "" });
  expect(damaged.stderr).toContain("put back the last good copy: tint restore FILE");
  const file = await tint(folder, ["outbox", "--data", folder.catalog]);
  expect(file).toMatchObject({ status: 1, stderr: `${folder.catalog} is a file, not the folder of a database.\n` });
});

test.each([
  ["estmate", "Did you mean estimate?"],
  ["--json", "--json"],
  ["estmate --help", "Did you mean estimate?"],
  ["help estmate", "Did you mean estimate?"],
  ["foo", "See tint --help."],
  ["price lst --help", "Did you mean list?"],
  ["hours monday 9-17", "Did you mean tint hours set monday 9-17?"],
  ["completion bahs", "did you mean bash?"],
  ["completion tcsh", "it must be bash, zsh or fish"],
  ["bookings edit 7F3A2B9C --date friday", "tint bookings move CODE friday 9am"],
  ["pri\u001b[31mce", "pri [31mce"],
  ["price l\u202est", "There is no tint price l st."],
  ["catalog", "check"],
  ["catalog chek", "Did you mean check?"],
  ["catalog check extra", "too many arguments"],
  ["catalog check --catalog", "--catalog"],
  ["serve --prot 0", "Did you mean --port?"],
  ["serve --port abc", "port"],
])("wrong usage: tint %s", async (line, says) => {
  using folder = shopFolder();
  await expectRefusals(folder, [[line, 2, says]]);
  expect((await tint(folder, line)).stderr).not.toMatch(/^\s+at /m);
});

test("catalog check: a good one", async () => {
  using folder = shopFolder(NONE_PASSED);
  const plain = await tint(folder, ["catalog", "check"]);
  expect(plain).toMatchObject({ status: 0, stderr: "" });
  expect(plain.stdout).toContain(`${folder.catalog} is good`);

  expect(await tintJson(folder, "catalog check")).toEqual({
    valid: true,
    file: folder.catalog,
    services: CATALOG.services.length,
    flat_glass_films: Object.keys(flatGlassOf(CATALOG).films).length,
    faqs: CATALOG.faq.length,
    jurisdictions: Object.keys(CATALOG.tint_law.jurisdictions).length,
    notes: [],
  });
});

test("catalog check: every mistake with its line, exit 1", async () => {
  using folder = shopFolder({
    "scheduling.bays": 0,
    "automotive.films.ceramic.uv_rejection_pct": 101,
    "business.phon": "x",
  });
  const lines = folder.read().split("\n");
  const locationOf = (key: string) => `${folder.catalog}:${lines.findIndex((line) => line.includes(`${key}: `)) + 1}:`;

  const plain = await tint(folder, ["catalog", "check"]);
  expect(plain).toMatchObject({ status: 1, stdout: "" });
  for (const words of [
    "3 mistakes",
    locationOf("  bays"),
    "business.phon",
    "did you mean phone?",
    locationOf("  phon"),
  ])
    expect(plain.stderr).toContain(words);
  expect(plain.stderr).toMatch(/\n +\| +\^/);
  expect(plain.stderr).not.toMatch(/^\s+at /m);

  const answer = await tintJson(folder, "catalog check");
  expect(answer).toMatchObject({ valid: false, file: folder.catalog, issues: { length: 3 } });
});

test("catalog check: a missing file is exit 1; without flag and variable, the catalog of the working folder is read", async () => {
  using folder = shopFolder();
  const missing = await tint(folder, "catalog check", { env: { TINT_CATALOG: "nowhere.yaml" } });
  expect(missing).toEqual({ status: 1, stdout: "", stderr: expect.stringContaining("nowhere.yaml") });
  expect((await tint(folder, "catalog check", { env: { TINT_CATALOG: "" } })).status).toBe(0);
});

test("outbox: empty, and the jobs of a booking", async () => {
  using folder = shopFolder();
  const store = openSqliteStore(folder.data);
  expect(await tint(folder, ["outbox"])).toEqual({ status: 0, stdout: "", stderr: "Nothing waits.\n" });
  expect(await tint(folder, ["outbox", "list", "--json"])).toEqual({ status: 0, stdout: "[]\n", stderr: "" });

  const app = testApp({ store, catalog: CATALOG });
  expect((await app.post(`${API}/bookings`, { ...BOOKING, customer_name: "Zoë Quux" })).status).toBe(201);
  await store.close();

  const jobs: Record<string, unknown>[] = await tintJson(folder, "outbox");
  expect(jobs.map(({ kind }) => kind).sort()).toEqual(BOOKING_JOBS.toSorted());
  for (const job of jobs) {
    expect(job).toMatchObject({ name: "Zoë Quux", attempts: 0, last_error: null });
    expect(job.lead).toMatch(/^B-[0-9A-Z]{6}$/);
    expect(job.due).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+-0[45]:00$/);
  }

  const { stdout } = await tint(folder, `outbox list --all --data ${folder.data}`, { env: { TINT_DATA: "nowhere" } });
  for (const { lead } of jobs) expect(stdout).toContain(String(lead));
  expect(stdout.trim().split("\n")).toHaveLength(jobs.length + 1);
});

test("no colours without a terminal, with NO_COLOR and without it", async () => {
  using folder = shopFolder();
  for (const env of [{}, { NO_COLOR: "1" }, { NO_COLOR: "1", FORCE_COLOR: "1" }] as Record<string, string>[])
    for (const args of [[], "estimate suv --shade 5", "estimate suvv", "catalog check"]) {
      const { stdout, stderr } = await tint(folder, args, { env });
      expect(stdout + stderr).not.toContain("\u001b");
    }
});

test("an answer goes behind what a file holds, also an empty one", async () => {
  using folder = shopFolder();
  await tint(folder, ["book", "suv", "--date", "tomorrow", "--time", "9am", "--name", "Jordan", "--anyway"]);
  const file = `${folder.path}/all.txt`;
  for (const list of ["calls", "bookings --held", "day tomorrow"]) {
    const command = `echo before >${file}; "$@" >>${file}`;
    const child = Bun.spawn(["sh", "-c", command, "sh", ...PROGRAM, ...list.split(" ")], {
      env: childEnv({ TINT_CATALOG: folder.catalog, TINT_DATA: folder.data }),
      stderr: "ignore",
    });
    expect({ list, status: await child.exited }).toEqual({ list, status: 0 });
    expect({ list, text: readFileSync(file, "utf8") }).toEqual({ list, text: expect.stringMatching(/^before\n/) });
  }
});

test("a closed pipe prints no stack trace", async () => {
  using folder = shopFolder();
  const child = Bun.spawn(["sh", "-c", `"$0" "$@" | head -c 1`, ...PROGRAM, "estimate", "suv"], {
    cwd: folder.path,
    env: { PATH: process.env.PATH ?? "", TINT_CATALOG: folder.catalog },
    stdout: "pipe",
    stderr: "pipe",
  });
  const stderr = await new Response(child.stderr).text();
  expect(await child.exited).toBe(0);
  expect(stderr).toBe("");
});

describe("completion", () => {
  test("completion for bash, zsh and fish, of commands, flags and their words", async () => {
    using folder = shopFolder({ "scheduling.blocked_dates": ["2999-01-01"] });
    for (const shell of ["bash", "zsh", "fish"])
      expect((await tint(folder, ["completion", shell])).stdout).toContain("tint completion complete --");
    const complete = async (...words: string[]) => {
      const { stdout, stderr } = await tint(folder, ["completion", "complete", "--", ...words]);
      expect(stderr).toBe("");
      return stdout.split("\n").map((row) => row.split("\t")[0]);
    };
    expect(await complete("")).not.toContain("complete");
    const CASES: [string[], string][] = [
      [["book"], "bookings"],
      [["bookings", ""], "no-show"],
      [["leads", "list", "--status", ""], "quoted"],
      [["keys", "issue", "--"], "--email"],
      [["bookings", "--status", ""], "no_show"],
      [["estimate", "--vehicle", ""], "suv"],
      [["estimate", "suv", "--film", ""], "ceramic"],
      [["estimate", "suv", "--shade", ""], "limo"],
      [["estimate", "suv", "--jurisdiction", "US-C"], "US-CA"],
      [["estimate", "flat", "--site", ""], "residential"],
      [["price", "set", ""], "suv"],
      [["price", "set", "suv", "ceramic", "f"], "front2"],
      [["hours", "set", "t"], "thursday"],
      [["faq", "add", "--category", ""], "security"],
      [["catalog", "set", "scheduling.b"], "scheduling.bays"],
      [["unblock", ""], "2999-01-01"],
      [["leads", "book", "Q-7F3A2B", "--vehicle", ""], "suv"],
      [["completion", "b"], "bash"],
    ];
    for (const [words, offered] of CASES)
      expect({ words, found: await complete(...words) }).toEqual({ words, found: expect.arrayContaining([offered]) });
    // There is no database yet, and completion does not make one. Nothing is inside a text.
    for (const words of ["bookings show ", "catalog get business.name."])
      expect(await complete(...words.split(" "))).toEqual([":4", ""]);
    expect(existsSync(folder.data)).toBe(false);
    const given = { confirmationCode: "7F3A1B0C", date: "2999-01-01", lead: { reference: "B-7F3A1B" } };
    await inStore(folder, (store) => store.book(newBooking(given), 1, []));
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
        const isOffered = (await complete(group, name, "")).includes(offered);
        expect({ group, name, isOffered }).toEqual({ group, name, isOffered: name !== "reopen" });
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
  });

  test("bash completes without the package bash-completion", async () => {
    using folder = shopFolder();
    const script = `tint() { ${PROGRAM_IN_SHELL} "$@"; }
    source <(tint completion bash); source <(tint completion bash)
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
});
