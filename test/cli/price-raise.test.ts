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
  // Each price stands there once.
  expect(stdout).not.toContain("suv, ceramic, full");
  expect(await get(`${SUV}.ceramic.full`)).toBe(price);
  expect(await get(`${SUV}.standard.full`)).toBe(standard);
  await tint(folder, ["catalog", "undo"]);
  expect(await get(`${SUV}.ceramic.full`)).toBe(599);
});

test("the prices of one vehicle, of every film or of one", async () => {
  using folder = shopFolder();
  const get = async (path: string) => Number((await tint(folder, ["catalog", "get", path])).stdout);
  const { stdout } = await tint(folder, ["price", "raise", "--vehicle", "SUV", "7%", "--round", "5"]);
  expect(stdout).toMatch(/^suv standard full +\$349\.00 +→ +\$375\.00$/m);
  expect(stdout).toMatch(/^suv clearplex +\$475\.00 +→ +\$510\.00$/m);
  expect(stdout).not.toMatch(/^sedan/m);
  expect(await get("automotive.vehicle_types.sedan.standard.full")).toBe(289);
  await tint(folder, ["price", "raise", "ceramic", "10%", "--vehicle", "pickup"]);
  expect(await get("automotive.vehicle_types.truck.ceramic.full")).toBe(582);
  expect(await get("automotive.vehicle_types.truck.standard.full")).toBe(299);
  expect((await tint(folder, ["price", "raise", "7%"])).stderr).toContain("--vehicle suv");
  expect((await tint(folder, ["price", "raise", "--vehicle", "boat", "7%"])).status).toBe(2);
  const all = await tint(folder, ["price", "raise", "All", "10%"]);
  for (const vehicle of ["sedan", "truck"])
    expect(all.stdout).toMatch(new RegExp(`^${vehicle} carbon|^${vehicle} standard`, "m"));
  expect(all.stderr).toEndWith("\nTo undo it: tint catalog undo\n");
});

test("all means all: extras, removal and glass, which is rounded to the cent", async () => {
  using folder = shopFolder();
  await tint(folder, ["catalog", "set", "flat_glass.tens_from", "2000"]);
  const { stdout } = await tint(folder, ["price", "raise", "all", "10%"]);
  // From where the page rounds is no price.
  expect(stdout).not.toContain("tens from");
  expect(stdout).toMatch(/^suv film removal full +\$225\.00 +→ +\$248\.00$/m);
  expect(stdout).toMatch(/^addons sunroof price ceramic +\$129\.00 +→ +\$142\.00$/m);
  expect(stdout).toMatch(/^rates per sqft commercial better +\$16\.75 +→ +\$18\.43$/m);
  expect(stdout).toMatch(/^blocked window each +\$35\.00 +→ +\$39\.00$/m);
  expect((await tint(folder, ["catalog", "check"])).status).toBe(0);
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
