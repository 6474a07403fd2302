/** Small terminals: every screen fits, and says what it is. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { screens } from "../../cli/screens/index.ts";
import type { ScreenName } from "../../cli/screens/kit/shell/screen-names.ts";
import { NOW } from "../helpers.ts";
import { shopFolder } from "../process/server.ts";
import { openOn } from "./render.tsx";
import { apiOf } from "./shop.ts";

setDefaultTimeout(90_000);

/** Where the screen is not called as in the menu. */
const HEADS: Partial<Record<ScreenName, RegExp>> = {
  catalog: /^Change the catalog/,
  keys: /^Keys|^API keys/,
};

for (const size of [{ columns: 60, rows: 20 }]) {
  test(`every screen fits ${size.columns}×${size.rows}`, async () => {
    using folder = shopFolder();
    await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
    const code = await api.book({ date: "2026-11-21", time: "10:00", customer_name: "Jordan Sample" });
    await api.ask();
    const home = await openOn(folder, "home", size);
    expect(await home.see(/Today: 1/)).toContain("? help");
    for (const { key, title, name } of screens.menu) {
      home.press(key);
      const frame = await home.see(HEADS[name] ?? new RegExp(`^${title.split(" ")[0]}`));
      expect(frame).toMatch(/\?|Enter/);
      home.press("esc");
      await home.see(/Today: 1/);
    }
    const booking = await openOn(folder, "booking", { ...size, about: code });
    await booking.see("Jordan Sample");
    const book = await openOn(folder, "book", size);
    await book.see("Enter next");
  });
}

test("at 40×10 the home screen shows today and the part with the selection", async () => {
  using folder = shopFolder();
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
  await api.book({ date: "2026-11-21", time: "10:00", customer_name: "Jordan Sample" });
  const home = await openOn(folder, "home", { columns: 40, rows: 10 });
  const first = await home.see("(404) 555-");
  expect(first).toContain("Today: 1 booking · this week");
  expect(first).toContain("Open quote requests: 0");
  home.press("down");
  const menu = await home.see("› d  Diary");
  expect(menu).toContain("Today: 1 booking · this week");
  for (const { key } of screens.menu) expect(menu).toContain(` ${key}  `);
});
