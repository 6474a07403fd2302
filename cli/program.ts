/** The `tint` command: names, help and exit codes. Each command's code is loaded only when it runs. */
import { Command, CommanderError } from "commander";
import { CatalogError } from "../src/catalog/load.ts";
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
  catalog: { summary: "check catalog.yaml", load: () => import("./commands/catalog.ts") },
  outbox: { summary: "messages and pushes not yet delivered", load: () => import("./commands/outbox.ts") },
};

/** @returns the exit status: 0 done, 1 it could not be done, 2 wrong usage */
export async function run(argv: readonly string[]): Promise<number> {
  const program = new Command("tint")
    .description("Tintdesk: the front desk of a window-tint shop.")
    .version("1.0.0")
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .exitOverride();
  const wanted = argv.slice(2).find((word) => !word.startsWith("-"));
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = program
      .command(name)
      .summary(summary)
      .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
    if (name === wanted) {
      (await load()).configure(command);
      addCommonOptions(command);
    }
  }
  try {
    if (wanted === undefined && argv.length === 2) program.help();
    await program.parseAsync(argv);
    return 0;
  } catch (error) {
    return report(error);
  }
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
