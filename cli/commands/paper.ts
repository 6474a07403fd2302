/** `tint quote` and `tint receipt`: paper for the customer, to copy, to print or to send. */
import "../estimates/jitless.ts";
import { automotiveEstimate } from "../../src/capabilities/automotive-estimate.ts";
import {
  jobQuote,
  PAPER_WAYS,
  type Paper,
  type PaperKind,
  paperHtml,
  paperText,
} from "../../src/capabilities/desk/paper.ts";
import { capitalized } from "../../src/lib/text.ts";
import { catalogForHelp } from "../catalog/terms.ts";
import { requirePaper, sendToCustomer } from "../customers/paper.ts";
import { checkedInFlags } from "../estimates/cli-errors.ts";
import {
  addFlags,
  carOption,
  commonOf,
  type GivenFlags,
  inputFrom,
  textFlag,
  withVehicle,
} from "../estimates/flags.ts";
import { understoodIn } from "../estimates/quote-text.ts";
import { catalogForBooking } from "../shop/clock.ts";
import { onGoodShop } from "../shop/on-shop.ts";
import type { Command } from "../terminal/command.ts";
import { cleanLines, jsonLine, print, UsageError } from "../terminal/output.ts";
import { carMeant } from "../typed/cars.ts";
import { asWord } from "../typed/enums.ts";

export const configure = { quote: configureQuote, receipt: configureReceipt };

async function configureQuote(command: Command, args: readonly string[]): Promise<void> {
  const shop = await catalogForHelp(args);
  command
    .completes("code", "bookings")
    .argument("[code...]", "the code of a booking, or the reference of a lead")
    .description(
      "What a customer was quoted, to copy, print or send: customer, car, film, shades, price with tax, deposit, until when it is valid, the law in a line. Of a car, what the work costs today.",
    )
    .addOption(carOption(shop.terms.vehicleTypes))
    .option("--name <name>", "the customer, where only a car is named")
    .action((what: string[], options: GivenFlags) => printQuote(what.join(" "), options));
  addWaysOut(command, [
    "tint quote 7F3A2B9C",
    "tint quote Q-7F3A2B --html > quote.html",
    "tint quote Q-7F3A2B --email",
    `tint quote --vehicle "21 highlander" --film ${shop.terms.example.film_type} --shade 35`,
  ]);
  addFlags(command, automotiveEstimate.input(shop), JOB_WITHOUT);
}

/** Fields of an estimate that are no flags of `tint quote`: `--vehicle` names the vehicle, and a paper has no views. */
const JOB_WITHOUT = ["vehicle_type", "vehicle_year", "vehicle_make", "vehicle_model", "view"];

function configureReceipt(command: Command): void {
  command
    .completes("code", "bookings")
    .argument("<code>", "the code of a booking")
    .description("What was done, what it costs and what was paid, to copy, print or send.")
    .action((code: string, options: GivenFlags) => printPaper("receipt", code, options));
  addWaysOut(command, [
    "tint receipt 7F3A2B9C",
    "tint receipt 7F3A2B9C --html > receipt.html",
    "tint receipt 7F3A2B9C --text",
  ]);
}

function addWaysOut(command: Command, examples: string[]): void {
  command
    .option("--html", "print a web page, for a browser and its printer")
    .option("--email", "send it by e-mail")
    .option("--text", "send a text with the link to its page")
    .option("--json", "print JSON")
    .examples(...examples);
}

async function printQuote(typed: string, options: GivenFlags): Promise<void> {
  const { vehicle, name, html, json, email, text, catalog: _, data: __, ...flags } = options;
  if (typed === "" && vehicle === undefined && Object.keys(flags).length === 0)
    throw new UsageError(
      'Name the code of a booking, the reference of a lead, or a car: tint quote --vehicle "21 highlander"',
    );
  const shop = catalogForBooking(options);
  const isCar = carMeant(typed, shop) !== undefined || shop.terms.vehicleTypes.includes(asWord(typed));
  if (vehicle === undefined && !isCar && Object.keys(flags).length === 0)
    return await printPaper("quote", typed, options);
  if (email || text) throw new UsageError("A quote is sent to a customer: name a booking or a lead (tint leads add).");
  if (vehicle !== undefined && typed !== "") throw new UsageError("Give either a code or --vehicle.");
  const given = withVehicle(typed, { ...flags, vehicle }, shop);
  const input = inputFrom(given, automotiveEstimate.input(shop), shop);
  const { service, ...job } = checkedInFlags(automotiveEstimate, input, given, shop);
  for (const note of understoodIn(automotiveEstimate, input, shop)) process.stderr.write(`Note: ${note}\n`);
  const paper = await jobQuote({ ...job, service_type: service }, textFlag(name) ?? null, shop, Temporal.Now.instant());
  await print(options.json ? jsonLine(paperJson(paper)) : drawn(paper, options));
}

function printPaper(kind: PaperKind, code: string, options: GivenFlags): Promise<void> {
  const ways = PAPER_WAYS.filter((way) => options[way]);
  return onGoodShop(
    commonOf(options),
    async (desk) => {
      const given = await requirePaper(kind, code, desk);
      // Said at once: what was sent is, whatever fails behind it.
      for (const way of ways) process.stderr.write(`${await sendToCustomer(way, given, desk)}\n`);
      return {
        json: () => paperJson(given.paper),
        ...(ways.length === 0 && { text: () => drawn(given.paper, options) }),
      };
    },
    { catalog: catalogForBooking(options) },
  );
}

function drawn(paper: Paper, { html }: GivenFlags): string {
  return html ? paperHtml(paper) : `${cleanLines(paperText(paper))}\n`;
}

function paperJson({ kind, shop, facts, note }: Paper) {
  return { title: capitalized(kind), shop, facts: facts.map(([name, value]) => ({ name, value })), note };
}
