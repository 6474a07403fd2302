/** `tint completion`: a script for the shell, and the words that the script asks for. */
import { script } from "@bomb.sh/tab";
import tab from "@bomb.sh/tab/commander";
import { readText } from "../../src/catalog/load/document.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { readLayout } from "../../src/catalog/load/values.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { LEAD_STATUSES, type LeadStatus } from "../../src/domain/lifecycle.ts";
import { dataLocation } from "../../src/env/env.ts";
import { valueAt } from "../../src/lib/fields.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import { catalogSource, openShopCatalog } from "../shop/catalog.ts";
import { hasDatabase, withStore } from "../shop/database.ts";
import { locationsIn } from "../terminal/arguments.ts";
import { Command, type Completion, type CreateProgram, commandOf } from "../terminal/command.ts";
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

const MOST = 100;

type Find = (locations: ReturnType<typeof locationsIn>, typed: string) => Promise<string[]> | string[];
/** The codes of bookings since a week ago. */
const codesOf = (isWanted: (booking: Booking) => boolean): Find =>
  stored(async (store) => {
    const from = Temporal.Now.plainDateISO().subtract({ days: 7 }).toString();
    const bookings = await store.bookings({ from, to: "9999-12-31" }, MOST);
    return bookings.filter(isWanted).map(({ confirmationCode }) => confirmationCode);
  });
const leadsIn = (states: readonly LeadStatus[]): Find =>
  stored(async (store) => (await store.leads(states, MOST)).map(({ reference }) => reference));
const inCatalog =
  (read: (catalog: Shop) => string[]): Find =>
  ({ catalog }) =>
    read(loadCatalog(catalogSource({ catalog })).catalog);
const stands = ({ status }: Booking) => status === "confirmed" || status === "held";

const WORDS: Record<Completion, Find> = {
  "standing bookings": codesOf(stands),
  "ended bookings": codesOf((booking) => !stands(booking)),
  bookings: codesOf(() => true),
  leads: leadsIn(LEAD_STATUSES),
  // A new lead has no step to undo.
  "moved leads": leadsIn(LEAD_STATUSES.filter((status) => status !== "new")),
  keys: stored(async (store) => (await store.keys()).map(({ id }) => id)),
  paths: ({ catalog }, typed) => {
    // The entries one step below the typed path, up to its last dot.
    const parts = typed.split(".").slice(0, -1);
    const inside = valueAt(readLayout(readText(catalogSource({ catalog }))).source, parts);
    return Object.keys(typeof inside === "string" ? {} : Object(inside)).map((key) => [...parts, key].join("."));
  },
  "blocked days": inCatalog(({ scheduling: { blocked_dates: days, blocked_hours: hours } }) => [
    ...new Set([...days, ...hours].map(({ date }) => date)),
  ]),
  films: inCatalog(({ terms }) => [...terms.films]),
  services: inCatalog(({ services }) => services.map(({ key }) => key)),
  shades: inCatalog(({ automotive }) => Object.keys(automotive.shade_words)),
  states: inCatalog(({ tint_law: law }) => Object.keys(law.jurisdictions)),
};

/** Sets the choices of arguments and options from catalog and database; what cannot be read offers none. @param words typed so far */
async function addWords(command: Command, words: readonly string[]): Promise<void> {
  const locations = locationsIn(words);
  const above = command.parent instanceof Command ? command.parent.completions : {};
  for (const [name, what] of Object.entries({ ...above, ...command.completions })) {
    const target =
      command.registeredArguments.find((one) => one.name() === name) ??
      command.options.find(({ long }) => long === name);
    if (!target) continue;
    try {
      target.argChoices = (await WORDS[what](locations, words.at(-1) ?? "")).slice(0, MOST);
    } catch {
      // Error messages would end up in the line that is being typed.
    }
  }
}

function stored(read: (store: Store) => Promise<string[]>): Find {
  return ({ data }) => (hasDatabase(dataLocation(data)) ? withStore({ data }, read) : []);
}
