/** `tint quote` and `tint receipt`: paper for the customer. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { OPEN_DAILY, shopFolder } from "../process/server.ts";
import { saying, tint, tintJson } from "./run.ts";

setDefaultTimeout(60_000);

test("a booking's quote and receipt name work, price and what was paid, and escape what customers typed", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, tax: { status: "added", rate_pct: 8.25, label: "sales tax" } });
  const args = ["--date", dateFromNow(3), "--time", "09:00", "--name", "Robin <b>", "--phone", "404-555-0143"];
  const job = ["suv", "--film", "ceramic", "--shade", "50/20", "--price", "600", "--note", "ours alone"];
  const code = (await tintJson(folder, ["book", ...job, ...args])).confirmation_code;
  await tint(folder, ["pay", code, "100", "--by", "cash", "--as", "deposit"]);
  const paper = async (...words: string[]) => (await tint(folder, words)).stdout;
  const quote = await paper("quote", code);
  for (const part of [
    /^Quote\nMarlow Ridge Window Film\n100 Example Parkway, Marietta, GA 30060\n/,
    /\nFilm +Ceramic IR film\nShade +front side 50%, rear side 20%, rear window 20%\nTint law +Georgia: legal\n/,
    /\nPrice +\$600\.00\nSales tax +\$49\.50\nWith tax +\$649\.50\nDeposit paid +\$100\.00\nValid until +Tue Nov 24, 2026\n/,
  ])
    expect(quote).toMatch(part);
  const receipt = await paper("receipt", code);
  expect(receipt).toMatch(/\nDeposit, Sat Nov 21 +\$100\.00 cash\nDue +\$549\.50\n$/);
  expect(quote + receipt).not.toContain("ours alone");
  expect(await paper("receipt", code, "--html")).toContain("Robin &lt;b&gt;");
});

test("paper of a cancelled or missed booking says so, and has the minus of reports", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const args = ["--date", dateFromNow(3), "--time", "09:00", "--name", "Robin", "--phone", "404-555-0143", "--json"];
  const code = JSON.parse((await tint(folder, ["book", "suv", "--price", "300", ...args])).stdout).confirmation_code;
  const papers = async () =>
    (await Promise.all(["quote", "receipt"].map((kind) => tint(folder, [kind, code])))).map(({ stdout }) => stdout);
  for (const paper of await papers()) expect(paper).not.toContain("ancelled");
  await tint(folder, ["bookings", "cancel", code]);
  for (const paper of await papers())
    expect(paper).toMatch(/\nVisit +.*\nStatus +Cancelled\n[\s\S]*\nAgreed price +−\$49\.00\n/);
  await tint(folder, ["bookings", "reopen", code]);
  await tint(folder, ["bookings", "no-show", code], { now: NOW.add({ hours: 80 }) });
  for (const paper of await papers()) expect(paper).toContain("\nStatus        No-show\n");
  expect((await tint(folder, ["bookings", code])).stdout).toContain(`${code}, no-show\n`);
});

test("a job alone is quoted as it is said, by the readers of an estimate", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const job = ["--vehicle", "2021 Camry", "--film", "ceramic", "--shade", "50 front 20 rest"];
  const { stdout } = await tint(folder, ["quote", ...job, "--name", "Kim"]);
  expect(stdout).toMatch(
    /\nFor +Kim\nVehicle +2021 Toyota Camry.*\nFilm +Ceramic IR film\nShade +front side 50%, rear side 20%, rear window 20%\nTint law +Georgia: illegal\n/,
  );
  expect(stdout).toMatch(/\nPrice +\$[\d,.]+\nTax .*\nValid until +Sat Dec 5, 2026\n/);
  expect((await tint(folder, ["quote", "21", "camry"])).stdout).toContain("Vehicle      2021 Toyota Camry");
  const legal = await tint(folder, ["quote", "--vehicle", "2021 Camry", "--film", "ceramic", "--shade", "legal"]);
  expect(legal.stderr).toMatch(
    /^Note: "legal" is understood as the darkest legal shade in stock, \d+\/\d+(\/\d+)?\.\n$/,
  );
  const nothing = await tint(folder, ["quote", "--name", "Kim"]);
  expect(nothing).toMatchObject(saying(2, "the reference of a lead, or a car:"));
  const wrong = await tint(folder, ["quote", ...job, "--film", "gold"]);
  expect(wrong).toMatchObject({ status: 2, stdout: "" });
  expect((await tint(folder, ["quote", ...job, "--email"])).stderr).toContain("name a booking or a lead");
});

test("a lead's car is priced with shades and law; what was told holds its own date", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const who = ["--name", "Kim", "--phone", "404-555-0177", "--vehicle", "21 camry", "--film", "ceramic", "--json"];
  const { reference } = JSON.parse((await tint(folder, ["leads", "add", ...who])).stdout);
  expect((await tint(folder, ["quote", reference])).stdout).toMatch(
    /Vehicle +2021 Toyota Camry.*\nFilm +Ceramic IR film\n[\s\S]*Price +\$[\s\S]*Valid until/,
  );
});

test("a receipt does not ask again for what was paid back after the work", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const work = ["--date", dateFromNow(0), "--time", "06:00", "--name", "Robin", "--price", "500", "--anyway"];
  const code = (await tintJson(folder, ["book", "suv", ...work])).confirmation_code;
  const due = async () => (await tint(folder, ["receipt", code])).stdout.match(/Due +(\S+)/)?.[1];
  await tint(folder, ["pay", code, "100", "--by", "card", "--as", "deposit"]);
  await tint(folder, ["pay", code, "100", "--by", "card", "--as", "refund"]);
  expect(await due()).toBe("$500.00");
  await tint(folder, ["bookings", "complete", code, "--paid", "440 cash", "--yes"]);
  expect(await due()).toBe("$60.00");
  await tint(folder, ["pay", code, "60", "--by", "cash"]);
  await tint(folder, ["pay", code, "60", "--by", "cash", "--as", "refund"]);
  expect(await due()).toBe("$0.00");
});

test("paper is sent through the outbox: whole by e-mail, as a link by text, and not to who wants none", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const args = ["--date", dateFromNow(3), "--time", "09:00", "--name", "Robin", "--phone", "404-555-0143"];
  const book = ["book", "suv", ...args, "--email", "robin@example.com", "--json"];
  const code = JSON.parse((await tint(folder, book)).stdout).confirmation_code;
  const send = async (...words: string[]) => (await tint(folder, words)).stderr;
  expect(await send("receipt", code, "--email")).toContain("to Robin, robin@example.com, waits: e-mails are off");
  expect(await send("quote", code, "--text")).toContain("(404) 555-0143, waits: texts are off");
  expect(await send("receipt", code, "--email")).toContain("the same e-mail waits already");
  const jobs = await tintJson(folder, ["outbox"]);
  const text = (kind: string) => jobs.find((job: { kind: string }) => job.kind === kind)?.text;
  expect(text("paper_email")).toMatch(
    /^Hello Robin, here is your receipt\.\n\nReceipt\nMarlow[\s\S]*\nPrice +\$[\s\S]*\nTo print it: \S+\/book\/receipt\/[\w-]+\n/,
  );
  expect(text("paper_sms")).toMatch(/^Marlow Ridge Window Film: your quote: \S+\/book\/receipt\/[\w-]+$/);
  await tint(folder, ["catalog", "set", "messages.paper_sms", "{enabled: false}"]);
  expect(await send("receipt", code, "--text")).toContain("tint catalog set messages.paper_sms.enabled true");
  const { reference } = await tintJson(folder, ["leads", "add", "--name", "Kim"]);
  expect(await send("quote", reference, "--email")).toContain("there is no e-mail address");
});

test("a lead's quote has the amount that was quoted, and nothing that the shop wrote down for itself", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const who = ["--name", "Kim", "--phone", "404-555-0177", "--note", "haggles", "--json"];
  const house = ["--service", "residential", "--square-footage", "200", "--address", "12 Elm St"];
  const { reference } = JSON.parse((await tint(folder, ["leads", "add", ...who, ...house])).stdout);
  const quote = async () => (await tint(folder, ["quote", reference])).stdout;
  expect(await quote()).toMatch(/Address +12 Elm St\nGlass +200 sq ft\nPrice +\$[\d,.]+–\$/);
  expect(await quote()).toContain("The shop confirms the price when it sees");
  await tint(folder, ["leads", "quoted", reference, "--amount", "2200", "--note", "would take 2000"]);
  expect(await quote()).toMatch(/Price +\$2,200\.00\n/);
  expect(await quote()).not.toMatch(/confirms the price/);
  expect(await quote()).not.toMatch(/haggles|2000|0143/);
  await tint(folder, ["leads", "won", reference, "--amount", "2100"]);
  expect(await quote()).toMatch(/Price +\$2,100\.00\n/);
});
