/** Help pages, and commander's errors in the owner's words. */
import { type Command, type CommanderError, Help, type HelpConfiguration, Option } from "commander";
import { didYouMean, oneOf } from "../../src/schema/explain.ts";
import { clean, UsageError } from "./output.ts";

/** The subcommand that runs when none is named. */
export const LIST = "list";

/** The last group of the help: what an owner never needs. */
export const PROGRAMMERS = "For programmers";

export const HELP: HelpConfiguration = {
  /** Commander would leave a narrower column to the terminal, which breaks words. */
  minWidthToWrap: 20,
  /** A command without a subcommand lists, so its page shows the options of the list too. */
  visibleOptions(command) {
    const own = Help.prototype.visibleOptions.call(this, command);
    const list = command.commands.find((one) => one.name() === LIST);
    const more = list ? Help.prototype.visibleOptions.call(this, list) : [];
    return [...own, ...more.filter(({ long }) => !own.some((option) => option.long === long))];
  },
  groupItems(all, visible, groupOf) {
    return optionGroups(visible) ?? new Help().groupItems(all, visible, groupOf);
  },
  optionDescription: ({ description, argChoices, defaultValue }) =>
    withWords(description, argChoices) + (typeof defaultValue === "string" ? ` (default: ${defaultValue})` : ""),
  argumentDescription: ({ description, argChoices }) => withWords(description, argChoices),
};

function withWords(description: string, words: readonly string[] | undefined): string {
  if (!words) return description;
  return description === "" ? words.join(", ") : `${description} (${words.join(", ")})`;
}

/** An error of commander, with advice and the help page to read. */
export function inOwnersWords({ message, code }: CommanderError, command: Command): UsageError {
  const path = pathOf(command);
  const [, quoted = ""] = /'(.*?)'/.exec(message) ?? [];
  const what = message.replace(/^error: /gm, "");
  return new UsageError([what, ...advice(quoted, code, command, path), `See ${path} --help.`].join("\n"));
}

function advice(quoted: string, code: string, command: Command, path: string): string[] {
  if (code === "commander.missingArgument" || code === "commander.excessArguments")
    return [`Usage: ${path} ${command.usage()}`];
  if (code !== "commander.optionMissingArgument") return [];
  const words = command.options.find(({ flags }) => flags === quoted)?.argChoices;
  return words ? [`It is one of ${oneOf(words)}.`] : [];
}

/** `tint price set`. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

interface Suggestions {
  /** Instead of the nearest name. */
  meant?: string | undefined;
  /** Where no name is near. */
  otherwise?: string | undefined;
}

export function noSuchSubcommand(command: Command, word: string, { meant, otherwise }: Suggestions = {}): UsageError {
  const names = command.commands.map((one) => one.name());
  const guess = meant ?? didYouMean(word, names) ?? otherwise;
  return new UsageError(
    `There is no ${pathOf(command)} ${clean(word)}. ${guess ? `Did you mean ${clean(guess)}?` : `There are ${oneOf(names)}.`}`,
  );
}

/** With so many options, a list without headings is still read. */
const MOST_IN_A_LIST = 8;

/** By the names of options. A command whose options mean something else calls `optionsGroup` or `helpGroup`. */
const GROUPS: Record<string, readonly string[]> = {
  "When:": ["date", "time", "from", "to", "week", "month", "since", "cancelled-at", "call"],
  "Car:": ["vehicle", "year", "make", "model", "factory-glass"],
  "Work:": ["service", "film", "coverage", "addon", "shade", "windshield-shade", "remove-old-film", "jurisdiction"],
  "Extras of a booking:": ["add-addon", "remove-addon"],
  "Building:": ["site", "floors", "needs-ladder", "concern", "goal", "address", "square-footage"],
  "Glass:": ["sqft", "window", "blocked", "curtain", "existing"],
  "Customer:": ["lead", "name", "phone", "email", "note"],
  "Price and length:": ["price", "list-price", "keep-price", "minutes", "until"],
  "Bays:": ["bay", "bays", "reason"],
  "Which:": ["status", "by", "key", "network"],
  "Place:": ["before", "after", "first", "last"],
};
/** The same everywhere, whatever the command calls its own. */
const LAST: Record<string, readonly string[]> = {
  "Output and questions:": ["anyway", "quiet", "dry-run", "yes", "limit", "json", "csv"],
  "Everywhere:": ["catalog", "data", "help"],
};

function headingOf(option: Option): string {
  const inGroup = (groups: typeof GROUPS) =>
    Object.keys(groups).find((heading) => groups[heading]?.includes(option.long?.slice(2) ?? ""));
  return inGroup(LAST) ?? option.helpGroupHeading ?? inGroup(GROUPS) ?? "Options:";
}

/** Groups the options of a help page; other items, and few options, stay as they are. @returns null for those */
function optionGroups<Item>(items: readonly Item[]): Map<string, Item[]> | null {
  const options = items.filter((item) => item instanceof Option);
  if (options.length < items.length || items.length <= MOST_IN_A_LIST) return null;
  const byHeading = Map.groupBy(items, (item) => (item instanceof Option ? headingOf(item) : ""));
  const known = [...Object.keys(GROUPS), ...Object.keys(LAST)];
  const place = (heading: string) => known.indexOf(heading);
  // The headings of a command come first.
  return new Map([...byHeading].sort(([a], [b]) => place(a) - place(b)));
}
