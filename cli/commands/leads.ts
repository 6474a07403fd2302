import type { Command } from "commander";
import { LEAD_STATUSES, type LeadStatus, OPEN_LEADS } from "../../src/domain/lifecycle.ts";
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import { paragraph } from "../../src/schema/fields.ts";
import type { Lead, LeadInFull, Store } from "../../src/store/store.ts";
import { Failure, Misuse } from "../failure.ts";
import { leadFacts, leadRow, refusal } from "../leads/lead-text.ts";
import { shopClock } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { listCommand } from "../terminal/subcommands.ts";
import { clean, factLines, table } from "../terminal/text.ts";
import { didYouMeanCode, readReference } from "../typed/codes.ts";
import { choiceOption } from "../typed/words.ts";

const SHOWN = 500;

interface ListOptions extends CommonOptions {
  status?: LeadStatus | "all";
}

export function configure(command: Command): void {
  command.addHelpText(
    "after",
    '\nExamples:\n  tint leads\n  tint leads show Q-7F3A2B\n  tint leads contacted Q-7F3A2B --note "wants ceramic, calls back Friday"',
  );
  listCommand(command)
    .summary("the leads, the newest first")
    .description("The leads that are still open (new, contacted, quoted), the newest first.")
    .addOption(choiceOption("--status <status>", "only leads in this state, or all", [...LEAD_STATUSES, "all"]))
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  tint leads --status new\n  tint leads --status all --json")
    .action((_options: object, self: Command) => list(self.optsWithGlobals<ListOptions>()));
  command
    .command("show <id>")
    .summary("everything about one lead")
    .description("Everything about one lead, by its reference (Q-7F3A2B) or its id.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tint leads show q-7f3a2b")
    .action((id: string, _options: object, self: Command) => show(id, self.optsWithGlobals<CommonOptions>()));
  addMove(command, "contacted", "you reached the customer; its reminders stop");
  addMove(command, "quoted", "the customer has a price");
  addMove(command, "won", "the customer bought");
  addMove(command, "lost", "nothing came of it");
}

function addMove(command: Command, to: LeadStatus, summary: string): void {
  command
    .command(`${to} <id>`)
    .summary(summary)
    .description(`Marks a lead as ${to}: ${summary}. With --note it can be said again.`)
    .option("--note <text>", "what was said")
    .option("--json", "print the lead as JSON")
    .addHelpText("after", `\nExample:\n  tint leads ${to} Q-7F3A2B --note "spoke to Jordan"`)
    .action((id: string, _options: object, self: Command) =>
      move(id, to, self.optsWithGlobals<CommonOptions & { note?: string }>()),
    );
}

async function list(options: ListOptions): Promise<void> {
  const catalog = shopClock(options.catalog);
  const { status } = options;
  const statuses = status === undefined ? OPEN_LEADS : status === "all" ? LEAD_STATUSES : [status];
  const found = await withStore(options.data, (store) => store.leads(statuses, SHOWN + 1));
  const leads = found.slice(0, SHOWN);
  if (found.length > SHOWN) process.stderr.write(`Only the newest ${SHOWN} are shown.\n`);
  if (options.json) await print(jsonLine(leads.map((lead) => leadJson(lead, catalog))));
  else if (leads.length === 0) process.stderr.write("No leads.\n");
  else {
    const now = Temporal.Now.instant().epochMilliseconds;
    await print(
      table(
        ["lead", "state", "age", "follow up", "name", "phone", "about"],
        leads.map((lead) => leadRow(lead, now)),
        ["name", "about"],
      ),
    );
  }
}

async function show(id: string, options: CommonOptions): Promise<void> {
  const catalog = shopClock(options.catalog);
  const lead = await withStore(options.data, (store) => findLead(store, id));
  await print(options.json ? jsonLine(fullJson(lead, catalog)) : factLines(leadFacts(lead, catalog)));
}

async function move(id: string, to: LeadStatus, options: CommonOptions & { note?: string }): Promise<void> {
  const catalog = shopClock(options.catalog);
  const note = options.note === undefined ? null : readNote(options.note);
  const { lead, lapsed } = await withStore(options.data, async (store) => {
    const found = await findLead(store, id);
    const outcome = await store.moveLead(found.id, to, note, Temporal.Now.instant().epochMilliseconds);
    if (outcome.kind === "unknown") throw new Failure(`There is no lead ${clean(id)}. See tint leads --status all.`);
    if (outcome.kind === "refused") throw new Failure(refusal(outcome.lead, to));
    return outcome;
  });
  const stopped = lapsed === 0 ? "" : ` ${lapsed} ${lapsed === 1 ? "reminder" : "reminders"} stopped.`;
  process.stderr.write(`Lead ${lead.reference} (${clean(lead.name)}) is ${to}.${stopped}\n`);
  if (options.json) await print(jsonLine(fullJson(lead, catalog)));
}

function readNote(typed: string): string {
  const note = paragraph().min(1).safeParse(typed.trim().normalize("NFC"));
  if (!note.success) throw new Misuse("--note must be 1 to 2,000 characters without control or invisible characters.");
  return note.data;
}

async function findLead(store: Store, typed: string): Promise<LeadInFull> {
  const name = readReference(typed);
  const lead = await store.findLead(name);
  if (lead) return lead;
  const all = await store.leads(LEAD_STATUSES, Number.MAX_SAFE_INTEGER);
  const hint = didYouMeanCode(
    name,
    all.map(({ reference }) => reference),
  );
  throw new Failure(`There is no lead ${clean(name)}.${hint} See tint leads --status all.`);
}

function leadJson(lead: Lead, catalog: ShopClock) {
  return {
    lead_id: lead.id,
    reference: lead.reference,
    kind: lead.kind,
    status: lead.status,
    name: lead.name,
    phone: lead.phone,
    email: lead.email,
    service_type: lead.serviceType,
    confirmation_code: lead.confirmationCode,
    created_at: rfc3339(catalog, lead.createdAt),
    next_follow_up_at: lead.nextFollowUpAt === null ? null : rfc3339(catalog, lead.nextFollowUpAt),
  };
}

function fullJson(lead: LeadInFull, catalog: ShopClock) {
  return {
    ...leadJson(lead, catalog),
    details: lead.details,
    consent: lead.consent,
    key_id: lead.keyId,
    agent_class: lead.agentClass,
    user_agent: lead.userAgent,
    history: lead.history.map(({ at, ...event }) => ({ ...event, at: rfc3339(catalog, at) })),
  };
}
