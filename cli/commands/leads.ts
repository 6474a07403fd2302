import { Option } from "commander";
import { ownerInquiry } from "../../src/capabilities/desk/owner.ts";
import { LEAD_STATUSES, type LeadStatus, OPEN_LEADS } from "../../src/domain/lifecycle.ts";
import { toUnits } from "../../src/lib/money.ts";
import { catalogForHelp } from "../catalog/terms.ts";
import { leadColumns, leadFacts, leadInFullJson, leadJson, leadsCsv } from "../customers/lead-text.ts";
import {
  callLead,
  correctedLeadInWords,
  correctInquiry,
  INQUIRY,
  inquiryFields,
  inquiryInWords,
  listedKinds,
  movedInWords,
  moveLead,
  notedInWords,
  noteWithAmount,
  quotedInWords,
  readCall,
  reopenLead,
  requireLead,
  understoodInInquiry,
  undoInWords,
  writeInquiry,
} from "../customers/leads.ts";
import { readPrice } from "../diary/owner.ts";
import { checkedInFlags } from "../estimates/cli-errors.ts";
import { carWords, commonOf, type GivenFlags, textFlag } from "../estimates/flags.ts";
import type { CommonOptions } from "../shop/database.ts";
import { onGoodShop, onShop } from "../shop/on-shop.ts";
import { table } from "../terminal/columns.ts";
import { type Command, findInstead } from "../terminal/command.ts";
import { type CsvOptions, type LimitOptions, onlyFirst } from "../terminal/lists.ts";
import { factLines, isTerminal, terminalColumns, UsageError } from "../terminal/output.ts";
import { choiceOption } from "../typed/enums.ts";
import { isReference, readAll, readNote, readReference } from "../typed/values.ts";
import { addBookingFlags, runBook } from "./book.ts";

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  command.examples(
    "tint leads",
    "tint leads Q-7F3A2B",
    "tint leads book Q-7F3A2B --date friday --time 9am",
    'tint leads contacted Q-7F3A2B --note "wants ceramic, calls back Friday"',
  );
  command.completes("id", "leads").commandsGroup("Leads:");
  command
    .list("the leads, the newest first", { isName: (word) => isReference(readReference(word)), otherwise: findInstead })
    .description(
      "The leads that are still open (new, contacted, quoted), the newest first. For other programs --json has those of bookings, too.",
    )
    .addOption(choiceOption("--status <status>", "only leads in this state, or all", [...LEAD_STATUSES, "all"]))
    .tableOptions()
    .examples("tint leads --status new", "tint leads --status all --json")
    .action((options: Parameters<typeof list>[0], { args: [id] }: Command) =>
      id === undefined ? list(options) : show(id, options),
    );
  command
    .subcommand("show <id>", "everything about one lead")
    .description("Everything about one lead, by its reference (Q-7F3A2B) or its id.")
    .examples("tint leads show q-7f3a2b")
    .jsonAction(show);
  const booking = command
    .subcommand("book <id>", "book the customer, with what the lead tells")
    .description("Books the customer of a lead. What the lead tells is filled in; flags win over it. The lead is won.")
    .examples("tint leads book Q-7F3A2B --date friday --time 9am", "tint leads book Q-7F3A2B");
  // The flags of a booking need the catalog's words, which other subcommands do not wait for.
  if (args.some((word) => word === "book") || args.length === 0) {
    const shop = await catalogForHelp(args);
    booking.usage("[options] <id>").addArgument(carWords());
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
    .subcommand("reopen <id>", "undo contacted, quoted, won or lost")
    .description(
      "Takes back the last step of a lead: it is in the state before, and the reminders that stopped wait again.",
    )
    .option("--json", "print the lead as JSON")
    .completes("id", "moved leads")
    .examples("tint leads reopen Q-7F3A2B")
    .action((id: string, options: CommonOptions) =>
      onShop(options, async ({ store, clock, now }) => {
        const moved = await reopenLead(store, await requireLead(store, id), now.epochMilliseconds);
        return { said: movedInWords(moved, clock), json: () => leadInFullJson(moved.lead, clock) };
      }),
    );
  command
    .subcommand("note <id> <text...>", "write down what was said")
    .helpGroup("Leads:")
    .description("Writes a note into the history of a lead. The lead stays in its state.")
    .option("--json", "print the lead as JSON")
    .examples('tint leads note Q-7F3A2B "wants ceramic, calls back Friday"')
    .action((id: string, words: string[], options: CommonOptions) =>
      move(id, null, { ...options, note: words.join(" ") }),
    );
}

type MoveOptions = CommonOptions & { note?: string; amount?: string };

function addLeadMove(command: Command, to: LeadStatus, summary: string): void {
  const moving = command
    .subcommand(`${to} <id>`, summary)
    .description(`Marks a lead as ${to}: ${summary}. Repeat it with --note to add a note.`)
    .option("--note <text>", "a note for the history")
    .examples(`tint leads ${to} Q-7F3A2B --note "spoke to Jordan"`)
    .jsonAction((id: string, options: MoveOptions) => move(id, to, options), "the lead as JSON");
  const pays = "what the customer pays; it is written into the note and counted in tint report";
  if (to === "quoted") moving.option("--amount <amount>", "what the customer was quoted");
  if (to === "won") moving.option("--amount <amount>", pays);
}

function list(options: CommonOptions & LimitOptions & CsvOptions & { status?: LeadStatus | "all" }): Promise<void> {
  return onShop(options, async ({ store, clock, now }) => {
    const { status, limit } = options;
    const statuses = status === undefined ? OPEN_LEADS : status === "all" ? LEAD_STATUSES : [status];
    const kinds = listedKinds(status, options.json);
    const leads = onlyFirst(await store.leads(statuses, limit + 1, undefined, kinds), limit, "newest");
    return {
      json: () => leads.map((lead) => leadJson(lead, clock)),
      csv: () => leadsCsv(leads, clock),
      none: leads.length === 0 && "No leads.",
      text: () => {
        // A narrow line has no room for everything about a follow-up.
        const isNarrow = isTerminal(1) && terminalColumns() < 120;
        return table(leadColumns(clock, now.epochMilliseconds, !isNarrow), leads);
      },
    };
  });
}

function show(id: string, options: CommonOptions): Promise<void> {
  return onShop(options, async ({ store, catalog, clock, now }) => {
    const lead = await requireLead(store, id);
    return {
      json: () => leadInFullJson(lead, clock),
      text: () => factLines(leadFacts(lead, clock, now, catalog && quotedInWords(lead, catalog))),
    };
  });
}

/** @param to null leaves the lead in its state */
async function move(id: string, to: LeadStatus | null, options: MoveOptions): Promise<void> {
  const cents = options.amount === undefined ? null : readPrice(options.amount);
  const typed = options.note === undefined ? null : readNote(options.note);
  return onShop(options, async ({ store, catalog, clock, now }) => {
    const currency = catalog?.currency;
    const note = noteWithAmount(typed, cents, currency);
    const amount = cents === null ? null : { cents, currency: currency ?? "USD" };
    const lead = await requireLead(store, id);
    const isNote = to === null || to === lead.status;
    const moved = await moveLead(store, lead, { to: to ?? lead.status, note, at: now.epochMilliseconds, amount });
    const quoted = to === "won" && moved.lead.wonAmount === null ? moved.lead.quotedAmount : null;
    return {
      said: isNote ? notedInWords(moved.lead, amount && note) : [movedInWords(moved, clock), undoInWords(moved.lead)],
      notes: [
        quoted
          ? `Note: no amount is written down. As quoted: tint leads won ${lead.reference} --amount ${toUnits(quoted.cents)}`
          : "",
      ],
      json: () => leadInFullJson(moved.lead, clock),
    };
  });
}

function addInquiries(command: Command): void {
  const adding = command
    .subcommand("add", "write down who called, and when to call back")
    .description(
      "Adds a lead for somebody who asked on the phone. A reminder to call back is in the lists at the time you say, or at the next opening; times outside opening hours move to the next opening.",
    )
    .examples(
      'tint leads add --name "Robin Example" --phone 404-555-0143 --vehicle "21 highlander" --call "friday 10am"',
      'tint leads add --name "Robin Example" --phone 404-555-0143 --service residential --square-footage 200',
    )
    .jsonAction(add, "the lead as JSON");
  for (const { name, placeholder, about } of INQUIRY)
    adding.addOption(new Option(`--${name} <${placeholder}>`, about).makeOptionMandatory(name === "name"));
  const editing = command
    .subcommand("edit <id>", "correct what was written down")
    .description('Corrects an inquiry. An empty text, as --note "", takes away what was there.')
    .examples(
      "tint leads edit Q-7F3A2B --phone 404-555-0144 --film ceramic",
      'tint leads edit Q-7F3A2B --address "12 Elm St, Marietta" --square-footage 240',
    )
    .jsonAction(edit, "the lead as JSON");
  for (const { name, placeholder, about } of INQUIRY)
    if (name !== "call") editing.option(`--${name} <${placeholder}>`, about);
  for (const one of [adding, editing]) one.completes("--film", "films").completes("--service", "services");
  command
    .subcommand("call <id> <when...>", "when to call back")
    .description(
      "Sets when to call a lead back, in place of its reminders. Times outside opening hours move to the next opening; the reminder stops with the next step of the lead, and none takes it away.",
    )
    .option("--json", "print the lead as JSON")
    .examples('tint leads call Q-7F3A2B "friday 10am"', "tint leads call Q-7F3A2B tomorrow")
    .action((id: string, when: string[], options: CommonOptions) =>
      onGoodShop(options, async (desk) => {
        const { lead, notice, undo } = await callLead(desk, await requireLead(desk.store, id), when.join(" "));
        return { said: notice, undo, json: () => leadInFullJson(lead, desk.catalog) };
      }),
    );
}

async function edit(id: string, options: GivenFlags): Promise<void> {
  const { catalog: _, json: __, data: ___, ...given } = options;
  if (Object.keys(given).length === 0)
    throw new UsageError("Say what to correct, like --phone 404-555-0144 or --film ceramic.");
  await onGoodShop(commonOf(options), async (desk) => {
    const lead = await requireLead(desk.store, id);
    const asked = { first_name: lead.name, ...inquiryFields(given, desk.catalog) };
    checkedInFlags(ownerInquiry, asked, options, desk.catalog, "tint leads edit");
    const edited = await correctInquiry(lead, given, desk);
    const said = [correctedLeadInWords(edited, lead, desk), ...understoodInInquiry(given, desk.catalog)];
    return { said, json: () => leadInFullJson(edited, desk.catalog) };
  });
}

function add(options: GivenFlags): Promise<void> {
  return onGoodShop(
    commonOf(options),
    async (desk) => {
      const { catalog, now } = desk;
      const asked = inquiryFields(options, catalog);
      readAll(
        () => readCall(textFlag(options.call) ?? "none", catalog, now),
        () => checkedInFlags(ownerInquiry, asked, options, catalog, "tint leads add"),
      );
      const lead = await writeInquiry(options, desk);
      return {
        said: inquiryInWords(lead, options, desk),
        undo: `tint leads lost ${lead.reference}`,
        json: () => leadInFullJson(lead, desk.catalog),
      };
    },
    { create: true },
  );
}
