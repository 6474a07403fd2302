/** `tint price raise`: every price of a film or service by a percentage. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { shopFolder } from "../process/server.ts";
import { tint } from "./run.ts";

setDefaultTimeout(30_000);

const SUV = "automotive.vehicle_types.suv";

test.each([
  [["5%"], 629],
  [["5%", "--round", "5"], 630],
  [["2.5", "--round", "0.01"], 613.98],
  [["--", "-10%"], 539],
])("tint price raise ceramic %p", async (words, price) => {
  using folder = shopFolder();
  const get = async (path: string) => Number((await tint(folder, ["catalog", "get", path])).stdout);
  const standard = await get(`${SUV}.standard.full`);
  const { status, stdout, stderr } = await tint(folder, ["price", "raise", "ceramic", ...words]);
  expect([status, stderr]).toEqual([0, expect.stringContaining("Saved")]);
  expect(stdout).toMatch(/^price +old +new\n/);
  expect(stdout).toMatch(/^suv ceramic full +\$599\.00 +→ +\$/m);
  expect(await get(`${SUV}.ceramic.full`)).toBe(price);
  expect(await get(`${SUV}.standard.full`)).toBe(standard);
  await tint(folder, ["catalog", "undo"]);
  expect(await get(`${SUV}.ceramic.full`)).toBe(599);
});

test("a dry run saves nothing; slips are named", async () => {
  using folder = shopFolder();
  const before = folder.read();
  await tint(folder, ["price", "raise", "ceramic", "5%", "--dry-run"]);
  expect(folder.read()).toBe(before);
  const TYPOS = [
    ["cermic", "5%"],
    ["ceramic", "much"],
    ["ceramic", "5%", "--round", "0"],
    ["ceramic", "--", "-100%"],
  ];
  for (const typo of TYPOS) expect([typo, (await tint(folder, ["price", "raise", ...typo])).status]).toEqual([typo, 2]);
  expect(folder.read()).toBe(before);
});
