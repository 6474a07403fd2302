/** The owner's changes to a booking: move, complete with what was paid, and undo. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { dateIn, OPEN_DAILY, type ShopFolder, shopFolder } from "../process/server.ts";
import { tint } from "./run.ts";

setDefaultTimeout(60_000);

const DAY = dateIn(3);
const OTHER = dateIn(4);

async function booked(folder: ShopFolder, ...more: string[]): Promise<string> {
  const who = ["--name", "Jordan Sample", "--phone", "404-555-0142", "--date", DAY, "--time", "9am"];
  const { stdout } = await tint(folder, ["book", "suv", ...who, "--json", ...more]);
  return JSON.parse(stdout).confirmation_code;
}

async function messagesIn(folder: ShopFolder): Promise<string[]> {
  const store = openSqliteStore(folder.data);
  const kinds = (await store.waitingJobs(99)).map(({ kind }) => kind);
  await store.close();
  return kinds.sort();
}

test("a move keeps code and price, tells the customer and not the shop, and says how to undo it", async () => {
  using folder = shopFolder({
    ...OPEN_DAILY,
    "messages.confirmation_sms.enabled": true,
    "messages.rescheduled_sms.enabled": true,
  });
  const code = await booked(folder, "--price", "500");
  const { status, stdout, stderr } = await tint(folder, ["bookings", "move", code, OTHER, "2pm", "--json"]);
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringContaining(`To undo it: tint bookings move ${code} ${DAY} 09:00`),
  });
  expect(JSON.parse(stdout)).toMatchObject({
    confirmation_code: code,
    date: OTHER,
    time: "14:00",
    estimate: { total: 500 },
  });
  expect(await messagesIn(folder)).toEqual(["push_to_crm", "push_to_crm", "rescheduled_sms"]);
});

test("a move needs a free bay always, and --anyway outside opening hours", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 1 });
  const code = await booked(folder);
  const late = await tint(folder, ["bookings", "move", code, DAY, "9pm"]);
  expect(late).toMatchObject({ status: 1, stdout: "" });
  expect(late.stderr).toContain("--anyway");
  expect((await tint(folder, ["bookings", "move", code, OTHER, "9pm", "--anyway"])).status).toBe(0);
  const second = await booked(folder);
  const full = await tint(folder, ["bookings", "move", second, OTHER, "9pm", "--anyway"]);
  expect(full.status).toBe(1);
  expect(full.stderr).toContain("every bay is busy");
});

test("cancelling tells the customer; reopening takes back what was not sent yet", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "messages.cancelled_sms.enabled": true });
  const code = await booked(folder);
  const cancelled = await tint(folder, ["bookings", "cancel", code]);
  expect(cancelled.stderr).toContain(`To undo it: tint bookings reopen ${code}`);
  expect(await messagesIn(folder)).toEqual(["cancelled_sms", "push_to_crm", "push_to_crm"]);
  expect((await tint(folder, ["bookings", "reopen", code])).status).toBe(0);
  expect(await messagesIn(folder)).not.toContain("cancelled_sms");
});

test("completed with what was paid; the lead is won, and open again with the booking", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const who = ["--name", "Jordan", "--phone", "404-555-0142", "--date", dateIn(-1), "--time", "9am", "--anyway"];
  const code = JSON.parse((await tint(folder, ["book", "suv", ...who, "--json"])).stdout).confirmation_code;
  const lead = async () => JSON.parse((await tint(folder, ["leads", "--status", "all", "--json"])).stdout)[0].status;
  expect(await lead()).toBe("new");
  expect(JSON.parse((await tint(folder, ["leads", "--json"])).stdout)).toEqual([]);
  expect(await tint(folder, ["bookings", "complete", code, "--by", "card"])).toMatchObject({ status: 2 });
  const done = await tint(folder, ["bookings", "complete", code, "--paid", "$349", "--by", "card", "--json"]);
  expect(JSON.parse(done.stdout).paid).toEqual({ amount: 349, by: "card" });
  expect((await tint(folder, ["bookings", "show", code])).stdout).toMatch(/Paid +\$349\.00, card/);
  expect(await lead()).toBe("won");
  await tint(folder, ["bookings", "reopen", code]);
  expect(await lead()).toBe("new");
});

test("an edit corrects customer, car, note and price; messages that wait go to the new number", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "messages.confirmation_sms.enabled": true });
  const code = await booked(folder);
  const args = ["--name", "Robin", "--phone", "404-555-0143", "--email", "robin@example.com", "--note", "back door"];
  const car = ["--make", "Toyota", "--price", "300"];
  const { status, stdout, stderr } = await tint(folder, ["bookings", "edit", code, ...args, ...car, "--json"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: `Booking ${code} is corrected.\n` });
  expect(JSON.parse(stdout)).toMatchObject({
    customer: { name: "Robin", phone: "+14045550143", email: "robin@example.com" },
    vehicle: { description: "Toyota (suv)" },
    special_requests: "back door",
    estimate: { total: 300 },
    time: "09:00",
  });
  const store = openSqliteStore(folder.data);
  const [text] = await store.waitingJobs(9, { kinds: ["confirmation_sms"] });
  expect(text?.delivery?.payload).toMatchObject({ to: "+14045550143" });
  await store.close();
  for (const [given, says] of [
    [["--phone", "12"], "--phone must be a phone number"],
    [[], "Say what to correct"],
  ] as const) {
    const refused = await tint(folder, ["bookings", "edit", code, ...given]);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain(says);
  }
});
