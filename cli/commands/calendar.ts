/** `tint calendar`: the address under which a phone's calendar reads the diary. */
import { isExample } from "../../src/catalog/at-site.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { mintCalendarToken } from "../../src/lib/ids.ts";
import { isThisMachine } from "../../src/lib/network.ts";
import { capitalized } from "../../src/lib/text.ts";
import type { Store } from "../../src/store/store.ts";
import { catalogSource } from "../shop/catalog.ts";
import type { CommonOptions } from "../shop/database.ts";
import { type Done, onShop } from "../shop/on-shop.ts";
import type { Command } from "../terminal/command.ts";
import { CliError } from "../terminal/output.ts";

export function configure(command: Command): void {
  command
    .description(
      "The diary in the calendar of your phone: past 30 days and everything to come. Whoever has the address can read it; the catalog's calendar.details says how much it tells.",
    )
    .examples("tint calendar link", "tint calendar rotate", "tint calendar off");
  subcommand(command, "link", "make the address that your phone's calendar subscribes to", async (store, options) => {
    if ((await store.calendarHash()) !== null)
      throw new CliError(
        "There is an address already. It was shown once, and only its digest is kept. tint calendar rotate makes a new one.",
      );
    return handOver(store, options);
  });
  subcommand(command, "rotate", "make a new address; the old one stops", async (store, options) => {
    const before = await store.calendarHash();
    return handOver(store, options, before === null ? "" : "The old address shows nothing any more.");
  });
  subcommand(command, "off", "the address stops; phones keep what they have read", async (store) => {
    const wasOn = await store.setCalendarHash(null, Temporal.Now.instant().epochMilliseconds);
    return { said: wasOn ? "The calendar is off." : "The calendar was off already.", json: () => ({ on: false }) };
  });
}

type CalendarWork = (store: Store, options: CommonOptions) => Promise<Done>;

function subcommand(command: Command, name: string, summary: string, work: CalendarWork): void {
  command
    .subcommand(name, summary)
    .description(`${capitalized(summary)}.`)
    .examples(`tint calendar ${name}`)
    .jsonAction((options: CommonOptions) =>
      onShop(options, ({ store }) => work(store, options), { create: name !== "off" }),
    );
}

/** Prints only the address on standard output, so that it can be piped. */
async function handOver(store: Store, options: CommonOptions, more = ""): Promise<Done> {
  const { site } = loadCatalog(catalogSource(options)).catalog;
  const { token, hash } = mintCalendarToken();
  await store.setCalendarHash(hash, Temporal.Now.instant().epochMilliseconds);
  const url = `${site.url.replace(/\/$/, "")}/calendar/${token}.ics`;
  const isUnreachable = isExample(site.url) || isThisMachine(new URL(site.url));
  return {
    said: [
      "Add this address on your phone: iPhone, Calendars, Add Subscription Calendar; Google Calendar on the web, From URL. It is shown this once. Keep it to yourself: whoever has it can read the diary.",
      isUnreachable
        ? "Note: no phone reaches this address: the shop's own is not named yet. Name it with tint setup, then link again."
        : "",
      more,
    ],
    json: () => ({ url }),
    text: () => `${url}\n`,
  };
}
