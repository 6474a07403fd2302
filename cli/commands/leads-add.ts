/** `tint leads add`: an inquiry on the phone, with a time to call back. */
import { addInquiry, ownerInquiry } from "../../src/capabilities/desk/owner-lead.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { words } from "../../src/catalog/terms.ts";
import { modelIn } from "../../src/domain/vehicle-class.ts";
import { catalogMemory } from "../../src/env/env.ts";
import { ApiError } from "../../src/errors.ts";
import { leadInFullJson } from "../customers/lead-text.ts";
import { callLead, readCall, requireLead } from "../customers/leads.ts";
import { ownerContext } from "../diary/owner.ts";
import { inFlags } from "../estimates/cli-errors.ts";
import { type GivenFlags, inputFrom, textFlag } from "../estimates/flags.ts";
import { catalogSource } from "../shop/catalog.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { clean, jsonLine, print } from "../terminal/output.ts";
import { momentInWords } from "../terminal/wording.ts";
import { asWord } from "../typed/enums.ts";

export function addInquiries(command: Command): void {
  command
    .command("add")
    .summary("write down who called, and when to call back")
    .description(
      "Adds a lead for somebody who asked on the phone. A reminder to call back stands in the lists at the time you say, or at the next opening; times outside opening hours move to the next opening.",
    )
    .requiredOption("--name <name>", "who called")
    .option("--phone <number>", "to call back")
    .option("--email <address>", "if there is one")
    .option("--service <name>", "what it is about: a service of the shop, or other (by default tinting a car)")
    .option("--vehicle <car>", 'the car as it is said, like "21 highlander"')
    .option("--film <name>", "the film wished for")
    .option("--square-footage <number>", "of glass in a building")
    .option("--address <text>", "of the building")
    .option("--note <text>", "what was said")
    .option("--call <when>", "when to call back, like friday 10am or tomorrow")
    .option("--json", "print the lead as JSON")
    .examples(
      'tint leads add --name "Robin Example" --phone 404-555-0143 --vehicle "21 highlander" --call "friday 10am"',
      'tint leads add --name "Robin Example" --phone 404-555-0143 --service residential --square-footage 200',
    )
    .action(add);
  command
    .command("call <id> <when...>")
    .summary("when to call back")
    .description(
      "Sets when to call a lead back, in place of its reminders. Times outside opening hours move to the next opening; the reminder stops with the next step of the lead.",
    )
    .option("--json", "print the lead as JSON")
    .examples('tint leads call Q-7F3A2B "friday 10am"', "tint leads call Q-7F3A2B tomorrow")
    .action(call);
}

async function call(id: string, when: string[], options: CommonOptions): Promise<void> {
  const { catalog } = loadCatalog(catalogSource(options), catalogMemory());
  const now = Temporal.Now.instant();
  const { lead, notice } = await withStore(options, async (store) =>
    callLead({ store, catalog, now }, await requireLead(store, id), when.join(" ")),
  );
  process.stderr.write(`${notice}\n`);
  if (options.json) await print(jsonLine(leadInFullJson(lead, catalog)));
}

async function add(options: GivenFlags): Promise<void> {
  const places = { catalog: textFlag(options.catalog), data: textFlag(options.data) };
  const { catalog } = loadCatalog(catalogSource(places), catalogMemory());
  const now = Temporal.Now.instant();
  const { name, note, vehicle, call: when, ...given } = options;
  const typed = textFlag(when);
  const callAt = typed === undefined ? null : readCall(typed, catalog, now);
  const input = {
    ...inputFrom({ ...given }, ownerInquiry.input(catalog), catalog),
    first_name: textFlag(name),
    ...(textFlag(note) !== undefined && { message: textFlag(note) }),
    ...carOf(textFlag(vehicle), catalog),
  };
  const lead = await withStore(
    places,
    async (store) => {
      const made = await addInquiry(input, callAt, ownerContext({ store, catalog, now })).catch((error: unknown) => {
        throw error instanceof ApiError ? inFlags(error, ownerInquiry, options, catalog, "tint leads add") : error;
      });
      return requireLead(store, made.reference);
    },
    { create: true },
  );
  const { reference, nextFollowUpAt } = lead;
  const back = nextFollowUpAt === null ? "" : ` To call back: ${momentInWords(catalog, nextFollowUpAt, now)}.`;
  process.stderr.write(
    `Lead ${reference} (${clean(lead.name)}) is new.${back}\nTo undo it: tint leads lost ${reference}\n`,
  );
  if (options.json) await print(jsonLine(leadInFullJson(lead, catalog)));
}

/** The class and the model of a car as it is said. */
function carOf(said: string | undefined, catalog: Parameters<typeof modelIn>[1]): object {
  if (said === undefined) return {};
  if (words(catalog).vehicleTypes.includes(asWord(said))) return { vehicle_type: asWord(said) };
  const model = modelIn(said, catalog);
  return { ...(model && { vehicle_type: model.vehicleType }), vehicle_model: said };
}
