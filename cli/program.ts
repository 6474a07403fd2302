/** The `tint` command: names, help and exit codes. Each command's code is loaded only when it runs. */
import { Command, CommanderError } from "commander";
import { CatalogError } from "../src/catalog/catalog-file.ts";
import { EnvError } from "../src/env.ts";

/** It could not be done, for a reason the owner can read; exit status 1. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** The command was called wrongly; exit status 2. */
export class Misuse extends Error {
  override readonly name = "Misuse";
}

interface CommandModule {
  /** Adds arguments, options, subcommands and the action. */
  configure: (command: Command) => void;
}

const COMMANDS: Record<string, { summary: string; load: () => Promise<CommandModule> }> = {
  serve: { summary: "run the API", load: () => import("./commands/serve.ts") },
  estimate: { summary: "a quick quote for a vehicle, or for flat glass", load: () => import("./commands/estimate.ts") },
  catalog: { summary: "check, read and change catalog.yaml", load: () => import("./commands/catalog.ts") },
  price: { summary: "the price list", load: () => import("./commands/price.ts") },
  addon: { summary: "extras and their prices", load: () => import("./commands/addon.ts") },
  hours: { summary: "opening hours", load: () => import("./commands/hours.ts") },
  faq: { summary: "questions and answers", load: () => import("./commands/faq.ts") },
  block: { summary: "take no bookings on a day", load: () => import("./commands/block.ts") },
  unblock: { summary: "take bookings again on a blocked day", load: () => import("./commands/unblock.ts") },
  bookings: { summary: "the diary", load: () => import("./commands/bookings.ts") },
  leads: { summary: "who asked, and what became of it", load: () => import("./commands/leads.ts") },
  keys: { summary: "API keys: issue, revoke, rotate", load: () => import("./commands/keys.ts") },
  outbox: { summary: "messages and pushes not yet delivered", load: () => import("./commands/outbox.ts") },
  mcp: {
    summary: "the tools over standard input and output, for AI assistants",
    load: () => import("./commands/mcp.ts"),
  },
  proxy: { summary: "the agent proxy in front of an API", load: () => import("./commands/proxy.ts") },
  backup: { summary: "a consistent copy of the database", load: () => import("./commands/backup.ts") },
  doctor: { summary: "what is wrong with this installation", load: () => import("./commands/doctor.ts") },
  init: { summary: "make the catalog of a new shop", load: () => import("./commands/init.ts") },
  completion: { summary: "completion for your shell", load: () => import("./commands/completion.ts") },
};

/** @returns the exit status: 0 done, 1 it could not be done, 2 wrong usage */
export async function run(argv: readonly string[]): Promise<number> {
  const words = argv.slice(2).filter((word) => !word.startsWith("-"));
  const wanted = words[0] === "help" ? words[1] : words[0];
  const program = await createProgram((name) => name === wanted);
  try {
    if (wanted === undefined && argv.length === 2) return await home(program);
    await program.parseAsync(argv);
    // A screen that a signal ended has left its status here.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error);
  }
}

/** `tint` alone: the owner's screen on a terminal, otherwise the help. */
async function home(program: Command): Promise<number> {
  const { isInteractive, openScreen } = await import("./interactive.ts");
  return isInteractive() ? await openScreen("home") : program.help();
}

/** The program with all its names; only the wanted commands are loaded, with their flags and subcommands. */
export async function createProgram(isWanted: (name: string) => boolean): Promise<Command> {
  const program = new Command("tint")
    .description("Tintdesk: the front desk of a window-tint shop.")
    .version("1.0.0")
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .exitOverride();
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = program
      .command(name)
      .summary(summary)
      .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
    if (!isWanted(name)) continue;
    (await load()).configure(command);
    addCommonOptions(command);
  }
  return program;
}

/** Options of every command; a subcommand has them too, so that they may stand anywhere. */
function addCommonOptions(command: Command): void {
  command.option("--catalog <file>", "the catalog file (default: $TINT_CATALOG or ./catalog.yaml)");
  command.option("--data <folder>", "the folder of the database (default: $TINT_DATA or ./data)");
  command.exitOverride();
  for (const subcommand of command.commands) addCommonOptions(subcommand);
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Misuse) {
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
  if (error instanceof CatalogError || error instanceof EnvError || error instanceof Failure) {
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}
