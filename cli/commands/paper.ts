/** `tint quote` and `tint receipt`: paper for the customer, to copy or to print. */
import { requireLead } from "../customers/leads.ts";
import { bookingQuote, leadQuote, type Paper, paperHtml, paperText, receipt } from "../customers/paper.ts";
import { requireBooking } from "../diary/entries.ts";
import { catalogForBooking } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { isReference, readReference } from "../typed/values.ts";

interface PaperOptions extends CommonOptions {
  html?: boolean;
}

export function configureQuote(command: Command): void {
  command
    .argument("<code>", "the code of a booking, or the reference of a lead")
    .description(
      "What a customer was quoted, to copy or to print: customer, car, film, shade, price with tax, deposit, until when it is valid, the law in a line. For a price without a booking or lead: tint estimate.",
    )
    .option("--html", "print a web page, for a browser and its printer")
    .option("--json", "print JSON")
    .examples("tint quote 7F3A2B9C", "tint quote Q-7F3A2B --html > quote.html")
    .action(quote);
}

export function configureReceipt(command: Command): void {
  command
    .argument("<code>", "the code of a booking")
    .description("What was done, what it costs and what was paid, to copy or to print.")
    .option("--html", "print a web page, for a browser and its printer")
    .option("--json", "print JSON")
    .examples("tint receipt 7F3A2B9C", "tint receipt 7F3A2B9C --html > receipt.html")
    .action(receive);
}

async function quote(code: string, options: PaperOptions): Promise<void> {
  const catalog = catalogForBooking(options);
  const paper = await withStore(options, async (store) =>
    isReference(readReference(code))
      ? leadQuote(await requireLead(store, code), catalog, Temporal.Now.instant())
      : bookingQuote(await requireBooking(store, code), catalog),
  );
  await show(paper, options);
}

async function receive(code: string, options: PaperOptions): Promise<void> {
  const catalog = catalogForBooking(options);
  await show(await withStore(options, async (store) => receipt(await requireBooking(store, code), catalog)), options);
}

async function show(paper: Paper, { html, json }: PaperOptions): Promise<void> {
  if (!json) return await print(html ? paperHtml(paper) : paperText(paper));
  const facts = paper.facts.flatMap(([name, value]) => (value ? [{ name, value }] : []));
  await print(jsonLine({ title: paper.title, shop: paper.head, facts, note: paper.note }));
}
