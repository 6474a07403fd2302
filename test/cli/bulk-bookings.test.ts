/** `tint bookings cancel` and `reopen` with `--key`, `--network` or `--since`: all bookings of one caller at one go. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { MOMENT_FORMS } from "../../cli/typed/times.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { newBooking } from "../store/conformance-values.ts";
import { tint, tintCsv, tintJson } from "./run.ts";

setDefaultTimeout(30_000);

const HOUR = 3_600_000;

/** A shop with four bookings to come: two of a key, two of a network, made at different times. */
async function shopWithBookings(folder: ShopFolder) {
  const now = NOW.epochMilliseconds;
  const store = openSqliteStore(folder.data);
  const key = { id: "key_7F3A", hash: "h", prefix: "tint_live_7F", name: "A", email: "a@example.com", useCase: null };
  await store.addKey({ ...key, ratePerMinute: null, network: "203.0.113.9", createdAt: now });
  const at = (nth: number, given: Parameters<typeof newBooking>[0]) =>
    newBooking({ startAt: now + (72 + nth) * HOUR, date: dateFromNow(3), confirmationCode: `7F3A1B0${nth}`, ...given });
  const bookings = [
    at(1, { keyId: "key_7F3A", network: "203.0.113.9", createdAt: now - 3 * HOUR }),
    at(2, { keyId: "key_7F3A", network: "2001:db8:1:2::/64", createdAt: now - HOUR }),
    at(3, { network: "2001:db8:1:2::/64", createdAt: now - HOUR }),
    at(4, { network: "192.0.2.1", createdAt: now - 50 * HOUR }),
    // It has begun, so it is none to come.
    at(5, { network: "203.0.113.9", startAt: now - HOUR, createdAt: now - HOUR }),
  ];
  for (const booking of bookings) expect((await store.book(booking, 9, [])).kind).toBe("booked");
  await store.close();
}

/** The codes that a run says it changed, by the last digit. */
const changed = (stdout: string, name: "cancelled" | "reopened"): string =>
  JSON.parse(stdout)
    [name].map((entry: { confirmation_code: string }) => entry.confirmation_code.at(-1))
    .join("");

test("all that fit are shown, cancelled and reopened", async () => {
  using folder = shopFolder();
  await shopWithBookings(folder);
  const CASES: [string[], string][] = [
    [["--key", "key_7F"], "12"],
    [["--network", "2001:db8:1:2:3:4:5:6"], "23"],
    [["--network", "203.0.113.0/24"], "1"],
    [["--since", "2h"], "23"],
    [["--since", dateFromNow(-1)], "123"],
    [["--since", new Date(NOW.epochMilliseconds - 51 * HOUR).toISOString()], "1234"],
    [["--key", "key_7F3A", "--since", "2h"], "2"],
  ];
  for (const [flags, codes] of CASES) {
    const cancelled = await tint(folder, ["bookings", "cancel", ...flags, "--yes", "--json"]);
    expect(cancelled.status).toBe(0);
    expect(changed(cancelled.stdout, "cancelled")).toBe(codes);
    expect(cancelled.stderr).toContain(`7F3A1B0${codes[0]}`);
    const reopened = await tint(folder, ["bookings", "reopen", ...flags, "--yes", "--json"]);
    expect([reopened.status, changed(reopened.stdout, "reopened")]).toEqual([0, codes]);
    if (codes.length > 1)
      expect(reopened.stderr).toMatch(
        new RegExp(`^${codes.length} bookings are confirmed again: 7F3A1B0\\d \\(.*\\); `, "m"),
      );
  }
});

test("the printed command undoes exactly the last mass cancel", async () => {
  using folder = shopFolder();
  await shopWithBookings(folder);
  await tint(folder, ["bookings", "cancel", "7F3A1B01"]);
  const CASES: [string[], string][] = [
    // The first booking fits too, but was cancelled before.
    [["--since", "9h"], "23"],
    [["--key", "key_7F3A", "--by", "customer"], "2"],
  ];
  for (const [flags, codes] of CASES) {
    const { stderr } = await tint(folder, ["bookings", "cancel", ...flags, "--yes"]);
    const [, undo] = /To undo it: tint (bookings reopen .+)$/m.exec(stderr) ?? [];
    expect(undo).toMatch(/^bookings reopen --cancelled-at \d{4}-\d\d-\d\dT[\d:.]+Z$/);
    await tint(folder, ["bookings", "cancel", "7F3A1B04"]);
    const reopened = await tint(folder, [...String(undo).split(" "), "--yes", "--json"]);
    expect([reopened.status, changed(reopened.stdout, "reopened")]).toEqual([0, codes]);
    expect((await tint(folder, ["bookings", "reopen", "7F3A1B04"])).status).toBe(0);
  }
  const unread = await tint(folder, ["bookings", "reopen", "--cancelled-at", "2h", "--yes"]);
  expect([unread.status, unread.stderr]).toEqual([2, expect.stringContaining("2h is not a moment: write a time like")]);
});

test("the printed command names the catalog and the folder that were named", async () => {
  using folder = shopFolder();
  await shopWithBookings(folder);
  const { stderr } = await tint(folder, ["bookings", "cancel", "--since", "2h", "--yes", "--data", folder.data]);
  expect(stderr).toContain(`Z --data '${folder.data}'\n`);
});

test("nothing is changed without a terminal or --yes, nor when nothing fits or a flag makes no sense", async () => {
  using folder = shopFolder();
  await shopWithBookings(folder);
  const asked = await tint(folder, ["bookings", "cancel", "--since", "2h"]);
  expect(asked).toMatchObject({ status: 2, stdout: "" });
  expect(asked.stderr).toContain("7F3A1B02");
  expect(asked.stderr).toContain("--yes");
  const FAULTS: [string[], number, string][] = [
    [["--network", "198.51.100.1", "--yes"], 1, "No bookings to come fit"],
    [["--network", "somewhere", "--yes"], 2, "is not a network"],
    ...["nonsense", "18:00", "11/31/2026"].map((typed): [string[], number, string] => [
      ["--since", typed, "--yes"],
      2,
      `${typed} is not a moment: write ${MOMENT_FORMS}.`,
    ]),
    [["--since", "", "--yes"], 2, `Type a moment: ${MOMENT_FORMS}.`],
    [["--key", "key_none", "--yes"], 1, "There is no key"],
    [["7F3A1B01", "--since", "2h", "--yes"], 2, "Give either a code"],
    [[], 2, "Give either a code"],
  ];
  for (const [flags, status, text] of FAULTS) {
    const run = await tint(folder, ["bookings", "cancel", ...flags]);
    expect([flags, run.status]).toEqual([flags, status]);
    expect(run.stderr).toContain(text);
  }
  expect((await tint(folder, ["bookings", "reopen", "--since", "9d", "--yes"])).stderr).toContain("No bookings");
});

test("what no longer fits is named and stays cancelled; one code can be reopened too", async () => {
  using folder = shopFolder({ "scheduling.bays": 1 });
  await shopWithBookings(folder);
  await tint(folder, ["bookings", "cancel", "--key", "key_7F3A", "--yes"]);
  const store = openSqliteStore(folder.data);
  const first = await store.findBooking("7F3A1B01");
  expect((await store.book(newBooking({ startAt: first?.startAt ?? 0 }), 1, [])).kind).toBe("booked");
  await store.close();

  const reopened = await tint(folder, ["bookings", "reopen", "--key", "key_7F3A", "--yes", "--json"]);
  expect(reopened.status).toBe(1);
  expect(changed(reopened.stdout, "reopened")).toBe("2");
  expect(JSON.parse(reopened.stdout).not_reopened).toEqual([
    { confirmation_code: "7F3A1B01", reason: "its time is taken" },
  ]);
  expect(reopened.stderr).toContain("7F3A1B01");
  expect(reopened.stderr).toContain("its time is taken");

  await tint(folder, ["bookings", "cancel", "7F3A1B04", "--by", "customer"]);
  expect((await tint(folder, ["bookings", "reopen", "7f3a1b04"])).status).toBe(0);
  expect((await tint(folder, ["bookings", "reopen", "7F3A1B04"])).stderr).toContain("is confirmed already");
});

test("the owner sees which key, network and agent made a booking", async () => {
  using folder = shopFolder();
  await shopWithBookings(folder);
  expect((await tint(folder, ["bookings", "show", "7F3A1B02"])).stdout).toContain(
    "Booked by  online, network 2001:db8:1:2::/64, key key_7F3A",
  );
  const { booked_by } = await tintJson(folder, ["bookings", "show", "7F3A1B04"]);
  expect(booked_by).toEqual({ key_id: null, network: "192.0.2.1", agent_class: null });
  expect((await tint(folder, ["keys"])).stdout).toContain("203.0.113.9");
  expect((await tintJson(folder, ["keys"]))[0].network).toBe("203.0.113.9");
});

test("the list for a spreadsheet", async () => {
  using folder = shopFolder();
  await shopWithBookings(folder);
  const { stdout, stderr } = await tintCsv(folder, ["bookings", "--to", dateFromNow(9)]);
  expect(stderr).toBe("");
  expect(stdout).toMatch(
    /^date,time,bay,status,code,name,phone,email,vehicle,.*\n[\d-]+,09:00,\d,confirmed,7F3A1B0\d,/,
  );
  expect(stdout).toContain(",Pat Example,(404) 555-0111,pat@example.com,");
  expect((await tint(folder, ["bookings", "--csv", "--json"])).status).toBe(2);
});
