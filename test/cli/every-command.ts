/** A shop with a bit of everything, and every command that takes --json with words that it can do something with. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../src/lib/ids.ts";
import { keepVersion } from "../../src/store/catalog/history.ts";
import { databaseFile } from "../../src/store/sqlite/database.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { NOW } from "../fixed-day.ts";
import { type ShopFolder, shopFolder, temporaryFolder } from "../process/server.ts";
import { newBooking, newLead } from "../store/conformance-values.ts";
import { FLAGS } from "./init-flags.ts";

const HOUR = 3_600_000;
export const KEY_ID = newId("key");

/** One blocked day, one booking that has begun, a time that somebody else holds, a lead with a text to the shop, one that was contacted, one key, and another catalog. */
export async function shopWithEverything(
  edits: Record<string, unknown> = {},
  now = NOW.epochMilliseconds,
): Promise<ShopFolder> {
  const folder = shopFolder({
    ...edits,
    "scheduling.blocked_dates": [{ date: "2030-12-31" }],
    // No answer and no sample needs a word that a command removes.
    "automotive.example.film_type": "standard",
    "messages.ready_sms.enabled": true,
    faq: [{ category: "general", question: "Is there tea?", answer: "Yes." }],
  });
  // Written once for each time: that takes longer than most commands.
  if (!written.has(now)) written.set(now, await writeEverything(now));
  const { database, earlier } = written.get(now) ?? {};
  mkdirSync(folder.data, { mode: 0o700 });
  writeFileSync(folder.database, database ?? "", { mode: 0o600 });
  writeFileSync(join(folder.path, "earlier.db"), earlier ?? "", { mode: 0o600 });
  writeFileSync(join(folder.path, "other.yaml"), folder.read());
  keepVersion(folder.data, folder.catalog, folder.read().replace("Is there tea?", "Is there milk?"));
  return folder;
}

const written = new Map<number, Awaited<ReturnType<typeof writeEverything>>>();

/** @returns the database with all of it, and a backup that was made before */
async function writeEverything(now: number) {
  using temporary = temporaryFolder();
  const folder = temporary.path;
  const store = openSqliteStore(folder);
  const booking = newBooking({
    confirmationCode: "7F3A1B0C",
    startAt: now - HOUR,
    lead: { createdAt: now, consent: { confirmed_by_user: true, sms: true } },
  });
  await store.book(booking, 2, []);
  await store.addCall(booking.id, booking.startAt, now);
  const job = {
    kind: "notify_shop_sms",
    dueAt: now,
    unless: null,
    payload: { to: "+14045550142", text: "A lead" },
  } as const;
  await store.addLead(newLead({ id: "lead_a", reference: "Q-7F3A1B", createdAt: now - HOUR, jobs: [job] }));
  await store.addLead(newLead({ id: "lead_b", reference: "Q-7F3A1D", createdAt: now - HOUR }));
  await store.moveLead({ id: "lead_b", to: "contacted", at: now });
  const until = { heldUntil: now + HOUR, createdAt: now, answer: { status: "held" } };
  const owed = { pageId: "cs_1", url: "https://checkout.stripe.com/1", payUntil: now + HOUR, refundHours: 24 };
  const held = newBooking({
    ...{ confirmationCode: "7F3A1B0E", startAt: now + 26 * HOUR, ...until },
    deposit: { ...owed, amount: 5000, currency: "USD" },
    lead: { phone: "+14045550112", email: "jo@example.com" },
  });
  await store.book(held, 9, []);
  const cancelled = newBooking({ confirmationCode: "7F3A1B0D", startAt: now + 24 * HOUR, lead: { createdAt: now } });
  await store.book(cancelled, 1, []);
  await store.changeBookingStatus(cancelled.confirmationCode, "cancelled_by_shop", now);
  await store.addKey({
    id: KEY_ID,
    hash: "hash",
    prefix: "tint_live_7F",
    name: "Example Assistant",
    email: "agent@example.com",
    useCase: null,
    ratePerMinute: null,
    network: null,
    createdAt: now,
  });
  await store.copyTo(join(folder, "earlier.db"));
  await store.close();
  return { database: readFileSync(databaseFile(folder)), earlier: readFileSync(join(folder, "earlier.db")) };
}

/** Arguments for each command that takes --json. */
export const COMMANDS: Record<string, string[]> = {
  estimate: ["suv"],
  "estimate flat": ["--sqft", "200", "--site", "commercial"],
  "catalog check": [],
  "catalog show": ["business"],
  "catalog get": ["scheduling.bays"],
  "catalog set": ["scheduling.bays", "3"],
  "catalog diff": ["other.yaml"],
  "catalog history": [],
  "catalog import": ["other.yaml"],
  "catalog undo": ["--dry-run"],
  "price list": [],
  "price set": ["suv", "ceramic", "full", "629"],
  "price raise": ["ceramic", "5%"],
  "addon list": [],
  "addon move": ["nofault", "--first"],
  "addon rename": ["nofault", "any_fault"],
  "addon set": ["sunroof", "ceramic", "139"],
  "addon add": ["brow", "--price", "60", "--minutes", "20"],
  "addon remove": ["nofault"],
  "film list": [],
  "film set": ["ceramic", "--name", "Nano"],
  "film move": ["ceramic", "--first"],
  "film rename": ["ceramic", "nano"],
  "film add": ["carbon", "--like", "standard"],
  "film remove": ["ceramic"],
  "vehicle list": [],
  "vehicle set": ["suv", "--about", "Anything tall."],
  "vehicle move": ["suv", "--first"],
  "vehicle rename": ["crossover", "cuv"],
  "vehicle add": ["minivan", "--like", "van"],
  "vehicle remove": ["crossover"],
  "hours list": [],
  "hours set": ["mon-fri", "9-17"],
  "hours special": ["2030-12-31", "closed"],
  "faq list": [],
  "faq add": ["--category", "general", "--question", "Is there coffee?", "--answer", "Yes."],
  "faq edit": ["1", "--answer", "Yes."],
  "faq remove": ["1"],
  block: ["2030-12-30"],
  unblock: ["2030-12-31"],
  book: ["suv", "--date", "tomorrow", "--time", "9am", "--name", "Robin", "--phone", "404-555-0143", "--anyway"],
  quote: ["7F3A1B0C"],
  receipt: ["7F3A1B0C"],
  "calls list": [],
  "calls done": ["7F3A1B0C"],
  "bookings list": ["--from", "2000-01-01", "--to", "2100-01-01"],
  "bookings show": ["7F3A1B0C"],
  "bookings cancel": ["7F3A1B0C"],
  "bookings move": ["7F3A1B0C", "tomorrow", "9am", "--anyway"],
  "bookings edit": ["7F3A1B0C", "--name", "Robin"],
  "bookings reopen": ["7F3A1B0D"],
  "bookings confirm": ["7F3A1B0E"],
  "bookings complete": ["7F3A1B0C"],
  "bookings no-show": ["7F3A1B0C"],
  "bookings ready": ["7F3A1B0C"],
  "leads list": ["--status", "all"],
  "leads add": ["--name", "Robin", "--phone", "404-555-0143"],
  "leads show": ["Q-7F3A1B"],
  "leads edit": ["Q-7F3A1D", "--film", "ceramic"],
  "leads call": ["Q-7F3A1B", "tomorrow"],
  "leads contacted": ["Q-7F3A1B"],
  "leads quoted": ["Q-7F3A1B"],
  "leads reopen": ["Q-7F3A1D"],
  "leads won": ["Q-7F3A1B"],
  "leads book": ["Q-7F3A1B", "suv", "--date", "2000-01-03", "--time", "9am", "--anyway"],
  "leads lost": ["Q-7F3A1B"],
  "leads note": ["Q-7F3A1B", "calls back"],
  pay: ["7F3A1B0C"],
  deposit: ["7F3A1B0E", "--waive"],
  report: [],
  day: ["tomorrow"],
  "calendar link": [],
  "texts register": [],
  "calendar rotate": [],
  "calendar off": [],
  find: ["pat"],
  setup: ["PORT=3001", "--no-test"],
  forget: ["+14045550111", "--yes"],
  "keys list": [],
  "keys issue": ["--name", "Other", "--email", "other@example.com"],
  "keys revoke": [KEY_ID],
  "keys rotate": [KEY_ID],
  "keys rotate-signing": [],
  "outbox list": [],
  "outbox retry": ["1"],
  "outbox drop": ["1"],
  "outbox allow": ["404-555-0111"],
  backup: ["copy.db"],
  "data copy": ["data", "elsewhere"],
  restore: ["earlier.db"],
  doctor: [],
  init: ["--catalog", "new.yaml", ...FLAGS],
};
