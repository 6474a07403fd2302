/** `tint block`: days, hours or bays without bookings. */
import { blockDate, blockHours, unblockDate, type WrittenBlockedHours } from "../../src/catalog/edit/everyday.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { blockInWords, blocksOn, isWholeDay } from "../../src/domain/bays.ts";
import { daysInWords } from "../../src/domain/dates-in-words.ts";
import { planOf } from "../../src/domain/schedule.ts";
import { addEditOptions, type EditOptions, makeEdit, todayIn, warnOfPast } from "../catalog/edits.ts";
import { shopOf, shopToday } from "../shop/clock.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, clean } from "../terminal/output.ts";
import {
  type BlockedPart,
  goodBay,
  goodCount,
  orderTimes,
  PART_FORMS,
  readBlock,
  readPart,
  timeEdge,
} from "../typed/blocks.ts";
import { DAYS_FORMS, readDates } from "../typed/date-ranges.ts";
import { startNow, TIME_FORMS } from "../typed/times.ts";

export const configure = { block: configureBlock, unblock: configureUnblock };

type BlockOptions = EditOptions & { from?: string; to?: string; bay?: string; bays?: string; reason?: string };

function configureBlock(command: Command): void {
  addEditOptions(command)
    .description(
      "Takes no bookings on a day or several, or only between some hours, or in some bays. Bookings already made stay, and are named.",
    )
    .argument("<date...>", `${DAYS_FORMS}; behind it hours and bay: ${PART_FORMS}`)
    .option("--from <time>", `only from this time on: ${TIME_FORMS}, or open`)
    .option("--to <time>", "only up to this time, or close; work may begin then")
    .option("--bay <number>", "blocks only this bay")
    .option("--bays <number>", "blocks only so many of the bays, because a technician is away for example")
    .option("--reason <text>", "shown to customers who ask for that day")
    .examples(
      "tint block 2026-12-31",
      "tint block friday afternoon",
      "tint block friday 1 to 3 pm, bay 2",
      "tint block 12/24 to 12/31",
      "tint block friday --from noon --to close",
      'tint block tomorrow --bays 1 --reason "Sam is ill"',
      'tint block 2026-12-31 --reason "Stocktaking"',
    )
    .action(async (typed: string[], options: BlockOptions) => {
      // Read where it is needed alone: a catalog with a mistake is noted each time.
      let known: KnownShop | undefined;
      const shop = () => {
        known ??= shopOf(options.catalog);
        return known;
      };
      const now = () => startNow(shop().clock, Temporal.Now.instant());
      const { days, words } = readBlock(typed.join(" "), () => now().date);
      const { reason } = options;
      const [first] = days;
      const last = days.at(-1) ?? first;
      // A block of the afternoon of several days leaves out days on which the shop is closed.
      const isOpen = (date: string) => planOf(knownCatalog(shop()), date).hours.length > 0;
      const usesHours = /open|clos|morning|afternoon/i.test([words, options.from, options.to].join(" "));
      const open = days.length > 1 && usesHours ? days.filter(isOpen) : days;
      const parts = open.map((date) => ({ date, ...partOf(date, words, options, shop, () => now().time) }));
      const [part = { date: first }] = parts;
      const isWhole = Object.keys(part).length === 1;
      const { from, to, bays, bay }: WrittenBlockedHours = part;
      const hours = { from: from ?? null, to: to ?? null, bays: bays ?? null, ...(bay !== undefined && { bay }) };
      const why = reason !== undefined && { reason };
      const block = (text: string, one: (typeof parts)[number]) =>
        isWhole ? blockDate(text, one.date, reason) : blockHours(text, { ...one, ...why });
      const edit = await makeEdit(options, (text) => parts.reduce(block, text), {
        words: ({ after }) => {
          const what = isWhole ? "no bookings" : blockInWords(part, after);
          return `${daysInWords(first, last, todayIn(after))}: ${what}${reason === undefined ? "" : ` (${clean(reason)})`}`;
        },
        json: () => ({
          date: first,
          ...(last !== first && { to: last }),
          blocked: true,
          reason: reason ?? null,
          ...(!isWhole && { hours }),
        }),
      });
      warnOfPast(first, edit);
    });
}

/** The hours and bays of a day that the words and the options name; nothing for the whole day. @throws UsageError */
function partOf(
  date: string,
  words: string,
  { from, to, bay, bays }: BlockOptions,
  shop: () => KnownShop,
  now: () => string,
): BlockedPart {
  if (words === "" && [from, to, bay, bays].every((option) => option === undefined)) return {};
  const catalog = knownCatalog(shop());
  const edge = (typed: string | undefined) =>
    typed === undefined ? undefined : timeEdge(typed, { date, catalog, now });
  const [opens, closes] = [edge(from), edge(to)];
  if (opens !== undefined && closes !== undefined) orderTimes(opens, closes);
  return {
    ...readPart(words, date, catalog, now),
    ...(opens !== undefined && { from: opens }),
    ...(closes !== undefined && closes !== "24:00" && { to: closes }),
    ...(bay !== undefined && { bay: goodBay(bay, catalog) }),
    ...(bays !== undefined && { bays: goodCount(bays, catalog) }),
  };
}

type KnownShop = ReturnType<typeof shopOf>;

function knownCatalog({ catalog }: KnownShop): Shop {
  if (catalog) return catalog;
  throw new CliError("Without the catalog the hours and bays of the shop are not known.");
}

function configureUnblock(command: Command): void {
  addEditOptions(command)
    .description("Takes bookings again on a day or several that were blocked, wholly or for some hours.")
    .completes("date", "blocked days")
    .argument("<date...>", DAYS_FORMS)
    .examples("tint unblock 2026-12-31")
    .action(async (typed: string[], options: EditOptions) => {
      const days = readDates(typed.join(" "), () => shopToday(options.catalog));
      const [first] = days;
      const last = days.at(-1) ?? first;
      await makeEdit(options, (text) => days.reduce(unblockDate, text), {
        words: ({ before, after }) => {
          const was = before && first === last ? blockedInWords(before, first) : "";
          return `${daysInWords(first, last, todayIn(after))}: ${was && `${was} → `}bookings as usual`;
        },
        json: () => ({ date: first, ...(last !== first && { to: last }), blocked: false }),
      });
    });
}

function blockedInWords(catalog: Shop, date: string): string {
  const said = blocksOn(catalog, date).map((block) => {
    const why = block.reason === undefined ? "" : ` (${block.reason})`;
    return clean(isWholeDay(block) ? `no bookings${why}` : blockInWords(block, catalog));
  });
  return said.join(", ");
}
