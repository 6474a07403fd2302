/** How many keys the work of a day takes, letters of names and numbers among them. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { addFilm } from "../../src/catalog/edit/terms.ts";
import { NOW } from "../fixed-day.ts";
import { shopFolder } from "../process/server.ts";
import { openOn, type Terminal } from "./render.tsx";
import { apiOf, OPEN_DAILY } from "./shop.ts";

setDefaultTimeout(90_000);

const DAY = "2026-11-24";
const BEFORE = NOW.subtract({ hours: 48 });

/** Counts the keys of a terminal. */
function counting(terminal: Terminal) {
  const counted = {
    keys: 0,
    press: (...keys: string[]) => {
      counted.keys += keys.length;
      return terminal.press(...keys);
    },
  };
  return counted;
}

test("a new customer on the phone, with three films and the law beside the form: 49 keys from home", async () => {
  using folder = shopFolder(OPEN_DAILY);
  folder.write(addFilm(folder.read(), "carbon", "standard", { name: "Carbon" }));
  const by = counting(await openOn(folder, "home", { columns: 120, rows: 40, sees: "n new booking" }));
  await by.press("n").see(/Free that day[\s\S]*\[\d+:\d\d\]/);
  // "Not today, tomorrow."
  await by.press("right", "tab", ..."21 highlander").see(/‹ suv ›[\s\S]*Total/);
  await by.press("enter", ..."cer").see(/‹ ceramic ›/);
  const shown = await by.press("down", ..."50").see(/Tint law of Georgia: legal/);
  expect(shown).toMatch(/standard +\* ceramic +Carbon/);
  await by.press("tab", ..."Jordan Sample", "enter", ..."4045550142").see("Enter book");
  await by.press("enter").see(/✓ Booked Jordan Sample for Sun Nov 22/);
  expect(by.keys).toBe(49);
});

test("a move to another day at the same time: 5 keys", async () => {
  using folder = shopFolder(OPEN_DAILY);
  await using api = apiOf(folder, OPEN_DAILY, BEFORE);
  await api.book({ date: DAY, time: "09:00" });
  const by = counting(await openOn(folder, "diary", { about: DAY, sees: /1 booking/ }));
  await by.press("m", ..."fri", "enter").see(/→\s+Fri\s+Nov\s+27,\s+9:00\s+AM/);
  expect(by.keys).toBe(5);
});

test("rain over four jobs, moved and taken back: 7 keys", async () => {
  using folder = shopFolder(OPEN_DAILY);
  await using api = apiOf(folder, OPEN_DAILY, BEFORE);
  for (const time of ["09:00", "09:00", "14:00", "14:00"]) await api.book({ date: DAY, time });
  const by = counting(await openOn(folder, "diary", { about: DAY, sees: /4 bookings/ }));
  await by.press("a").see("4 marked");
  await by.press("m", ..."fri", "enter").see(/4 bookings moved\. u undoes it\./);
  await by.press("u").see(/4 bookings moved back\. U does it again\./);
  expect(by.keys).toBe(7);
});
