/** Changes of hours, days and bays name the bookings that they touch. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { dateFromNow } from "../fixed-day.ts";
import { OPEN_DAILY, type ShopFolder, shopFolder } from "../process/server.ts";
import { tint } from "./run.ts";

setDefaultTimeout(60_000);

const DAY = dateFromNow(3);
const WEEKDAY = Temporal.PlainDate.from(DAY).toLocaleString("en", { weekday: "long" }).toLowerCase();

async function booked(folder: ShopFolder, time: string, name: string): Promise<string> {
  const who = ["--name", name, "--phone", "404-555-0142", "--date", DAY, "--time", time];
  return JSON.parse((await tint(folder, ["book", "suv", ...who, "--json"])).stdout).confirmation_code;
}

test("hours, special hours, blocked hours and fewer bays name the bookings that no longer fit", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 2 });
  const early = await booked(folder, "9am", "Jordan Sample");
  const late = await booked(folder, "1pm", "Robin Example");
  const note = async (...args: string[]) =>
    (await tint(folder, args)).stderr
      .split("\n")
      .filter((line) => line.startsWith("Note:"))
      .join("\n");
  expect(await note("hours", "set", WEEKDAY, "8am-1pm", "--dry-run")).toMatch(
    new RegExp(
      `^Note: 1 confirmed booking no longer fits and would stay: .*1:00 PM Robin Example \\(${late}\\)\\. To move`,
    ),
  );
  expect(await note("hours", "special", DAY, "closed", "--dry-run")).toMatch(
    new RegExp(`^Note: 2 confirmed bookings no longer fit and would stay: .*${early}\\); .*${late}\\)\\.`),
  );
  // One bay is enough for two jobs that follow each other.
  expect(await note("catalog", "set", "scheduling.bays", "1", "--dry-run")).toBe("");
  const beside = await booked(folder, "1pm", "Casey Example");
  expect(await note("catalog", "set", "scheduling.bays", "1")).toMatch(
    new RegExp(`2 confirmed bookings no longer fit and stay: .*(${late}|${beside})`),
  );
  expect(await note("catalog", "undo")).toBe("");
  expect(await note("block", DAY, "--from", "2pm")).toContain("2 confirmed bookings no longer fit and stay:");
  // What did not fit before is not named again.
  expect(await note("hours", "set", WEEKDAY, "9am-6:30pm")).toBe("");
});
