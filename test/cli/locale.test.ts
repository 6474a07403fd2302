/** Lines, arrows and marks on a terminal that is not UTF-8. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { dateIn, OPEN_DAILY, shopFolder } from "../process/server.ts";
import { tint, tintOnTerminal, tintToday } from "./run.ts";

setDefaultTimeout(60_000);

const HOURS = "9:00 AM–";

test.each([
  [{ LC_ALL: "C" }, false],
  [{ LANG: "en_US.ISO-8859-1" }, false],
  [{ LC_ALL: "", LC_CTYPE: "POSIX", LANG: "en_US.UTF-8" }, false],
  [{ LANG: "en_US.UTF-8" }, true],
  [{ LANG: "C.utf8" }, true],
  [{ LC_ALL: "", LC_CTYPE: "", LANG: "" }, true],
])("with %j", async (env, hasMarks) => {
  using folder = shopFolder(OPEN_DAILY);
  const day = ["day", dateIn(3)];
  const suv = ["book", "suv", "--film", "ceramic", "--name", "José", "--phone", "404-555-0171", "--anyway"];
  expect((await tintToday(folder, [...suv, "--date", dateIn(3), "--time", "09:00"])).status).toBe(0);
  const sheet = (await tintOnTerminal(folder, 80, day, { LC_ALL: "", LC_CTYPE: "", LANG: "", ...env })).join("\n");
  expect(sheet).toContain("José");
  expect(sheet.includes(HOURS)).toBe(hasMarks);
  expect(sheet.includes(HOURS.replace("–", "-"))).toBe(!hasMarks);
  expect(sheet.includes(" · 1 booking")).toBe(hasMarks);
  // A file or a pipe is UTF-8 wherever it is written.
  expect((await tint(folder, day, { env, now: "machine" })).stdout).toContain(HOURS);
});
