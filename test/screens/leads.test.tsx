/** The leads: by state, in full with their history, and moved forward with a note. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { tint, tintJson } from "../cli/run.ts";
import { NOW } from "../fixed-day.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { newLead, quoteLead } from "../store/conformance-values.ts";
import { openOn } from "./render.tsx";
import { OPEN_DAILY, openShop } from "./shop.ts";

setDefaultTimeout(90_000);

const HOUR = 3_600_000;

/** Another connection to the database, with a lead of 3 hours ago that has two reminders to come. */
async function withLead(folder: ShopFolder, given: Parameters<typeof quoteLead>[1] = {}) {
  const store = openSqliteStore(folder.data);
  const createdAt = NOW.epochMilliseconds - 3 * HOUR;
  await store.addLead(quoteLead(createdAt, given));
  return { store, [Symbol.asyncDispose]: () => store.close() };
}

test("the list shows age and follow-up, and goes through the states", async () => {
  using folder = shopFolder();
  const car = { vehicle_type: "sedan", vehicle_year: 2021, vehicle_make: "Toyota", vehicle_model: "Camry" };
  await using shop = await withLead(folder, { serviceType: "automotive", details: car });
  const terminal = await openOn(folder, "leads");
  const frame = await terminal.see("Jordan Sample");
  expect(frame).toContain("Leads: open");
  expect(frame).toMatch(/› Q-7F3A1B +new +3 h +Sat 11:00 AM +Jordan/);
  expect(frame).toContain("2021 Toyota Camry (s");
  expect((await tint(folder, ["leads"])).stdout).toContain("2021 Toyota Camry (sedan)");
  await terminal.press("right", "right").see("No leads here (contacted)");
  await shop.store.moveLead({ id: "lead_a", to: "contacted", at: NOW.epochMilliseconds });
  await terminal.see("Jordan Sample");
  await terminal.press("left").see("No leads here (new)");
});

test("contacted with a note: the reminders stop, the history says so", async () => {
  using folder = shopFolder();
  await using shop = await withLead(folder);
  const terminal = await openOn(folder, "leads", { sees: "m move on" });
  expect(await terminal.press("m", "c").see("Enter mark as contacted")).not.toContain("q quit");
  await terminal
    .press("calls back", " quickly?", "enter")
    .see("✓ Lead Q-7F3A1B (Jordan Sample): new → contacted. 2 reminders stopped.");
  // A step that is done is no longer offered.
  await terminal.see(/Q-7F3A1B +contacted/);
  expect(await terminal.press("m").see("is contacted. What is it now?")).not.toContain("c contacted");
  await terminal.press("esc").see("q quit");
  expect(await terminal.press("enter").see("contacted: calls back quickly?")).toMatch(/message +line one line two/i);
  await terminal.press("w", "enter").see("A note must be 1 to 2,000 characters.");
  await terminal.press("second", "enter").see("contacted: second");
  await terminal.press("m", "w").see("Q-7F3A1B is won for how much?");
  await terminal.press("lots", "enter").see("✗ lots is not an amount: write it like 629 or 629.50.");
  await terminal.press("ctrl+u", "450", "enter").see("is won; a note");
  expect(
    await terminal.press("enter").see(/^Lead Q-7F3A1B +won[\s\S]*Won for +\$450\.00[\s\S]*won: \$450\.00/),
  ).not.toContain("x lost");
  expect((await shop.store.findLead("lead_a"))?.status).toBe("won");
});

test("an inquiry on the phone is written down in the list, with when to call back", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const terminal = await openOn(folder, "leads", { now: () => NOW, sees: "n new inquiry" });
  await terminal.press("n").see("A new inquiry");
  await terminal
    .press(..."Robin", "enter", ..."12", "enter", "enter", ..."21 highlander", "enter", "enter", ..."someday", "enter")
    .see(/› Phone +12▏[\s\S]*✗ Phone must be a phone number/);
  await terminal
    .press("ctrl+u", ..."404-555-0142", "enter", "enter", "enter", "enter", "enter")
    .see("✗ someday is not");
  await terminal
    .press("ctrl+u", ..."nov 24 3pm", "enter")
    .see(
      /^Lead Q-[\s\S]*Follow up +Tue Nov 24, 3:00 PM, in \d+ [hd]\n[\s\S]*Year +2021[\s\S]*Make +Toyota[\s\S]*Model +Highlander[\s\S]*✓ Lead Q-\w{6} \(Robin\) is new\. To call back:/,
    );
  await terminal.press("esc").see(/› Q-\w{6} +new +0 min +Tue 3:00 PM +Robin/);
  // A house is written down as one, and b opens the form without a car.
  await terminal.press("n", ..."Kim", "enter", "enter").see("automotive if empty, or commercial, residential");
  await terminal
    .press(..."residental", "enter", "enter", "enter", "enter")
    .see(/✗ residental is not a service; did you mean residential\?/);
  expect(await terminal.press("ctrl+u", ..."residential", "enter").see(/› Address/)).not.toContain("Car ");
  await terminal
    .press(..."12 Elm St", "enter", ..."240", "enter", "enter", "enter")
    .see(/Service +residential[\s\S]*Glass +240[\s\S]*Address +12 Elm St/);
  expect(await terminal.press("b").see("New booking: Residential window film")).not.toContain("Car ");
});

test("e corrects what was written down; a quoted amount is asked, and proposed when it is won", async () => {
  using folder = shopFolder();
  await using shop = await withLead(folder);
  const terminal = await openOn(folder, "lead", { about: "Q-7F3A1B", sees: "Jordan Sample" });
  await terminal.press("e").see(/› Name +\[Jordan Sample\]/);
  await terminal
    .press("down", ..."404-555-0144", "ctrl+s")
    .see(/✓ Lead Q-7F3A1B \(Jordan Sample\): From [^→]*0111[^→]*→[^→]*0144/);
  await terminal.press("m", "q").see("quoted how much?");
  await terminal.press(..."1299", "enter").see("a note, if you like");
  await terminal.press("enter").see(/Quoted at +\$1,299\.00/);
  await terminal.press("m", "w").see(/won for how much\?[^:]*:\n› \[1299\]/);
  await terminal.press("enter").see("a note, if you like");
  await terminal.press("enter").see(/Won for +\$1,299\.00/);
  expect(await shop.store.findLead("lead_a")).toMatchObject({
    phone: "+14045550144",
    quotedAmount: { cents: 129_900 },
  });
});

test("control characters of strangers have no effect; long texts are wrapped and scroll", async () => {
  using folder = shopFolder();
  const message = Array.from({ length: 150 }, (_, i) => `word${i}\u202e`).join(" ");
  await using _ = await withLead(folder, { name: "\u001b[2JJo\u202erdan\nrm", details: { message } });
  const list = await openOn(folder, "leads");
  // `see` refuses a frame with control characters.
  await list.see("rdan rm");
  const lead = await openOn(folder, "lead", { about: "Q-7F3A1B", sees: "↑↓ scroll" });
  for (let i = 0; i < 20; i++) lead.press("down");
  await lead.see("word149");
  await lead.press("home").see(/Lead +Q-7F3A1B/);
  await lead.press("pagedown").lose("From ");
  await lead.press("pageup").see(/Lead +Q-7F3A1B/);
  await lead.press("end").see("word149");
});

test("a lead that somebody else moved while the note was typed is refused in words", async () => {
  using folder = shopFolder();
  await using shop = await withLead(folder);
  const terminal = await openOn(folder, "leads", { sees: "m move on" });
  await terminal.press("m", "c", "called").see("called▏");
  await shop.store.moveLead({ id: "lead_a", to: "won", at: NOW.epochMilliseconds });
  await terminal.press("enter").see("✗ Lead Q-7F3A1B is won");
  expect((await shop.store.findLead("lead_a"))?.history.map(({ status }) => status)).toEqual(["won"]);
});

test("another state begins at its first lead, and never shows the leads of the state before", async () => {
  using folder = shopFolder();
  await using shop = await withLead(folder, { jobs: [] });
  const createdAt = NOW.epochMilliseconds - 4 * HOUR;
  await shop.store.addLead(
    newLead({ kind: "quote_request", id: "lead_b", reference: "Q-7F3A1C", name: "Robin Sample", createdAt, jobs: [] }),
  );
  const terminal = await openOn(folder, "leads", { sees: "› Q-7F3A1B" });
  await terminal.press("down").see("› Q-7F3A1C");
  await terminal.press("right").see(/^Leads: new[\s\S]*› Q-7F3A1B/);
  await terminal.press("right").see("No leads here (contacted)");
  const mixed = terminal.frames().filter((frame) => frame.startsWith("Leads: contacted") && frame.includes("Sample"));
  expect(mixed).toEqual([]);
});

test("a lost lead is opened again by u, and booked by b with what it tells", async () => {
  await using api = openShop(OPEN_DAILY, NOW.subtract({ hours: 2 }));
  await api.ask({ first_name: "Robin", last_name: "Example", service_type: "automotive", vehicle_type: "suv" });
  await api.book({ customer_name: "Booked Guest", date: "2026-11-24", time: "09:00" });
  const terminal = await openOn(api.folder, "leads");
  expect(await terminal.see(/› Q-\w{6}[\s\S]*Robin/)).not.toContain("Booked Guest");
  expect(await terminal.press("enter").see(/^Lead Q-[\s\S]*x lost/)).not.toContain("u undo");
  // A slip of the key is undone, too.
  await terminal.press("m", "c", "enter").see(/new → contacted\..*u\s+undoes\s+it\./s);
  await terminal.see("u undo");
  await terminal.press("u").see(/→ new\./);
  await terminal.press("x").see("is lost; a note");
  await terminal.press("enter").see(/new → lost\..*u\s+undoes\s+it\./s);
  await terminal.see("u undo");
  await terminal.press("u").see(/→ new\./);
  await terminal.see("f call back");
  await terminal
    .press("f", ..."nov 30 3pm", "enter")
    .see(/Robin Example\), to call back: .+ →\s+Mon\s+Nov\s+30,\s+3:00\s+PM\./);
  await terminal.see("b book");
  await terminal.press("b").see(/New booking[\s\S]*‹ suv ›[\s\S]*Name +Robin Example +[^\n]*\n +Phone +\(\d{3}\) 555-/);
  await terminal.press("tab", "tab", "enter").see("✓ Booked Robin Example");
  const lead = (await api.store.leads(["won"], 9)).find(({ kind }) => kind === "quote_request");
  expect(lead?.name).toBe("Robin Example");
});

test("b on a lead of a house: its form has no car; a visit without a price leaves the lead open, a job wins it", async () => {
  using folder = shopFolder(OPEN_DAILY);
  await using shop = await withLead(folder, { serviceType: "residential" });
  const terminal = await openOn(folder, "leads");
  const book = async (...typed: string[]) => {
    await terminal.see("b book");
    const form = await terminal
      .press("b")
      .see(/New booking: .*[\s\S]*Time +‹ \d[\s\S]*Length[\s\S]*Name +Jordan Sample/);
    for (const part of ["Vehicle", "Shade", "Takes about", "✗"]) expect(form).not.toContain(part);
    terminal.press("down", "down", ...typed, "enter");
  };
  await book();
  await terminal.see("say how long it takes");
  await terminal.press(..."45", "enter").see(/✓ Booked Jordan Sample[^$]*The code is/);
  expect((await shop.store.findLead("lead_a"))?.status).toBe("contacted");
  terminal.press("esc");
  await book(..."4h", "down", ..."12 Elm St", "down", "down", "down", ..."1200");
  await terminal.see(/✓ Booked Jordan Sample for .*\$1,200\.00/);
  const jobs = await tintJson(folder, ["bookings"]);
  expect(jobs.map((job: { special_requests: string }) => job.special_requests)).toContain("At 12 Elm St.");
  expect(await shop.store.findLead("lead_a")).toMatchObject({ status: "won", wonAmount: { cents: 120_000 } });
});
