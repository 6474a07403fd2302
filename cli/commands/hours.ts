/** `tint hours`: the opening hours of the week and of single days. */
import { removeSpecialDay, type SpecialDay, setHours, setSpecialDay } from "../../src/catalog/edit/everyday.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { WEEKDAYS } from "../../src/constants.ts";
import { ALWAYS_YEAR, dayAndDate } from "../../src/domain/dates-in-words.ts";
import { planOf } from "../../src/domain/schedule.ts";
import { addEditOptions, type EditOptions, makeEdit, todayIn, warnOfPast } from "../catalog/edits.ts";
import { daysApart, openingTimesInWords, readWeekdays, typedOpeningTimes } from "../catalog/opening-times.ts";
import { catalogSource } from "../shop/catalog.ts";
import { shopToday } from "../shop/clock.ts";
import { textTable } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import { clean, jsonLine, print, UsageError } from "../terminal/output.ts";
import { DATE_FORMS, readDate } from "../typed/dates.ts";
import { readWord, wordArgument } from "../typed/enums.ts";

type SpecialOptions = EditOptions & { reason?: string; remove?: boolean };

export function configure(command: Command): void {
  command.examples("tint hours", "tint hours set saturday 09:00-14:00", "tint hours special 2026-12-31 closed");
  command
    .list("the week, single days with other hours, and blocked days", {
      meant: (words) => (readWeekdays(words[0] ?? "") ? `tint hours set ${words.join(" ")}` : undefined),
    })
    .description("The opening hours of the week, single days with other hours, and days without bookings.")
    .examples("tint hours", "tint hours list --json")
    .jsonAction(async ({ catalog: file, json }: EditOptions) => {
      const { catalog } = loadCatalog(catalogSource({ catalog: file }));
      const { timezone, hours, special_hours } = catalog.business;
      const { blocked_dates, blocked_hours } = catalog.scheduling;
      const facts = { timezone, hours, special_hours, blocked_dates, blocked_hours };
      await print(json ? jsonLine(facts) : hoursList(catalog));
    });

  addEditOptions(command.subcommand("set", "change the hours of a day of the week, or of several"))
    .description("Changes the opening hours of a day of the week, or of several like mon-fri.")
    .addArgument(wordArgument("<day>", WEEKDAYS))
    .argument("<times...>", "like 9am-6pm, 9-18 or 09:00-18:00, several with a space between; or closed")
    .examples(
      "tint hours set saturday 9am-2pm",
      "tint hours set mon-fri 09:00-18:00",
      "tint hours set monday 08:00-12:00 13:00-18:00",
      "tint hours set sunday closed",
    )
    .action(set);

  addEditOptions(command.subcommand("special", "give a single day other hours"))
    .description(
      "Gives a single day, such as a holiday, hours of its own. --remove goes back to the hours of the week.",
    )
    .argument("<date>", `the day: ${DATE_FORMS}`)
    .argument("[times...]", "like 09:00-13:00 or 9am-1pm; or closed")
    .option("--reason <text>", "shown to customers")
    .option("--remove", "go back to the hours of the week")
    .examples(
      'tint hours special 2026-12-31 09:00-13:00 --reason "New Year\'s Eve"',
      "tint hours special 2027-01-02 closed",
      "tint hours special 2026-12-31 --remove",
    )
    .action((typed: string, times: string[], options: SpecialOptions) => {
      const date = readDate(typed, () => shopToday(options.catalog));
      return special(date, times, options);
    });
}

async function set(typed: string, times: string[], options: EditOptions): Promise<void> {
  // A word that names no day gets the usual suggestion.
  const days = readWeekdays(typed) ?? [readWord("a day of the week, or days like mon-fri", typed, WEEKDAYS)];
  const opening = typedOpeningTimes(times.join(" "));
  await makeEdit(options, (text) => days.reduce((edited, day) => setHours(edited, day, opening), text), {
    words: ({ after, before }) =>
      days
        .map((day) => {
          const was = before ? `${openingTimesInWords(before.business.hours[day])} → ` : "";
          return `${day}: ${was}${openingTimesInWords(after.business.hours[day])}`;
        })
        .join("\n"),
    json: ({ after, before }) => ({
      days: days.map((day) => {
        return { day, old: before?.business.hours[day] ?? null, new: after.business.hours[day] };
      }),
    }),
  });
}

async function special(date: string, times: string[], { reason, remove, ...options }: SpecialOptions): Promise<void> {
  if (remove) {
    if (times.length > 0) throw new UsageError("Give either times or --remove.");
    await makeEdit(options, (text) => removeSpecialDay(text, date), {
      words: ({ before, after }) =>
        `${dayAndDate(date, todayIn(after))}: ${wasOpen(before, date)}the hours of the week`,
      json: () => ({ date, removed: true }),
    });
    return;
  }
  if (times.length === 0)
    throw new UsageError(`Say when the shop is open, like: tint hours special ${date} 09:00-13:00`);
  const opening = typedOpeningTimes(times.join(" "));
  const day: SpecialDay = {
    date,
    ...(opening.length === 0 ? { closed: true } : { hours: opening }),
    ...(reason !== undefined && { reason }),
  };
  const edit = await makeEdit(options, (text) => setSpecialDay(text, day), {
    words: ({ before, after }) =>
      `${dayAndDate(date, todayIn(after))}: ${wasOpen(before, date)}${openingTimesInWords(opening)}${reason === undefined ? "" : ` (${clean(reason)})`}`,
    json: () => day,
  });
  warnOfPast(date, edit);
}

/** The hours that a date had before, with an arrow; empty while the catalog had mistakes. */
function wasOpen(before: Shop | null, date: string): string {
  return before ? `${openingTimesInWords(planOf(before, date).hours)} → ` : "";
}

function hoursList(catalog: Shop): string {
  const week = WEEKDAYS.map((day) => [day, openingTimesInWords(catalog.business.hours[day]), ""]);
  const rows = daysApart(catalog).map(({ date, open, reason }) => [dayAndDate(date, ALWAYS_YEAR), open, clean(reason)]);
  return textTable(["day", "open", "reason"], [...week, ...rows], ["open", "reason"]);
}
