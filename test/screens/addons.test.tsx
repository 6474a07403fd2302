/** The add-ons: prices by film and minutes, in the same kind of grid as the prices. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { shopFolder } from "../process/server.ts";
import { CATALOG_TEXT } from "../small-shop.ts";
import { openOn, SIZES } from "./render.tsx";

setDefaultTimeout(90_000);

for (const size of SIZES) {
  test(`a price and the minutes of an add-on, at ${size.columns} columns`, async () => {
    using folder = shopFolder();
    const terminal = await openOn(folder, "addons", { ...size, sees: "Windshield strip, standard: 59" });
    await terminal.press("down", "down", "right").see("Sunroof film, ceramic: 129");
    await terminal.press("1", "3", "9", "enter").see("Sunroof film, ceramic: 129 → 139");
    await terminal.press("right", "6", "0", "enter").see("Sunroof film, minutes: 45 → 60");
    const asked = await terminal.press("s").see("Write this to catalog.yaml?");
    expect(asked).toMatch(/suv, ceramic, sunroof +\$129\.00 +→ +\$139\.00/);
    await terminal.press("y").see("✓ Saved 2 changes.");
    const line = (text: string) => text.split("\n").findIndex((one) => one.includes("sunroof:          {"));
    const lines = CATALOG_TEXT.split("\n");
    const at = line(CATALOG_TEXT);
    const edited = (lines[at] ?? "").replace("ceramic: 129", "ceramic: 139").replace("minutes: 45", "minutes: 60");
    expect(folder.read()).toBe(lines.with(at, edited).join("\n"));
  });
}

test("minutes that are no whole number are refused", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "addons", { sees: "Windshield strip, standard: 59" });
  await terminal
    .press("right", "right", "3", ".", "5", "enter")
    .see("✗ Windshield strip, minutes must be a whole number");
  await terminal.press("esc").see("Windshield strip, minutes: 30");
});
