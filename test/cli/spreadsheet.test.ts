/** What opens in a spreadsheet: every list with `--csv`. */
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { NOW } from "../fixed-day.ts";
import { shopFolder } from "../process/server.ts";
import { apiOf } from "../screens/shop.ts";
import { tint, tintCsv } from "./run.ts";

setDefaultTimeout(60_000);

/** A half-space between the two parts, as Persian writes it. */
const PERSIAN = "علی\u200cرضا";

test("every list keeps names, phones and codes as they are", async () => {
  using folder = shopFolder();
  await using api = apiOf(folder, {}, NOW);
  const booked = { date: "2026-11-24", time: "09:00", customer_email: "ali@example.com" };
  await api.book({ ...booked, customer_name: `${PERSIAN} 👨\u200d👩\u200d👧`, customer_phone: "+1 678 231 7001" });
  await api.book({ ...booked, customer_name: "Kate", customer_phone: "+44 20 7946 0958", time: "14:00" });
  await api.ask({ first_name: PERSIAN, phone: "+1 678 231 7001" });
  await tint(folder, ["keys", "issue", "--name", "=cmd", "--email", "agent@example.com"]);
  using db = new Database(folder.database);
  db.run("UPDATE bookings SET confirmation_code = '12345E67' WHERE start_at = (SELECT max(start_at) FROM bookings)");

  const { stdout: bookings } = await tintCsv(folder, ["bookings"]);
  expect(bookings).toContain(`,${PERSIAN} 👨\u200d👩\u200d👧,(678) 231-7001,ali@example.com,`);
  expect(bookings).toContain(",'12345E67,Kate,(+44) 20 7946 0958,ali@example.com,");
  const { stdout: leads } = await tintCsv(folder, ["leads", "--status", "all"]);
  expect(leads).toContain(`,${PERSIAN},(678) 231-7001,`);
  expect((await tintCsv(folder, ["find", "kate"])).stdout).toContain("\nKate,(+44) 20 7946 0958,");
  const { stdout: keys } = await tintCsv(folder, ["keys"]);
  expect(keys).toMatch(
    /^key,prefix,name,email,use_case,per_minute,issued_at,network,revoked_at\nkey_\w+,tint_\w+,'=cmd,agent@example.com,,\d+,2\S+,,\n$/,
  );
  const { stdout: outbox } = await tintCsv(folder, ["outbox"]);
  expect(outbox).toMatch(/^id,state,what,due,lead,name,tries,reason,to,text\n/);
  expect(outbox).toContain(`,${PERSIAN},`);
  await tintCsv(folder, ["report"]);
  // What the cells hold finds the customer again, and lists on the screen show the same name.
  for (const cell of ["'12345E67", "(+44) 20 7946 0958"])
    expect((await tint(folder, ["find", cell])).stdout).toContain("Kate");
  expect((await tint(folder, ["leads"])).stdout).toContain(PERSIAN);
  expect((await tint(folder, ["leads", "--json"])).stdout).toStartWith("[{");
});
