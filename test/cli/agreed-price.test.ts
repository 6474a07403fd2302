/** The owner's other work for a booking with an agreed price, and prices that an earlier version brought below zero. */
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { dateIn, OPEN_DAILY, type ShopFolder, shopFolder } from "../process/server.ts";
import { tintOnTerminal, tintToday } from "./run.ts";

setDefaultTimeout(60_000);

const DAY = dateIn(3);

async function booked(folder: ShopFolder, ...more: string[]): Promise<string> {
  const who = ["--name", "Jordan Sample", "--phone", "404-555-0142", "--date", DAY, "--time", "9am"];
  const { stdout } = await tintToday(folder, ["book", "suv", ...who, "--json", ...more]);
  return JSON.parse(stdout).confirmation_code;
}

test("other work where a price was agreed needs a new one, the list's, or the same", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booked(folder, "--film", "ceramic", "--price", "369");
  const edit = (...args: string[]) => tintToday(folder, ["bookings", "edit", code, ...args]);
  const totalAfter = async (...args: string[]) => JSON.parse((await edit(...args, "--json")).stdout).estimate.total;
  const refused = await edit("--coverage", "front2", "--name", "Robin");
  expect(refused).toEqual({
    ...{ status: 2, stdout: "" },
    stderr:
      "Not changed: $369.00 was agreed for this booking. Add --price with that of the other work, --list-price for the price list's, $239.00, or --keep-price.\n",
  });
  expect(await edit("--coverage", "front2", "--price", "200", "--list-price")).toMatchObject({ status: 2 });
  expect(JSON.parse((await tintToday(folder, ["bookings", "show", code, "--json"])).stdout)).toMatchObject({
    ...{ coverage: "full", customer: { name: "Jordan Sample" }, estimate: { total: 369 } },
  });
  expect(await totalAfter("--coverage", "front2", "--price", "200")).toBe(200);
  expect(await totalAfter("--coverage", "full", "--keep-price")).toBe(200);
  // A shade and a name cost nothing.
  expect(await totalAfter("--shade", "50", "--name", "Robin")).toBe(200);
  expect(await totalAfter("--list-price")).toBe(599);
  expect(await totalAfter("--price", "0")).toBe(0);
  expect(await totalAfter("--addon", "sunroof", "--keep-price")).toBe(0);
  expect(await totalAfter("--addon", "nofault", "--list-price", "--quiet")).toBeGreaterThan(599);
  const without = await booked(folder, "--price", "80");
  expect(await tintToday(folder, ["bookings", "edit", without, "--film", "ceramic"])).toMatchObject({ status: 2 });
});

test("on a terminal it asks for the price of other work; Enter takes the list's", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const edit = async (answer: string) => {
    const code = await booked(folder, "--film", "ceramic", "--price", "369");
    const args = ["bookings", "edit", code, "--coverage", "front2"];
    return (await tintOnTerminal(folder, 200, args, {}, [answer])).join("\n");
  };
  const listed = await edit("");
  expect(listed).toContain(
    "$369.00 was agreed for this booking. The new price (Enter takes the price list's, $239.00):",
  );
  expect(listed).toContain("price $369.00 → $239.00");
  expect(await edit("210")).toContain("price $369.00 → $210.00");
});

test("a price below zero, of an earlier version, counts as nothing in lists, reports and the card", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booked(folder, "--film", "ceramic", "--price", "369");
  using db = new Database(join(folder.data, "tintdesk.db"));
  db.run("UPDATE bookings SET answer = json_set(answer, '$.estimate.total', -230)");
  const month = DAY.slice(0, 7);
  for (const args of [
    ["bookings"],
    ["bookings", "--json"],
    ["bookings", "--csv"],
    ["bookings", "show", code],
    ["report", "--month", month],
    ["report", "--month", month, "--json"],
    ["day", DAY],
  ]) {
    const { stdout, status } = await tintToday(folder, args);
    expect([args, status, stdout.match(/-\$?230/)]).toEqual([args, 0, null]);
  }
});
