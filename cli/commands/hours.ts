import type { Command } from "commander";
import { removeSpecialDay, type SpecialDay, setHours, setSpecialDay } from "../../src/catalog/everyday.ts";
import { loadCatalog } from "../../src/catalog/load.ts";
import type { Catalog } from "../../src/catalog/schema.ts";
import { catalogFile } from "../../src/env.ts";
import { WEEKDAYS } from "../../src/vocabulary.ts";
import { addEditOptions, calendarDate, type EditOptions, makeEdit, warnOfPast } from "../edits.ts";
import { jsonLine, print } from "../output.ts";
import { Misuse } from "../program.ts";
import { listCommand } from "../subcommands.ts";
import { clean, table } from "../text.ts";
import { oneOfWords } from "../words.ts";

interface SpecialOptions extends EditOptions {
  reason?: string;
  remove?: boolean;
}

interface OpeningTime {
  opens: string;
  closes: string;
}

export function configure(command: Command): void {
  command.addHelpText(
    "after",
    "\nExamples:\n  tint hours\n  tint hours set saturday 09:00-14:00\n  tint hours special 2026-12-31 closed",
  );
  listCommand(command)
    .summary("the week, single days with other hours, and blocked days")
    .description("The opening hours of the week, single days with other hours, and days without bookings.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  tint hours\n  tint hours list --json")
    .action(async (_options: EditOptions, self: Command) => {
      const { catalog: file, json } = self.optsWithGlobals<EditOptions>();
      const { catalog } = loadCatalog(catalogFile(file));
      await print(json ? jsonLine(hoursJson(catalog)) : hoursList(catalog));
    });

  addEditOptions(command.command("set"))
    .summary("change the hours of a day of the week")
    .description("Changes the opening hours of a day of the week.")
    .argument("<day>", WEEKDAYS.join(", "))
    .argument("<times...>", "24-hour clock, like 09:00-18:00, several with a space between; or closed")
    .addHelpText(
      "after",
      "\nExamples:\n  tint hours set saturday 09:00-14:00\n  tint hours set monday 08:00-12:00 13:00-18:00\n  tint hours set sunday closed",
    )
    .action(async (typed: string, times: string[], _options: EditOptions, self: Command) => {
      const day = oneOfWords("a day of the week", typed, WEEKDAYS);
      const opening = openingTimes(times);
      await makeEdit(self.optsWithGlobals<EditOptions>(), (text) => setHours(text, day, opening), {
        words: (after, before) =>
          `${day}: ${before ? `${timesInWords(before.business.hours[day])} → ` : ""}${timesInWords(after.business.hours[day])}`,
        json: (after, before) => ({ day, old: before?.business.hours[day] ?? null, new: after.business.hours[day] }),
      });
    });

  addEditOptions(command.command("special"))
    .summary("give a single day other hours")
    .description("Gives a single day, such as a holiday, hours of its own; --remove goes back to the week's.")
    .argument("<date>", "the day, YYYY-MM-DD")
    .argument("[times...]", "like 09:00-13:00; or closed")
    .option("--reason <text>", "shown to customers")
    .option("--remove", "the hours of the week hold again")
    .addHelpText(
      "after",
      '\nExamples:\n  tint hours special 2026-12-31 09:00-13:00 --reason "New Year\'s Eve"\n  tint hours special 2027-01-02 closed\n  tint hours special 2026-12-31 --remove',
    )
    .action((date: string, times: string[], _options: SpecialOptions, self: Command) =>
      special(calendarDate(date), times, self.optsWithGlobals<SpecialOptions>()),
    );
}

async function special(date: string, times: string[], { reason, remove, ...options }: SpecialOptions): Promise<void> {
  if (remove) {
    if (times.length > 0) throw new Misuse("Give either times or --remove.");
    await makeEdit(options, (text) => removeSpecialDay(text, date), {
      words: () => `${date}: the hours of the week`,
      json: () => ({ date, removed: true }),
    });
    return;
  }
  if (times.length === 0) throw new Misuse(`Say when the shop is open, like: tint hours special ${date} 09:00-13:00`);
  const opening = openingTimes(times);
  const day: SpecialDay = {
    date,
    ...(opening.length === 0 ? { closed: true } : { hours: opening }),
    ...(reason !== undefined && { reason }),
  };
  const edit = await makeEdit(options, (text) => setSpecialDay(text, day), {
    words: () => `${date}: ${timesInWords(opening)}${reason === undefined ? "" : ` (${clean(reason)})`}`,
    json: () => day,
  });
  warnOfPast(date, edit);
}

/** `9:00-18:00 19:00-21:00`, or `closed`; the catalog's own rules judge the times. */
function openingTimes(typed: readonly string[]): OpeningTime[] {
  if (typed.length === 1 && typed[0]?.toLowerCase() === "closed") return [];
  return typed.map((span) => {
    const [, opens, closes] = /^(\d{1,2}:\d\d)[-–](\d{1,2}:\d\d)$/.exec(span) ?? [];
    if (!opens || !closes) throw new Misuse(`${clean(span)} is not a span of time: write 09:00-18:00, or closed.`);
    return { opens: opens.padStart(5, "0"), closes: closes.padStart(5, "0") };
  });
}

function timesInWords(times: readonly OpeningTime[]): string {
  return times.length === 0 ? "closed" : times.map(({ opens, closes }) => `${opens}-${closes}`).join(", ");
}

function hoursJson({ business, scheduling }: Catalog) {
  const { timezone, hours, special_hours } = business;
  return { timezone, hours, special_hours, blocked_dates: scheduling.blocked_dates };
}

function hoursList({ business, scheduling }: Catalog): string {
  const week = WEEKDAYS.map((day) => [day, timesInWords(business.hours[day]), ""]);
  const special = business.special_hours.map(({ date, hours, reason = "" }) => [
    date,
    timesInWords(hours),
    clean(reason),
  ]);
  const blocked = scheduling.blocked_dates.map(({ date, reason = "" }) => [date, "no bookings", clean(reason)]);
  return table(["day", "open", "reason"], [...week, ...special, ...blocked]);
}
