/** The messages screen: who was not reached and why, another attempt, and the end of it. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { NOW } from "../fixed-day.ts";
import { shopFolder } from "../process/server.ts";
import { attemptOf, newJob, newLead } from "../store/conformance-values.ts";
import { openOn } from "./render.tsx";

setDefaultTimeout(60_000);

const BLOCKED = "the carrier blocks texts from unregistered senders (30034)";

/** A shop with a lead for each name; the text about it failed for all but the last. */
async function shopWithFailed(...names: string[]) {
  const folder = shopFolder();
  const store = openSqliteStore(folder.data);
  const now = NOW.epochMilliseconds;
  for (const name of names)
    await store.addLead(
      newLead({ name, createdAt: now, jobs: [newJob("notify_shop_sms", { dueAt: now - 3_600_000 })] }),
    );
  const fresh = names.length - 1;
  const claim = { kinds: ["notify_shop_sms" as const], now, lastsMs: 1_000, fresh, retries: 9, running: [] };
  const jobs = await store.claimJobs(claim);
  await store.settleJobs(jobs.map((job) => ({ ...attemptOf(job), kind: "failed", reason: BLOCKED })));
  await store.close();
  return folder;
}

test("who was not reached and why; tried again, dropped, and all failed ones dropped after a yes", async () => {
  using folder = await shopWithFailed("Ann First", "Bob Second", "Cem Third", "Dee Fourth");
  const home = await openOn(folder, "home", { sees: "m shows them" });
  const all = await home.press("m").see(/Messages +3 failed, 1 waits/);
  expect(all).toMatch(/› Ann First +failed +news for the shop\n[\s\S]*Why: the carrier blocks texts .*\(30034\)\nTo /);
  await home.press("r").see(/Messages +2 failed, 2 wait[\s\S]*✓ Message 1 is due now/);
  await home.press("home", "x").see("Never send this message to Bob Second?");
  await home.press("y").see(/Messages +1 failed, 2 wait[\s\S]*✓ Message 2 is dropped/);
  await home.press("X").see("Never send the failed message?");
  await home.press("n").see("1 failed");
  await home.press("X", "y").see(/Messages +0 failed, 2 wait[\s\S]*✓ 1 failed message is dropped/);
  const never = await home.press("right").see(/Messages that were never sent +2/);
  expect(never).toMatch(/Cem Third +lapsed[\s\S]*Why: dropped by the shop/);
});

test("at 60×20 the reason can be read", async () => {
  using folder = await shopWithFailed("Ann First", "Bob Second");
  const terminal = await openOn(folder, "messages", { columns: 60, rows: 20 });
  const frame = await terminal.see("Why:");
  expect(frame.replace(/ *\n/g, " ")).toContain(`Why: ${BLOCKED}`);
});
