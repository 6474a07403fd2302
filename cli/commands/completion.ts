/** `tint completion`: a script for the shell, and the words that the script asks for. */
import { script } from "@bomb.sh/tab";
import tab from "@bomb.sh/tab/commander";
import { readLayout } from "../../src/catalog/edit/layout.ts";
import { readText } from "../../src/catalog/load/document.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import type { CatalogSource } from "../../src/catalog/source.ts";
import { LEAD_STATUSES, type LeadStatus } from "../../src/domain/lifecycle.ts";
import { dataLocation } from "../../src/env/env.ts";
import { valueAt } from "../../src/lib/fields.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import { catalogSource, openShopCatalog } from "../shop/catalog.ts";
import { hasDatabase, withStore } from "../shop/database.ts";
import { locationsIn } from "../terminal/arguments.ts";
import { type Command, type CreateProgram, commandOf } from "../terminal/command.ts";
import { print } from "../terminal/output.ts";
import bash from "../terminal/tint.bash" with { type: "text" };
import zsh from "../terminal/tint.zsh" with { type: "text" };
import { readWord, wordArgument } from "../typed/enums.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

const HOW = `
Examples:
  bash:  tint completion bash > ~/.local/share/bash-completion/completions/tint
         without the package bash-completion: echo 'source <(tint completion bash)' >> ~/.bashrc
  zsh:   tint completion zsh > "\${fpath[1]}/_tint"
  fish:  tint completion fish > ~/.config/fish/completions/tint.fish`;

/** Our own, because the library's evaluate what was typed, like $(…). Its script for fish does not. */
const OWN_SCRIPTS: Partial<Record<(typeof SHELLS)[number], string>> = { bash, zsh };

export function configure(command: Command, _args: readonly string[], createProgram: CreateProgram): void {
  command
    .description("Prints a script that completes commands, flags and their words in your shell.")
    .addArgument(wordArgument("<shell>", SHELLS))
    .addHelpText("after", HOW)
    .action(async (typed: string) => {
      const shell = readWord("a shell", typed, SHELLS);
      // Each script calls `tint completion complete -- …` for the next words.
      const own = OWN_SCRIPTS[shell];
      if (own === undefined) script(shell, "tint", "tint completion");
      else await print(own);
    });
  command
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action(async (words: string[]) => {
      await openShopCatalog(locationsIn(words));
      const program = await createProgram((name) => name === words[0], words.slice(1));
      await addWords(commandOf(program, words), words);
      const root = tab(program);
      // The library adds a command of that name; ours is `completion complete`.
      root.commands.delete("complete");
      root.parse(words);
    });
}

/** The most words offered, about a screen. */
const MOST = 100;

interface Source {
  /** The name of the argument, or the flag, that the words complete. */
  name: string;
  words: (locations: Locations, typed: string) => Promise<string[]> | string[];
}
interface Locations {
  catalog: string | undefined;
  data: string | undefined;
}

/** The codes of bookings since a week ago. */
const codesOf = (isWanted: (booking: Booking) => boolean): Source => ({
  name: "code",
  words: stored(async (store) => {
    const from = Temporal.Now.plainDateISO().subtract({ days: 7 }).toString();
    const bookings = await store.bookings({ from, to: "9999-12-31" }, MOST);
    return bookings.filter(isWanted).map(({ confirmationCode }) => confirmationCode);
  }),
});
const CODES = codesOf(({ status }) => status === "confirmed" || status === "held");
const ENDED = codesOf(({ status }) => status !== "confirmed" && status !== "held");
const BLOCKED: Source = {
  name: "date",
  words({ catalog }) {
    const { blocked_dates: days, blocked_hours: hours } = loadCatalog(catalogSource({ catalog })).catalog.scheduling;
    return [...new Set([...days, ...hours].map(({ date }) => date))];
  },
};
const leadsIn = (states: readonly LeadStatus[]): Source => ({
  name: "id",
  words: stored(async (store) => (await store.leads(states, MOST)).map(({ reference }) => reference)),
});
const LEADS = leadsIn(LEAD_STATUSES);
/** Those that have a step to take back. */
const MOVED = leadsIn(LEAD_STATUSES.filter((status) => status !== "new"));
const KEYS: Source = { name: "id", words: stored(async (store) => (await store.keys()).map(({ id }) => id)) };
const PATHS: Source = { name: "path", words: ({ catalog }, typed) => pathsUnder(catalogSource({ catalog }), typed) };

const SHADES: Source = {
  name: "--shade",
  words: ({ catalog }) => Object.keys(loadCatalog(catalogSource({ catalog })).catalog.automotive.shade_words),
};
const STATES: Source = {
  name: "--jurisdiction",
  words: ({ catalog }) => Object.keys(loadCatalog(catalogSource({ catalog })).catalog.tint_law.jurisdictions),
};

const SOURCES: Record<string, Source[]> = {
  estimate: [SHADES, STATES],
  book: [SHADES, STATES],
  "leads book": [LEADS, SHADES, STATES],
  "leads reopen": [MOVED],
  "bookings reopen": [ENDED],
  unblock: [BLOCKED],
  pay: [codesOf(() => true)],
};
/** Of every other command of a group that takes such an argument. */
const GROUPS: Record<string, Source[]> = { bookings: [CODES], leads: [LEADS], keys: [KEYS], catalog: [PATHS] };

/**
 * A file that cannot be read offers no words. Sets the choices of a command's arguments and options from the catalog
 * and the database.
 * @param words the words typed so far
 */
async function addWords(command: Command, words: readonly string[]): Promise<void> {
  const locations = locationsIn(words);
  const group = command.parent?.parent ? command.parent.name() : "";
  for (const { name, words: find } of SOURCES[`${group} ${command.name()}`.trim()] ?? GROUPS[group] ?? []) {
    const target =
      command.registeredArguments.find((one) => one.name() === name) ??
      command.options.find(({ long }) => long === name);
    if (!target) continue;
    try {
      target.argChoices = (await find(locations, words.at(-1) ?? "")).slice(0, MOST);
    } catch {
      // Error messages would end up in the line that is being typed.
    }
  }
}

function stored(read: (store: Store) => Promise<string[]>): Source["words"] {
  return ({ data }) => (hasDatabase(dataLocation(data)) ? withStore({ data }, read) : []);
}

/** The paths one step below the typed path, up to its last dot. */
function pathsUnder(source: CatalogSource, typed: string): string[] {
  const parts = typed.split(".").slice(0, -1);
  const inside = valueAt(readLayout(readText(source)).source, parts);
  if (typeof inside !== "object" || inside === null) return [];
  return Object.keys(inside).map((key) => [...parts, key].join("."));
}
