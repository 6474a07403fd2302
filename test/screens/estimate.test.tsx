/** The estimate form: it prices both films after each key, and checks the tint law. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { shopFolder } from "../process/server.ts";
import { CATALOG_TEXT } from "../small-shop.ts";
import { openOn, SIZES } from "./render.tsx";

setDefaultTimeout(90_000);

for (const size of SIZES) {
  test(`a car, at ${size.columns} columns`, async () => {
    using folder = shopFolder();
    const terminal = await openOn(folder, "estimate", { ...size, sees: /Total +\$289\.00 +\$499\.00/ });
    await terminal.press("s", "u").see(/‹ suv ›[\s\S]*Total +\$349\.00 +\$599\.00/);
    await terminal.press("down", "down", "right").see(/Total +\$139\.00 +\$239\.00/);
    await terminal
      .press("left", "down", "right", "down", " ")
      .see(/\[x\] Windshield strip[\s\S]*Total +\$408\.00 +\$698\.00/);
    await terminal.see(/\* ceramic/);
    const frame = await terminal
      .press("down", "down", "down", "down", "down", "3", "5")
      .see("Tint law of Georgia: borderline");
    expect(frame).toMatch(/front side +borderline +.*26\.3% of light/);
    expect(frame).toMatch(/rear side +legal/);
    expect(frame).toContain("Information, not legal advice");
    // What is seldom asked is folded away, and a law that says nothing is a line.
    expect(frame).not.toContain("Windshield shade");
    await terminal.press("down", " ").see(/› Windshield shade/);
    await terminal.press("down", "c", "a", "l").see("Tint law of California: ");
    await terminal.press("g", "e", "o").see("Tint law of Georgia: ");
    expect(await terminal.press("up", "up", ..."50").see(/Tint law of Georgia: legal/)).not.toMatch(/rear side/);
    expect(folder.read()).toBe(CATALOG_TEXT);
  });
}

test("a building", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "estimate", { sees: "Total" });
  await terminal.press("tab").see("Glass, sq ft: type it to see the price.");
  await terminal.press(..."350.5").see(/Total +\$5,608\.00 +\$5,958\.50 +\$6,309\.00/);
  const frame = await terminal
    .press("down", "down", "down", "4", "down", "down", "2", "down", "3", "down", "5", "0")
    .see(/Total +\$6,584\.00–\$6,684\.00 +\$6,934\.50–\$7,034\.50 +\$7,285\.00–\$7,385\.00/);
  expect(frame).toContain("* Better");
  expect(frame).toMatch(/Ladder work +\$701/);
});

test("films with long names are told apart, and a row has cents throughout", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "estimate", { sees: "Total" });
  const frame = await terminal.press("tab", ..."350", "down", ..."sec").see("Clear safety 4 mil");
  expect(frame).toMatch(/Better +Clear security 8 mil *\n/);
  expect(frame.replace(/\s+/g, " ")).toMatch(/Best .*8 mil with frame .*attachment/);
  expect(frame).toMatch(/Per sq ft +\$16\.50 +\$17\.25 +\$18\.00/);
  const full = await terminal
    .press("down", "down", "4", "down", "down", "2", "down", "3", "down", "5")
    .see("Old film removed");
  expect(full).not.toContain("…");
  expect(full).toMatch(/Ladder work +\$700\.00 +\$700\.00 +\$700\.00/);
});

test("a price range too wide for its column does without cents", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "estimate", { sees: "Total" });
  await terminal
    .press("tab", ..."12345.5", "up", ..."100")
    .see(/Total +\$197,728–\$197,928 +\$210,074–\$210,274 +\$222,419–\$222,619/);
});

test("a wrong shade is refused by the name of its field, and corrected", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "estimate", { sees: "Total" });
  for (let i = 0; i < 9; i++) terminal.press("down");
  // The price without it stays.
  expect(await terminal.press(..."5x").see("✗ Shade must be a percentage")).toMatch(/Total +\$289\.00/);
  await terminal.press("backspace").see(/front side +illegal/);
});

test("a price that another editor saves is in force at once", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "estimate", { sees: /Total +\$289\.00/ });
  folder.write(CATALOG_TEXT.replace("sedan:     {standard: {full: 289", "sedan:     {standard: {full: 291"));
  await terminal.see(/Total +\$291\.00 +\$499\.00/);
});

test("capitals are letters there too; what is in a field is edited in place", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "estimate", { sees: "Total" });
  await terminal.press(..."SU").see("‹ suv ›");
  for (let i = 0; i < 9; i++) terminal.press("down");
  await terminal.press(..."Limo").see(/› Shade +Limo▏[\s\S]*front side +illegal/);
  await terminal.press("up", "down").see("[Limo]");
  await terminal.press("left", "backspace").see(/› Shade +Li▏o/);
});
