/** The screens in a real terminal: home → prices → a cell → save → quit, and the estimate form, at both sizes. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { addFilm, addVehicleType } from "../../src/catalog/edit/terms.ts";
import { childEnv, MAIN, type ShopFolder, shopFolder } from "../process/server.ts";
import { CATALOG_TEXT } from "../small-shop.ts";
import { openTerminal, type RealTerminal, SIZES, type Size } from "./tmux.ts";

setDefaultTimeout(90_000);

/** Runs `tint`; the shell tells the exit status once the screens are gone. */
async function openScreens(folder: ShopFolder, args: string, size: Size): Promise<RealTerminal> {
  const terminal = await openTerminal(folder, size);
  await terminal.run(`tint ${args}; echo "left with $?"`);
  return terminal;
}

/** The title is at the top and the keys at the bottom: no line has wrapped or scrolled away. A field that is typed takes q and ?, and names neither. */
function expectWhole(screen: string, title: string, { rows }: Size): void {
  const lines = screen.split("\n");
  expect(lines[0]).toStartWith(title);
  expect(lines.slice(0, rows).findLast((line) => line !== "")).toMatch(/(\? help|q quit|a-z type {2}Tab \w+)$/);
}

for (const size of SIZES) {
  test(`home → prices → a cell → save → quit, at ${size.columns}×${size.rows}`, async () => {
    using folder = shopFolder();
    await using terminal = await openScreens(folder, "", size);
    expectWhole(await terminal.see("Today: 0 bookings"), "Marlow Ridge Window Film", size);
    expectWhole(await terminal.press("p").see("sedan, standard, full: 289"), "Prices, USD", size);
    await terminal.press("Down", "Down", "Right", "Right").see("suv, ceramic, full: 599");
    await terminal.press("6", "2", "9").see("629▏");
    await terminal.press("Enter").see("suv, ceramic, full: 599 → 629");
    await terminal.press("s").see(/suv, ceramic, full +599 +→ +629/);
    expect(folder.read()).toBe(CATALOG_TEXT);
    expectWhole(await terminal.press("y").see("✓ Saved 1 change."), "Prices, USD", size);
    await terminal.press("Escape").see("Today: 0 bookings");
    await terminal.press("q").see("left with 0");
    expect(folder.read()).toBe(CATALOG_TEXT.replace("ceramic: {full: 599", "ceramic: {full: 629"));
  });

  test(`the estimate form, at ${size.columns}×${size.rows}`, async () => {
    using folder = shopFolder();
    await using terminal = await openScreens(folder, "estimate", size);
    expectWhole(await terminal.see(/Total +\$289\.00 +\$499\.00/), "Estimate", size);
    await terminal.press("s", "u").see(/Total +\$349\.00 +\$599\.00/);
    await terminal
      .press("Down", "Down", "Down", "Down", "Space")
      .see(/\[x\] Windshield strip[\s\S]*Total +\$408\.00 +\$698\.00/);
    expectWhole(
      await terminal.press("Down", "Down", "Down", "Down", "Down", "2", "0").see("Tint law of Georgia: illegal"),
      "Estimate",
      size,
    );
    await terminal.press("Tab").see("type it to see the price");
    expectWhole(
      await terminal.press("3", "5", "0", ".", "5").see(/Total +\$5,608\.00 +\$5,958\.50 +\$6,309\.00/),
      "Estimate",
      size,
    );
    // Where a number is typed, q is a letter too.
    await terminal.press("q").see("350.5q▏");
    await terminal.press("Down").see("q quit");
    await terminal.press("q").see("left with 0");
    expect(folder.read()).toBe(CATALOG_TEXT);
  });
}

for (const size of [
  { columns: 80, rows: 24 },
  { columns: 60, rows: 20 },
]) {
  test(`four films and nine vehicle types are reached with the arrows, at ${size.columns}×${size.rows}`, async () => {
    using folder = shopFolder();
    const films = addFilm(addFilm(CATALOG_TEXT, "carbon", "standard", { name: "Carbon" }), "nano", "ceramic", {
      name: "Nano",
    });
    folder.write(addVehicleType(addVehicleType(films, "minivan", "van"), "camper", "van"));
    await using terminal = await openScreens(folder, "", size);
    await terminal.see("Today: 0 bookings");
    await terminal.press("p").see(/^\d+ more →/m);
    expectWhole(await terminal.see("sedan, standard, full: 289"), "Prices, USD", size);
    const corner = await terminal
      .press(...Array(10).fill("Right"), ...Array(8).fill("Down"))
      .see("camper, Clear windshield protective film: 495");
    expectWhole(corner, "Prices, USD", size);
    expect(corner).toMatch(/← \d+ more/);
    expect(corner).toMatch(/^camper +.*495$/m);
    await terminal.press("5", "0", "5", "Enter", "s").see(/camper, Clear .* +495 +→ +505/);
    await terminal.press("y").see("✓ Saved 1 change.");
    await terminal.press("q").see("left with 0");
    expect(folder.read()).toMatch(/ camper: .*clearplex: 505\}/);
  });
}

test("Ctrl+C asks once where something is not saved, and the second one leaves", async () => {
  using folder = shopFolder();
  await using terminal = await openScreens(folder, "catalog edit", SIZES[0]);
  await terminal.see("Any value");
  await terminal.press("Enter").see("sedan, standard, full: 289");
  await terminal.press("1", "0", "Enter").see("1 unsaved change");
  await terminal.press("C-c").see("Leave with 1 unsaved change?");
  await terminal.press("C-c").see("left with 130");
  expect(folder.read()).toBe(CATALOG_TEXT);
});

test("without a terminal the form and the catalog's screen are wrong usage", async () => {
  using folder = shopFolder();
  for (const args of [["estimate"], ["catalog", "edit"]]) {
    const child = Bun.spawn([process.execPath, MAIN, ...args], {
      cwd: folder.path,
      env: childEnv({ TINT_CATALOG: folder.catalog, TINT_DATA: folder.data }),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await child.exited).toBe(2);
    expect(await new Response(child.stdout).text()).toBe("");
  }
});
