/** Small terminals: every screen fits, and says what it is. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { screens } from "../../cli/screens/index.ts";
import type { ScreenName } from "../../cli/screens/kit/navigation.ts";
import { addFilm } from "../../src/catalog/edit/terms.ts";
import { NOW } from "../fixed-day.ts";
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
      const frame = await home.press(key).see(HEADS[name] ?? new RegExp(`^${title.split(" ")[0]}`));
      expect(frame).toMatch(/\?|Enter/);
      await home.press("esc").see(/Today: 1/);
    }
    await openOn(folder, "booking", { ...size, about: code, sees: "Jordan Sample" });
    const book = await openOn(folder, "book", size);
    const form = await book.see(/about 2 h 30 min/);
    // On a narrow terminal prices and times are under the form.
    expect(form).toMatch(
      /^› Day .*\n[\s\S]*more…[\s\S]*\n\* standard \$289\.00 · ceramic \$499\.00, about 2 h 30 min *\n(Free: .*\d)$/m,
    );
    const estimate = await openOn(folder, "estimate", size);
    expect(await estimate.see("Takes about")).toMatch(/Tint law of Georgia: /);
    await openOn(folder, "leads", { ...size, sees: /Q-\w{6} +new .* Robin/ });
  });
}

test.each([
  { columns: 80, rows: 20 },
  { columns: 60, rows: 20 },
])("home shows menu and warnings, and a cancelled booking without colour, at %j", async (size) => {
  using folder = shopFolder();
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
  const code = await api.book({ date: "2026-11-21", time: "10:00", customer_name: "Jordan Sample" });
  await api.store.changeBookingStatus(code, "cancelled_by_customer", NOW.epochMilliseconds);
  const server = { at: "127.0.0.1:9000", says: undefined };
  const home = await openOn(folder, "home", { ...size, server });
  const frame = await home.see("nothing answers on 127.0.0.1:9000");
  expect(frame).toMatch(/Jordan Sample.*cancelled: /);
  for (const { key, title } of screens.menu) expect(frame).toMatch(new RegExp(`${key}  ${title}`));
});

test("four films at 80 columns: each with its name and price, and what the chosen one is made of", async () => {
  using folder = shopFolder();
  for (const film of ["carbon", "crystal"]) folder.write(addFilm(folder.read(), film, "standard", { name: film }));
  for (const name of ["estimate", "book"] as const) {
    const terminal = await openOn(folder, name);
    const prices = await terminal.see(/The job +\$289\.00/);
    expect(prices).toMatch(
      /\* Standard film +\$289\.00 *\n.* Ceramic IR film +\$499\.00 *\n.* carbon +\$289\.00 *\n.* crystal +\$289\.00/,
    );
  }
});

test("at 60×20 warnings leave the whole menu, a booking and a lead", async () => {
  using folder = shopFolder({ "messages.confirmation_sms.enabled": true });
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
  for (const name of ["Jordan Sample", "Ann Second"])
    await api.book({ date: "2026-11-21", time: "10:00", customer_name: name });
  await api.ask();
  const server = { at: "127.0.0.1:9000", says: undefined };
  const home = await openOn(folder, "home", { columns: 60, rows: 20, server });
  const frame = await home.see("nothing answers on 127.0.0.1:9000");
  expect(frame).toMatch(/Today: [\s\S]*(Jordan|Ann)[\s\S]*Open quote requests: 1[\s\S]*Robin/);
  for (const { key, title } of screens.menu) expect(frame).toMatch(new RegExp(`${key}  ${title}`));
});

test("a window that is too small says so, takes no keys, and shows the screen again once it is large", async () => {
  using folder = shopFolder();
  const home = await openOn(folder, "home", { columns: 59, rows: 20, sees: "This window is too small (59×20)." });
  expect(home.frame()).toMatch(/Make\sit 60×20 or larger/);
  home.press("d");
  home.resize({ columns: 60, rows: 19 });
  await home.see("too small (60×19)");
  home.resize({ columns: 80, rows: 24 });
  const frame = await home.see("Open quote requests: 0");
  expect(frame).not.toContain("too small");
  home.resize({ columns: 20, rows: 5 });
  await home.see("small (20×5)");
  home.press("ctrl+c");
  await home.leave();
});
