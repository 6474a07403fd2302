/** An extension of a customer's phone, wherever the shop sees the number. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { NOW } from "../fixed-day.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { openOn } from "../screens/render.tsx";
import { apiOf } from "../screens/shop.ts";
import { tint, tintCsv, tintJson } from "./run.ts";

setDefaultTimeout(60_000);

const MONDAY = "2026-11-23";
const SHOWN = "(404) 555-0177 x12";

/** A booking and a quote request of a company's customer. */
async function shopWithRobin(): Promise<{ folder: ShopFolder; code: string }> {
  const folder = shopFolder();
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
  const code = await api.book({
    ...{ date: MONDAY, time: "09:00", customer_name: "Robin Ellis", customer_phone: "404-555-0177 ext. 12" },
    ...{ customer_email: "robin@ellis.example" },
  });
  await api.ask({ first_name: "Robin", phone: "+1 (404) 555-0177, 12" });
  return { folder, code };
}

/** What a command prints, on both streams. */
async function said(folder: ShopFolder, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await tint(folder, args);
  expect([args.join(" "), status, stderr]).toEqual([args.join(" "), 0, stderr]);
  return stdout + stderr;
}

test("is in every list and print, in JSON and in CSV", async () => {
  const { folder, code } = await shopWithRobin();
  using _ = folder;
  const [, reference = ""] = /(Q-\w+)/.exec(await said(folder, "leads")) ?? [];
  for (const args of [
    ["bookings", "show", code],
    ["day", MONDAY],
    ["leads"],
    ["leads", "show", reference],
    ["find", "robin"],
    ["find", "404-555-0177", "x99"],
    ["find", "404-555-0177,12"],
  ])
    expect([args, await said(folder, ...args)]).toEqual([args, expect.stringContaining(SHOWN)]);
  const json = async (...args: string[]) => await tintJson(folder, [...args]);
  const known = { phone: "+14045550177", phone_extension: "12" };
  expect((await json("bookings", "show", code)).customer).toMatchObject(known);
  expect((await json("bookings", "--from", MONDAY))[0].customer).toMatchObject(known);
  expect((await json("leads"))[0]).toMatchObject(known);
  expect(await json("leads", "show", reference)).toMatchObject(known);
  expect((await json("find", "404-555-0177"))[0]).toMatchObject(known);
  // Columns are only ever added at the end.
  const lists: [string[], string, string][] = [
    [["bookings", "--from", MONDAY], "", ""],
    [["leads"], ",quoted_amount", ","],
    [["find", "robin"], "", ""],
  ];
  for (const [args, headsAfter, rowAfter] of lists) {
    const [heads = "", row = ""] = (await tintCsv(folder, args)).stdout.split("\n");
    expect([heads, row]).toEqual([
      expect.stringMatching(new RegExp(`,phone,.*,phone_extension${headsAfter}$`)),
      expect.stringMatching(new RegExp(`,\\(404\\) 555-0177,.*,12${rowAfter}$`)),
    ]);
  }
});

test("is typed by the owner, corrected and taken away", async () => {
  const { folder } = await shopWithRobin();
  using _ = folder;
  const typed = ["--date", MONDAY, "--time", "2pm", "--name", "Sam Rivera", "--phone", "404-555-0178 #7"];
  const [, code = ""] = /The code is (\w+)/.exec(await said(folder, "book", "suv", ...typed)) ?? [];
  expect(await said(folder, "bookings", "show", code)).toContain("Sam Rivera, (404) 555-0178 x7");
  await said(folder, "bookings", "edit", code, "--name", "Sam Rivers");
  expect(await said(folder, "bookings", "show", code)).toContain("Sam Rivers, (404) 555-0178 x7");
  const edited = await said(folder, "bookings", "edit", code, "--phone", "404-555-0178 x8");
  expect(edited).toContain("(404) 555-0178 x7");
  expect(await said(folder, "bookings", "show", code)).toContain("(404) 555-0178 x8");
  await said(folder, "bookings", "edit", code, "--phone", "404-555-0178");
  expect(await said(folder, "bookings", "show", code)).not.toContain("0178 x");
  const asked = await said(folder, "leads", "add", "--name", "Dana Molar", "--phone", "404-555-0179 x5");
  const [reference = ""] = /Q-\w+/.exec(asked) ?? [];
  expect(await said(folder, "leads", "show", reference)).toContain("Dana Molar, (404) 555-0179 x5");
  await said(folder, "leads", "book", reference, "suv", "--date", MONDAY, "--time", "4pm", "--anyway");
  expect(await said(folder, "bookings", "--from", MONDAY, "--csv")).toMatch(/Dana Molar,\(404\) 555-0179,.*,5\r\n/);
});

test("the owner is told of a contact that looks mistyped", async () => {
  using folder = shopFolder();
  const slip = ["--name", "Sam Rivera", "--phone", "111-111-1111", "--email", "sam@gmial.com"];
  const doubts = [
    /\. Nobody can have the phone number/,
    /\. The e-mail .* in gmial\.com: ask whether gmail\.com is meant/,
  ];
  const booked = await said(folder, "book", "suv", "--date", MONDAY, "--time", "9am", ...slip);
  const [, code = ""] = /The code is (\w+)/.exec(booked) ?? [];
  const edited = await said(folder, "bookings", "edit", code, "--email", "sam@gmail.con");
  const asked = await said(folder, "leads", "add", ...slip);
  for (const doubt of doubts) for (const text of [booked, asked]) expect(text).toMatch(doubt);
  // One sentence after the other.
  for (const text of [booked, asked]) expect(text).not.toMatch(/\w\.[A-Z]/);
  expect(edited).toMatch(/ends in gmail\.con/);
});

test("erases the person, listed with it", async () => {
  const { folder } = await shopWithRobin();
  using _ = folder;
  const listed = await said(folder, "forget", "404-555-0177 ext. 99", "--anyway", "--yes");
  expect(listed).toContain(SHOWN);
  const { stdout } = await tint(folder, ["find", "404-555-0177"]);
  expect(stdout).toBe("");
});

test("a person is found and erased by the address that was typed", async () => {
  using folder = shopFolder();
  const zoe = ["--name", "Zoë Müller", "--phone", "404-555-0178", "--email", "zoe@müller.example"];
  await said(folder, "leads", "add", ...zoe);
  expect(await said(folder, "find", "zoe@müller.example")).toContain("zoe@xn--mller-kva.example");
  expect(await said(folder, "forget", "zoe@müller.example", "--yes")).toContain("Zoë Müller");
});

test("has room on the screens", async () => {
  const { folder } = await shopWithRobin();
  using _ = folder;
  const terminal = await openOn(folder, "find");
  await terminal.see("Name, phone");
  terminal.press(..."robin", "enter");
  expect(await terminal.see(/^› .*Robin/m)).toContain(SHOWN);
  const home = await openOn(folder, "home", { now: () => Temporal.Instant.from(`${MONDAY}T13:00:00Z`) });
  expect(await home.see("Robin Ellis")).toContain(SHOWN);
});
