import { LEAD_STATUSES, type LeadStatus, OPEN_LEADS } from "../../src/domain/lifecycle.ts";
import { catalogForHelp } from "../catalog/terms.ts";
import { leadFacts, leadInFullJson, leadJson, leadsCsv, leadsTable } from "../customers/lead-text.ts";
import {
  movedInWords,
  moveLead,
  notedInWords,
  noteWithAmount,
  quotedInWords,
  reopenLead,
  requireLead,
  undoInWords,
} from "../customers/leads.ts";
import { readPrice } from "../diary/owner.ts";
import { carArgument, type GivenFlags } from "../estimates/flags.ts";
import { shopClock, shopOf } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import { type Command, findInstead } from "../terminal/command.ts";
import { type CsvOptions, csvOption, type LimitOptions, limitOption, onlyFirst, printCsv } from "../terminal/lists.ts";
import { factLines, jsonLine, print } from "../terminal/output.ts";
import { choiceOption } from "../typed/enums.ts";
import { isReference, readNote, readReference } from "../typed/values.ts";
import { addBookingFlags, runBook } from "./book.ts";
import { addInquiries } from "./leads-add.ts";

interface ListOptions extends CommonOptions, LimitOptions, CsvOptions {
  status?: LeadStatus | "all";
}

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  command.examples(
    "tint leads",
    "tint leads Q-7F3A2B",
    "tint leads book Q-7F3A2B --date friday --time 9am",
    'tint leads contacted Q-7F3A2B --note "wants ceramic, calls back Friday"',
  );
  command.commandsGroup("Leads:");
  command
    .list({ isName: (word) => isReference(readReference(word)), otherwise: findInstead })
    .summary("the leads, the newest first")
    .description("The leads that are still open (new, contacted, quoted), the newest first.")
    .addOption(choiceOption("--status <status>", "only leads in this state, or all", [...LEAD_STATUSES, "all"]))
    .addOption(limitOption())
    .option("--json", "print JSON")
    .addOption(csvOption())
    .examples("tint leads --status new", "tint leads --status all --json")
    .action((options: ListOptions, { args: [id] }: Command) => (id === undefined ? list(options) : show(id, options)));
  command
    .command("show <id>")
    .summary("everything about one lead")
    .description("Everything about one lead, by its reference (Q-7F3A2B) or its id.")
    .option("--json", "print JSON")
    .examples("tint leads show q-7f3a2b")
    .action(show);
  const booking = command
    .command("book <id>")
    .summary("book the customer, with what the lead tells")
    .description("Books the customer of a lead. What the lead tells is filled in; flags win over it. The lead is won.")
    .examples("tint leads book Q-7F3A2B --date friday --time 9am", "tint leads book Q-7F3A2B");
  // The flags of a booking need the catalog's words, which other subcommands do not wait for.
  if (args.some((word) => word === "book") || args.length === 0) {
    const shop = await catalogForHelp(args);
    booking.addArgument(carArgument(shop.terms.vehicleTypes));
    addBookingFlags(booking, shop);
    booking.action((id: string, vehicle: string, options: GivenFlags) => runBook(vehicle, options, id));
  }
  addInquiries(command);
  command.commandsGroup("How it went:").helpCommand(true);
  addLeadMove(command, "contacted", "you reached the customer; the reminders stop");
  addLeadMove(command, "quoted", "the customer has a price");
  addLeadMove(command, "won", "the customer bought");
  addLeadMove(command, "lost", "nothing came of it");
  command
    .command("reopen <id>")
    .summary("undo contacted, quoted, won or lost")
    .description(
      "Takes back the last step of a lead: it is in the state before, and the reminders that stopped wait again.",
    )
    .option("--json", "print the lead as JSON")
    .examples("tint leads reopen Q-7F3A2B")
    .action(reopen);
  command
    .command("note <id> <text...>")
    .helpGroup("Leads:")
    .summary("write down what was said")
    .description("Writes a note into the history of a lead. The lead stays in its state.")
    .option("--json", "print the lead as JSON")
    .examples('tint leads note Q-7F3A2B "wants ceramic, calls back Friday"')
    .action((id: string, words: string[], options: CommonOptions) =>
      move(id, null, { ...options, note: words.join(" ") }),
    );
}

interface MoveOptions extends CommonOptions {
  note?: string;
  amount?: string;
}

function addLeadMove(command: Command, to: LeadStatus, summary: string): void {
  const moving = command
    .command(`${to} <id>`)
    .summary(summary)
    .description(`Marks a lead as ${to}: ${summary}. Repeat it with --note to add a note.`)
    .option("--note <text>", "a note for the history")
    .option("--json", "print the lead as JSON")
    .examples(`tint leads ${to} Q-7F3A2B --note "spoke to Jordan"`)
    .action((id: string, options: MoveOptions) => move(id, to, options));
  if (to === "quoted") moving.option("--amount <amount>", "what the customer was quoted");
  if (to === "won")
    moving.option(
      "--amount <amount>",
      "what the customer pays; it is written into the note and counted in tint report",
    );
}

async function list(options: ListOptions): Promise<void> {
  const catalog = shopClock(options.catalog);
  const { status, limit } = options;
  const statuses = status === undefined ? OPEN_LEADS : status === "all" ? LEAD_STATUSES : [status];
  // The lead of a booking follows the booking, so nobody waits for an answer.
  const kinds = status === undefined || status === "new" ? (["quote_request"] as const) : undefined;
  const found = await withStore(options, (store) => store.leads(statuses, limit + 1, undefined, kinds));
  const leads = onlyFirst(found, limit, "newest");
  if (options.json) await print(jsonLine(leads.map((lead) => leadJson(lead, catalog))));
  else if (options.csv) await printCsv(leadsCsv(leads, catalog));
  else if (leads.length === 0) process.stderr.write("No leads.\n");
  else await print(leadsTable(leads, catalog, Temporal.Now.instant().epochMilliseconds));
}

async function show(id: string, options: CommonOptions): Promise<void> {
  const { catalog, clock } = shopOf(options.catalog);
  const lead = await withStore(options, (store) => requireLead(store, id));
  await print(
    options.json
      ? jsonLine(leadInFullJson(lead, clock))
      : factLines(leadFacts(lead, clock, Temporal.Now.instant(), catalog && quotedInWords(lead, catalog))),
  );
}

/** @param to null leaves the lead in its state */
async function move(id: string, to: LeadStatus | null, options: MoveOptions): Promise<void> {
  const { catalog, clock } = shopOf(options.catalog);
  const currency = catalog?.currency;
  const cents = options.amount === undefined ? null : readPrice(options.amount);
  const note = noteWithAmount(options.note === undefined ? null : readNote(options.note), cents, currency);
  const amount = cents === null ? null : { cents, currency: currency ?? "USD" };
  const { moved, isNote } = await withStore(options, async (store) => {
    const lead = await requireLead(store, id);
    const now = Temporal.Now.instant().epochMilliseconds;
    return {
      moved: await moveLead(store, lead, to ?? lead.status, note, now, amount),
      isNote: to === null || to === lead.status,
    };
  });
  process.stderr.write(`${isNote ? notedInWords(moved.lead) : movedInWords(moved)}\n`);
  if (!isNote) process.stderr.write(`${undoInWords(moved.lead)}\n`);
  if (options.json) await print(jsonLine(leadInFullJson(moved.lead, clock)));
}

async function reopen(id: string, options: CommonOptions): Promise<void> {
  const clock = shopClock(options.catalog);
  const moved = await withStore(options, async (store) =>
    reopenLead(store, await requireLead(store, id), Temporal.Now.instant().epochMilliseconds),
  );
  process.stderr.write(`${movedInWords(moved)}\n`);
  if (options.json) await print(jsonLine(leadInFullJson(moved.lead, clock)));
}
