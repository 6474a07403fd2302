/** `tint leads add`: an inquiry on the phone, with a time to call back. */
import { Option } from "commander";
import { ownerInquiry } from "../../src/capabilities/desk/owner.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { ApiError } from "../../src/errors.ts";
import { correctedLeadInWords, correctInquiry, INQUIRY, inquiryInWords, writeInquiry } from "../customers/inquiry.ts";
import { leadInFullJson } from "../customers/lead-text.ts";
import { callLead, requireLead } from "../customers/leads.ts";
import { inFlags } from "../estimates/cli-errors.ts";
import { type GivenFlags, textFlag } from "../estimates/flags.ts";
import { catalogSource } from "../shop/catalog.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { jsonLine, print, UsageError } from "../terminal/output.ts";

export function addInquiries(command: Command): void {
  const adding = command
    .command("add")
    .summary("write down who called, and when to call back")
    .description(
      "Adds a lead for somebody who asked on the phone. A reminder to call back is in the lists at the time you say, or at the next opening; times outside opening hours move to the next opening.",
    )
    .option("--json", "print the lead as JSON")
    .examples(
      'tint leads add --name "Robin Example" --phone 404-555-0143 --vehicle "21 highlander" --call "friday 10am"',
      'tint leads add --name "Robin Example" --phone 404-555-0143 --service residential --square-footage 200',
    )
    .action(add);
  for (const { name, placeholder, about } of INQUIRY) {
    const option = new Option(`--${name} <${placeholder}>`, about);
    adding.addOption(name === "name" ? option.makeOptionMandatory() : option);
  }
  const editing = command
    .command("edit <id>")
    .summary("correct what was written down")
    .description('Corrects an inquiry. An empty text, as --note "", takes away what was there.')
    .option("--json", "print the lead as JSON")
    .examples(
      "tint leads edit Q-7F3A2B --phone 404-555-0144 --film ceramic",
      'tint leads edit Q-7F3A2B --address "12 Elm St, Marietta" --square-footage 240',
    )
    .action(edit);
  for (const option of corrections()) editing.addOption(option);
  command
    .command("call <id> <when...>")
    .summary("when to call back")
    .description(
      "Sets when to call a lead back, in place of its reminders. Times outside opening hours move to the next opening; the reminder stops with the next step of the lead, and none takes it away.",
    )
    .option("--json", "print the lead as JSON")
    .examples('tint leads call Q-7F3A2B "friday 10am"', "tint leads call Q-7F3A2B tomorrow")
    .action(call);
}

function corrections(): Option[] {
  return INQUIRY.flatMap(({ name, placeholder, about }) =>
    name === "call" ? [] : [new Option(`--${name} <${placeholder}>`, about)],
  );
}

async function edit(id: string, options: GivenFlags): Promise<void> {
  const places = { catalog: textFlag(options.catalog), data: textFlag(options.data) };
  const { catalog: _, json, data: __, ...given } = options;
  if (corrections().every((option) => given[option.attributeName()] === undefined))
    throw new UsageError("Say what to correct, like --phone 404-555-0144 or --film ceramic.");
  const { catalog: shop } = loadCatalog(catalogSource(places));
  await withStore(places, async (store) => {
    const desk = { store, catalog: shop, now: Temporal.Now.instant() };
    const lead = await requireLead(store, id);
    const edited = await correctInquiry(lead, given, desk).catch((error: unknown) => {
      throw error instanceof ApiError ? inFlags(error, ownerInquiry, options, shop, "tint leads edit") : error;
    });
    process.stderr.write(`${correctedLeadInWords(edited, lead, desk)}\n`);
    if (json) await print(jsonLine(leadInFullJson(edited, shop)));
  });
}

async function call(id: string, when: string[], options: CommonOptions): Promise<void> {
  const { catalog } = loadCatalog(catalogSource(options));
  const now = Temporal.Now.instant();
  const { lead, notice, undo } = await withStore(options, async (store) =>
    callLead({ store, catalog, now }, await requireLead(store, id), when.join(" ")),
  );
  process.stderr.write(`${notice}\nTo undo it: ${undo}\n`);
  if (options.json) await print(jsonLine(leadInFullJson(lead, catalog)));
}

async function add(options: GivenFlags): Promise<void> {
  const places = { catalog: textFlag(options.catalog), data: textFlag(options.data) };
  const { catalog } = loadCatalog(catalogSource(places));
  const now = Temporal.Now.instant();
  await withStore(
    places,
    async (store) => {
      const desk = { store, catalog, now };
      const lead = await writeInquiry(options, desk).catch((error: unknown) => {
        throw error instanceof ApiError ? inFlags(error, ownerInquiry, options, catalog, "tint leads add") : error;
      });
      process.stderr.write(`${inquiryInWords(lead, desk)}\nTo undo it: tint leads lost ${lead.reference}\n`);
      if (options.json) await print(jsonLine(leadInFullJson(lead, catalog)));
    },
    { create: true },
  );
}
