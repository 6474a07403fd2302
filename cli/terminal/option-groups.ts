/** The options of a long help page under headings, in the order in which an owner thinks. */
import { Option } from "commander";

/** With so many options, a list without headings is still read. */
const MOST_IN_A_LIST = 8;

/** By the names of options. A command whose options mean something else calls `optionsGroup` or `helpGroup`. */
const GROUPS: Record<string, readonly string[]> = {
  "When:": ["date", "time", "from", "to", "week", "month", "since", "cancelled-at", "call"],
  "Car:": ["vehicle", "vehicle-type", "year", "make", "model", "factory-glass"],
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
export function optionGroups<Item>(items: readonly Item[]): Map<string, Item[]> | null {
  const options = items.filter((item) => item instanceof Option);
  if (options.length < items.length || items.length <= MOST_IN_A_LIST) return null;
  const byHeading = Map.groupBy(items, (item) => (item instanceof Option ? headingOf(item) : ""));
  const known = [...Object.keys(GROUPS), ...Object.keys(LAST)];
  const place = (heading: string) => known.indexOf(heading);
  // The headings of a command come first.
  return new Map([...byHeading].sort(([a], [b]) => place(a) - place(b)));
}
