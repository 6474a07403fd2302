/** How the command line reads and writes times, lengths and tables. */

import { describe, expect, spyOn, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openingTimesInWords, readOpeningTimes, readWeekdays, readWeekHours } from "../../cli/catalog/opening-times.ts";
import { cannotListen } from "../../cli/server/listening.ts";
import { putInPlace } from "../../cli/shop/backup.ts";
import { table, textTable } from "../../cli/terminal/columns.ts";
import { factLines, fileSize, inPlainForms, isOutputError, watchOutput } from "../../cli/terminal/output.ts";
import { age, dueIn, momentInWords } from "../../cli/terminal/wording.ts";
import { dayAndDate, dayAndTime, timeOfDay } from "../../src/domain/dates-in-words.ts";
import { durationInWords } from "../../src/lib/text.ts";
import { NoMetricsListener } from "../../src/programs/listen.ts";
import { NOW } from "../fixed-day.ts";
import { temporaryFolder } from "../process/server.ts";
import { CATALOG } from "../small-shop.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("times", () => {
  test.each([
    [-HOUR, "0 min"],
    [MINUTE - 1, "0 min"],
    [HOUR, "1 h"],
    [48 * HOUR - 1, "47 h"],
    [48 * HOUR, "2 d"],
  ])("%d ms is %s", (ms, words) => expect(age(ms)).toBe(words));

  test.each([
    [0, "in 0 min"],
    [3 * HOUR, "in 3 h"],
    [-1, "0 min late"],
    [-50 * HOUR, "2 d late"],
  ])("%d ms from now is %s", (ms, words) => expect(dueIn(1e12 + ms, 1e12)).toBe(words));

  test.each([
    [0, "0 min"],
    [45, "45 min"],
    [60, "1 h"],
    [135, "2 h 15 min"],
  ])("%d minutes are %s", (minutes, words) => expect(durationInWords(minutes)).toBe(words));

  test("a moment is told by the shop's clock", () => {
    const at = Date.parse("2026-11-25T03:05:59Z");
    expect(momentInWords(CATALOG, at)).toBe("Tue Nov 24, 10:05 PM");
    expect(momentInWords(CATALOG, at, NOW)).toBe("Tue Nov 24, 10:05 PM");
    expect(momentInWords(CATALOG, at, Temporal.Instant.from("2027-01-01T12:00:00Z"))).toBe(
      "Tue Nov 24, 2026, 10:05 PM",
    );
  });

  test.each([
    ["2026-11-23", undefined, "Mon Nov 23"],
    ["2027-01-08", "2026-11-23", "Fri Jan 8, 2027"],
  ])("the date %s, read on %s, is %s", (date, today, words) => expect(dayAndDate(date, today)).toBe(words));

  test.each([
    ["00:00", "12:00 AM"],
    ["12:00", "12:00 PM"],
    ["14:00", "2:00 PM"],
    ["24:00", "12:00 AM"],
  ])("the time %s is %s", (time, words) => {
    expect(timeOfDay(time)).toBe(words);
    expect(dayAndTime("2026-11-23", time)).toBe(`Mon Nov 23, ${words}`);
  });
});

describe("opening times", () => {
  test.each([
    ["mon", ["monday"]],
    ["th", ["thursday"]],
    ["mon-wed", ["monday", "tuesday", "wednesday"]],
    ["sat to mon", ["saturday", "sunday", "monday"]],
    ["sun-sun", ["sunday"]],
    ["s", undefined],
    ["mon-x", undefined],
    ["noday", undefined],
  ])("the days %j are %j", (typed, days) => expect<unknown>(readWeekdays(typed)).toEqual(days));

  test.each([
    ["9-5", [{ opens: "09:00", closes: "17:00" }]],
    ["12am-12pm", [{ opens: "00:00", closes: "12:00" }]],
    ["9:30 am - 5 pm", [{ opens: "09:30", closes: "17:00" }]],
    ["18-0:00", [{ opens: "18:00", closes: "24:00" }]],
    [
      "8-11:30 12:15-1, 2-6:30",
      [
        { opens: "08:00", closes: "11:30" },
        { opens: "12:15", closes: "13:00" },
        { opens: "14:00", closes: "18:30" },
      ],
    ],
    ["1-5pm", [{ opens: "13:00", closes: "17:00" }]],
    ["4-12", [{ opens: "04:00", closes: "12:00" }]],
    ["9am-5", [{ opens: "09:00", closes: "17:00" }]],
    ["1am-5am", [{ opens: "01:00", closes: "05:00" }]],
    ["5-2", [{ opens: "05:00", closes: "14:00" }]],
    ["closed", []],
    ["9", '"9" is not a span of time: write 9am-6pm, 9:00-18:00, or closed.'],
    ["", "Write the times like 9am-6pm, or closed."],
    ...["09:00-05:00", "9-12, 11-17", "all day", "9-25", "9am-5am"].map(
      (typed) => [typed, expect.stringContaining(": write 9am-6pm")] as const,
    ),
  ])("%j reads as %j", (typed, times) => expect<unknown>(readOpeningTimes(typed)).toEqual(times));

  test.each([
    ["closed", "closed"],
    ["9:00 – 12:00, 1 pm to 6:30 pm", "9:00 AM–12:00 PM, 1:00 PM–6:30 PM"],
    ["9-12 13-18", "9:00 AM–12:00 PM, 1:00 PM–6:00 PM"],
    ["12am-24:00", "12:00 AM–12:00 AM"],
  ])("%j is printed as %s", (typed, words) => {
    const times = readOpeningTimes(typed);
    expect(typeof times === "string" ? times : openingTimesInWords(times)).toBe(words);
  });

  test.each([
    ["mon-fri 9-18, sat 9-14", "mon tue wed thu fri 09:00-18:00; sat 09:00-14:00"],
    ["Mon-Fri 9-12 and 1-5; Sat 9-1", "mon tue wed thu fri 09:00-12:00 13:00-17:00; sat 09:00-13:00"],
    ["mon-fri 9am to noon, sat 6pm-midnight", "mon tue wed thu fri 09:00-12:00; sat 18:00-24:00"],
    ["Tuesday 9 - 17:30", "tue 09:00-17:30"],
    ["tue-sat 9-5:30, closed sun and mon", "tue wed thu fri sat 09:00-17:30"],
    ["closed sundays and mondays, tue-sat 9-5:30", "tue wed thu fri sat 09:00-17:30"],
    ["9am to 5:30pm closed on sun, mon", "tue wed thu fri sat 09:00-17:30"],
    ["M-F 8-5", "mon tue wed thu fri 08:00-17:00"],
    ["8-5 m-f", "mon tue wed thu fri 08:00-17:00"],
    ["Monday thru Friday: 8am - 5pm", "mon tue wed thu fri 08:00-17:00"],
    ["monday through friday 8a-5p", "mon tue wed thu fri 08:00-17:00"],
    ["Mon-Fri 8 a.m. to 5 p.m.", "mon tue wed thu fri 08:00-17:00"],
    ["m, t, w, th and f 8-5", "mon tue wed thu fri 08:00-17:00"],
    ["8-5 m-f, 10-2 sat", "mon tue wed thu fri 08:00-17:00; sat 10:00-14:00"],
    ["weekdays 8-5; sat 10-2; closed sun", "mon tue wed thu fri 08:00-17:00; sat 10:00-14:00"],
    ["weekends 10-2", "sat sun 10:00-14:00"],
    ["mon to wed 9am - 5:30 pm, fri closed", "mon tue wed 09:00-17:30"],
    ["9-5:30, closed sun-mon", "tue wed thu fri sat 09:00-17:30"],
    ["8-5 M – F", "mon tue wed thu fri 08:00-17:00"],
    ["mon-fri 8-5 sat 10-2", "mon tue wed thu fri 08:00-17:00; sat 10:00-14:00"],
    ["every day 9-5:30", "mon tue wed thu fri sat sun 09:00-17:30"],
  ])("the week %j is %s, and closed otherwise", (typed, said) => {
    const week = readWeekHours(typed);
    if (typeof week === "string") throw new Error(week);
    const open = Object.entries(week).map(([day, spans]) => ({
      day: day.slice(0, 3),
      times: spans.map(({ opens, closes }) => `${opens}-${closes}`).join(" "),
    }));
    const groups = [...Map.groupBy(open, ({ times }) => times)].filter(([times]) => times !== "");
    expect(groups.map(([times, days]) => `${days.map(({ day }) => day).join(" ")} ${times}`).join("; ")).toBe(said);
  });

  test.each([
    ["mon-fri", 'must be like mon-fri 9am-6pm, sat 9am-2pm; "mon-fri" is not'],
    ["mon 9-18, xx 9-12", 'must be like mon-fri 9am-6pm, sat 9am-2pm; "xx 9-12" is not'],
    [
      "mon nine",
      'must have times for "mon nine" that can be read: "nine" is not a span of time: write 9am-6pm, 9:00-18:00, or closed',
    ],
    ["mon 13-17, mon 9-14", "must have the times of monday in order, without overlap"],
  ])("the week %j is refused", (typed, message) => expect<unknown>(readWeekHours(typed)).toBe(message));

  test.each(["closed", "closed sun", "9-17 closed foo", "", "s 9-17", "mon 17-9", "mon-fry 9-17"])(
    "the week %j is refused, too",
    (typed) => expect<unknown>(readWeekHours(typed)).toEqual(expect.stringContaining("must ")),
  );
});

describe("text", () => {
  test("columns are as wide as their widest cell, wide characters counted; the last is not padded", () => {
    const rows = [
      ["a", "李小龙", "x"],
      ["long", "b", ""],
    ];
    expect(textTable(["A", "NAME", "Z"], rows, ["NAME"])).toBe("A     NAME    Z\na     李小龙  x\nlong  b\n");
  });

  test.each([
    // No terminal, or one that is wide enough.
    [0, "1   a very long name indeed  a note that stays  another, longer address"],
    [70, "1   a very long name inde…  a note that stays  another, longer address"],
    [56, "1   a very long na…  a note that stays  another, longer…"],
    [50, "1   a very long…  a note that stays  another, lon…"],
    // No column is cut to fewer than 8.
    [40, "1   a very…   a note that stays  another…"],
  ])("a table on %d columns shortens the widest of the columns that may be shortened", (columns, row) => {
    const rows = [["1", "a very long name indeed", "a note that stays", "another, longer address"]];
    expect(textTable(["id", "name", "note", "address"], rows, ["name", "address"], columns).split("\n")[1]).toBe(row);
  });

  test("a narrow terminal does without the columns that are least needed", () => {
    const rows = [["1", "a very long name indeed", "a note that stays", "another, longer address"]];
    const columns = ["id", "name", "note", "address"].map((name, at) => ({
      ...{ name, value: (row: string[]) => row[at] ?? "" },
      ...(name === "name" && { min: 8 }),
      ...(at >= 2 && { drop: at }),
    }));
    const shown = (room: number) => table(columns, rows, room).trimEnd().split("\n")[1];
    expect(shown(60)).toBe("1   a very long…  a note that stays  another, longer address");
    expect(shown(50)).toBe("1   a very long name ind…  another, longer address");
    expect(shown(20)).toBe("1   a very long nam…");
  });

  test("facts stand below each other; empty ones are left out", () => {
    const lines = [
      ["Name", "Pat\u001b[31m"],
      ["E-mail", null],
      ["Phone", ""],
      ["Note", "x"],
    ] as const;
    expect(factLines(lines)).toBe("Name  Pat [31m\nNote  x\n");
  });

  test.each([
    [0, "0 bytes"],
    [1023, "1023 bytes"],
    [1024, "1.0 KiB"],
    [1_048_575, "1024.0 KiB"],
    [5 * 1024 ** 5, "5120.0 TiB"],
  ])("%d bytes are %s", (bytes, words) => expect(fileSize(bytes)).toBe(words));
});

test.each([
  [{ code: "EPIPE", syscall: "write" }, true],
  [{ code: "ENOSPC", syscall: "write" }, true],
  [{ code: "EPIPE", syscall: "read" }, false],
  [undefined, false],
])("%j is a fault of the output: %p", (error, expected) => expect(isOutputError(error)).toBe(expected));

test.each([
  ["EPIPE", ""],
  ["ENOSPC", "Standard output cannot be written: the disk is full.\n"],
])("an output that ends with %s ends the program: %j", (code, told) => {
  const left = new Error("left");
  const write = spyOn(process.stderr, "write").mockReturnValue(true);
  const exit = spyOn(process, "exit").mockImplementation(() => {
    throw left;
  });
  try {
    watchOutput();
    expect(() => process.stdout.emit("error", Object.assign(new Error(), { code }))).toThrow(left);
    expect(exit).toHaveBeenCalledWith(1);
    expect(write.mock.calls.map(([text]) => text).join("")).toBe(told);
  } finally {
    write.mockRestore();
    exit.mockRestore();
  }
});

describe("a finished copy", () => {
  function place(force: boolean, before?: string) {
    using folder = temporaryFolder();
    const [temporary, file] = [join(folder.path, ".copy"), join(folder.path, "copy")];
    writeFileSync(temporary, "new");
    if (before !== undefined) writeFileSync(file, before);
    const issue = issueOf(() => putInPlace(temporary, file, "copy", force));
    return { issue, holds: existsSync(file) && readFileSync(file, "utf8") };
  }

  test("takes its name; one that appeared meanwhile is replaced only by force", () => {
    expect(place(false)).toEqual({ issue: undefined, holds: "new" });
    expect(place(true, "old")).toEqual({ issue: undefined, holds: "new" });
    const issue = "copy exists already. Choose another name, or replace it with --force.";
    expect(place(false, "old")).toEqual({ issue, holds: "old" });
  });

  test("any other error is thrown unchanged", () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "copy"));
    writeFileSync(join(folder.path, ".copy"), "new");
    const put = (from: string, to: string) => putInPlace(join(folder.path, from), join(folder.path, to), "x", true);
    expect(issueOf(() => put("none", "x"))).toStartWith("ENOENT");
    expect(issueOf(() => put(".copy", "copy"))).toStartWith("EISDIR");
  });
});

function issueOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test("a busy port of the metrics is named, not that of the API", () => {
  const busy = Object.assign(new Error("refused"), { syscall: "listen", code: "EADDRINUSE" });
  const noMetrics = new NoMetricsListener({ host: "::1", port: 9464 }, busy);
  const told = String(cannotListen(noMetrics, { port: 8080, host: "127.0.0.1" }));
  expect(told).toContain(
    "Port 9464 of ::1 is in use by another program. Stop it, or name another port in TINT_METRICS.",
  );
});

test.each([
  [{ syscall: "listen", code: "EADDRINUSE" }, "Port 8080 of 127.0.0.1 is in use by another program."],
  [{ syscall: "listen", code: "EACCES" }, "Cannot listen on 127.0.0.1:8080 ("],
  [{ syscall: "listen", code: "EADDRNOTAVAIL" }, "Cannot listen on 127.0.0.1:8080 (this machine has no such address)."],
  [{ syscall: "listen", code: "ENOENT" }, "Cannot listen on 127.0.0.1:8080 (no machine has this name)."],
  // Other errors are not about the port, even with the same code.
  [{ syscall: "open", code: "EACCES" }, undefined],
  [{ syscall: "listen", code: "EMFILE" }, undefined],
  [{}, undefined],
])("a server that cannot start because of %j", (given, words) => {
  const error = Object.assign(new Error("refused"), given);
  const told = cannotListen(error, { port: 8080, host: "127.0.0.1" });
  if (words === undefined) expect(told).toBe(error);
  else expect(String(told instanceof Error && told.message)).toStartWith(words);
});

test("on a terminal that shows none of them, each mark has a form as wide as it is", () => {
  expect(inPlainForms("José’s “Camry” − 2″ … ✓ › ‹ ⌫ ≈ × ÷")).toBe('José\'s "Camry" - 2" . + > < < ~ x /');
  expect(inPlainForms("─–—−→←↑↓▏█·✗")).toBe("----><^v|#-x");
});
