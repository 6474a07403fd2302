/** Customers whom no message tells of a move or cancellation: named at once, and listed until they are called. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { dateFromNow } from "../fixed-day.ts";
import { OPEN_DAILY, shopFolder } from "../process/server.ts";
import { tint } from "./run.ts";

setDefaultTimeout(60_000);

const WHO = ["--film", "ceramic", "--time", "09:00", "--name", "Robin Example", "--phone", "404-555-0143", "--json"];

async function booked(folder: ReturnType<typeof shopFolder>): Promise<string> {
  const { stdout } = await tint(folder, ["book", "suv", "--date", dateFromNow(3), ...WHO]);
  return JSON.parse(stdout).confirmation_code;
}

test("a move that nothing tells of is to be called about, until it is done or undone", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booked(folder);
  const calls = async () => JSON.parse((await tint(folder, ["calls", "--json"])).stdout);
  const move = (day: number, ...more: string[]) => tint(folder, ["bookings", "move", code, dateFromNow(day), ...more]);
  expect((await move(4)).stderr).toMatch(
    new RegExp(`\nNobody is told \\([^)]+\\): call \\(404\\) 555-0143\\. Then: tint calls done ${code}\n$`),
  );
  expect(await calls()).toMatchObject([{ confirmation_code: code, name: "Robin Example", phone: "+14045550143" }]);
  expect((await tint(folder, ["calls"])).stdout).toMatch(/Robin Example +\(404\) 555-0143 +.*, now /);
  expect((await tint(folder, ["doctor"])).stdout).toContain("1 customer must be called about a change");
  // Back to the time that the customer knows: nobody is to be called.
  expect((await move(3)).stderr).not.toContain("Nobody is told");
  expect(await calls()).toEqual([]);
  // Who tells the customer says so.
  expect((await move(5, "--quiet")).stderr).not.toContain("Nobody is told");
  expect(await calls()).toEqual([]);
  expect((await tint(folder, ["bookings", "cancel", code])).stderr).toContain("Nobody is told");
  expect((await tint(folder, ["calls"])).stdout).toContain("is cancelled");
  expect((await tint(folder, ["calls", "done", code])).stderr).toContain("Robin Example was called");
  expect(await calls()).toEqual([]);
  expect((await tint(folder, ["calls", "done", code])).status).toBe(1);
});

test("a change with a message that goes out needs no call", async () => {
  using folder = shopFolder({
    ...OPEN_DAILY,
    "messages.confirmation_email.enabled": true,
    "messages.cancelled_email.enabled": true,
  });
  const mail = { SMTP_URL: "smtp://127.0.0.1:2525", MAIL_FROM: "shop@example.com" };
  const args = ["book", "suv", "--date", dateFromNow(3), ...WHO, "--email", "robin@example.com"];
  const code = JSON.parse((await tint(folder, args)).stdout).confirmation_code;
  const { stderr } = await tint(folder, ["bookings", "cancel", code], { env: mail });
  expect(stderr).not.toContain("Nobody is told");
});

test("what the customer asked for needs no call", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booked(folder);
  const calls = async () => JSON.parse((await tint(folder, ["calls", "--json"])).stdout);
  const bookings = async (...words: string[]) => (await tint(folder, ["bookings", ...words])).stderr;
  expect(await bookings("move", code, dateFromNow(4), "--by", "customer")).not.toContain("Nobody is told");
  expect(await calls()).toEqual([]);
  expect(await bookings("move", code, dateFromNow(5))).toContain("Nobody is told (such messages are off)");
  expect(await calls()).toHaveLength(1);
  expect(await bookings("cancel", code, "--by", "customer")).not.toContain("Nobody is told");
  expect(await calls()).toEqual([]);
});
