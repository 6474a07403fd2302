/** The `tint` command: names, help and exit codes. Each command's code is loaded only when it runs. */
import { CommanderError } from "commander";
import { CatalogError } from "../src/catalog/load/document.ts";
import { catalogFile, EnvError, loadSettings } from "../src/env/env.ts";
import { capitalized } from "../src/lib/text.ts";
import { VERSION } from "../src/lib/version.ts";
import { closeShopCatalog, lastUsedShop, openShopCatalog } from "./shop/catalog.ts";
import { type Arguments, arrange, isOption, locationsIn } from "./terminal/arguments.ts";
import { Command, type CommandModule, commandOf } from "./terminal/command.ts";
import { HELP, inOwnersWords, LIST, noSuchSubcommand, PROGRAMMERS } from "./terminal/help.ts";
import {
  CliError,
  cleanLines,
  exitOnBrokenOutput,
  isOutputError,
  print,
  terminalColumns,
  UsageError,
} from "./terminal/output.ts";

type Entry = readonly [summary: string, load: () => Promise<CommandModule>];

const GROUPS: Record<string, Record<string, Entry>> = {
  Day: {
    book: ["book a customer", () => import("./commands/book.ts")],
    bookings: ["the diary", () => import("./commands/bookings.ts")],
    day: ["the sheet of a day, to print", () => import("./commands/day.ts")],
    calendar: ["the diary in your phone's calendar", () => import("./commands/calendar.ts")],
    block: ["take no bookings on a day", () => import("./commands/block.ts")],
    calls: ["who must be called about a change", () => import("./commands/outbox.ts")],
    unblock: ["take bookings again on a blocked day", () => import("./commands/block.ts")],
  },
  Customers: {
    estimate: ["a quick quote for a vehicle, or for flat glass", () => import("./commands/estimate.ts")],
    leads: ["people who asked, and how it went", () => import("./commands/leads.ts")],
    find: ["customers by name, phone, e-mail, vehicle or code", () => import("./commands/find.ts")],
    forget: ["erase a customer's personal data", () => import("./commands/find.ts")],
    outbox: ["messages not yet delivered", () => import("./commands/outbox.ts")],
    texts: ["register with the carriers for texts", () => import("./commands/texts.ts")],
  },
  Prices: {
    price: ["the price list", () => import("./commands/price.ts")],
    film: ["the films: add, remove", () => import("./commands/terms.ts")],
    vehicle: ["the vehicle types: add, remove", () => import("./commands/terms.ts")],
    addon: ["extras and their prices: add, remove", () => import("./commands/terms.ts")],
  },
  Money: {
    pay: ["what was paid for a booking, and when", () => import("./commands/pay.ts")],
    deposit: ["the deposit of a booking: take it, waive it, send the link", () => import("./commands/pay.ts")],
    quote: ["a customer's quote, to copy or to print", () => import("./commands/paper.ts")],
    receipt: ["a customer's receipt, to copy or to print", () => import("./commands/paper.ts")],
    report: ["what a month brought: bookings, amounts, bay use", () => import("./commands/day.ts")],
  },
  Shop: {
    init: ["make the catalog of a new shop", () => import("./commands/init.ts")],
    setup: ["settings: web address, texts, e-mail", () => import("./commands/setup.ts")],
    catalog: ["check, read and change catalog.yaml", () => import("./commands/catalog.ts")],
    hours: ["opening hours", () => import("./commands/hours.ts")],
    faq: ["questions and answers", () => import("./commands/faq.ts")],
    keys: ["API keys: issue, revoke, rotate", () => import("./commands/keys.ts")],
  },
  Upkeep: {
    serve: ["run the API", () => import("./commands/serve.ts")],
    service: ["start with the machine, back up every night", () => import("./commands/service.ts")],
    doctor: ["find problems of this installation", () => import("./commands/doctor.ts")],
    backup: ["copy the database", () => import("./commands/backup.ts")],
    restore: ["put a backup in place of the database", () => import("./commands/backup.ts")],
    completion: ["completion for your shell", () => import("./commands/completion.ts")],
  },
  [PROGRAMMERS]: {
    mcp: ["tools for AI assistants, over standard input and output", () => import("./commands/serve.ts")],
    proxy: ["the agent proxy in front of an API", () => import("./commands/serve.ts")],
    data: ["copy all data to PostgreSQL, or back", () => import("./commands/data.ts")],
  },
};
const COMMANDS: Record<string, Entry> = Object.assign({}, ...Object.values(GROUPS));

const WITHOUT_CATALOG = ["proxy", "restore", "data", "init", "service", "completion"];

/** The width of the help where the output is no terminal. */
const PIPED_COLUMNS = 80;

/** @returns the exit status: 0 done, 1 it could not be done, 2 wrong usage */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const isCommand = (word: string) => Object.hasOwn(COMMANDS, word);
  const given = arrange(argv.slice(2), isCommand);
  const where = readsCatalog(given.command, given) ? lastUsedShop(locationsIn(argv)) : [];
  const { command, args, globals } = where.length === 0 ? given : arrange([...where, ...argv.slice(2)], isCommand);
  if (args[0] === "-V") args[0] = "-v";
  try {
    const locations = locationsIn([...globals, ...args]);
    loadSettings(catalogFile(locations.catalog));
    if (readsCatalog(command, { args, globals })) await openShopCatalog(locations, command === "doctor");
    return await runOnce(command, args, globals);
  } catch (error) {
    return reportError(error);
  } finally {
    await closeShopCatalog();
  }
}

/** Without a command the home screen opens, except with options such as -v. `doctor --server` asks the server alone. */
function readsCatalog(command: string | undefined, { args, globals }: Pick<Arguments, "args" | "globals">): boolean {
  if (command === undefined) return args.length === globals.length;
  return Object.hasOwn(COMMANDS, command) && !WITHOUT_CATALOG.includes(command) && !args.includes("--server");
}

async function runOnce(command: string | undefined, args: readonly string[], globals: readonly string[]) {
  let help = "";
  const keep = (text: string) => {
    help += text;
  };
  const program = await createProgram((name) => name === command, args.slice(1), keep);
  try {
    if (args.length === globals.length) return await home(program, globals);
    refuseHelpOnTypo(program, args);
    await program.parseAsync(args, { from: "user" });
    // A screen that was ended by a signal leaves its status here.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Commander throws after it has shown the help, too.
    const isUsageError = error instanceof CommanderError && error.exitCode !== 0 && error.code !== "commander.help";
    if (help !== "") await print(help);
    if (!isUsageError) return reportError(error);
    const more = await askForMissing(error, commandOf(program, args));
    if (more.length > 0) return runOnce(command, [...args, ...more], globals);
    return reportError(inOwnersWords(error, commandOf(program, args)));
  }
}

/** On a terminal asks for the word that commander misses. @returns the words that belong to the end of the command line */
async function askForMissing({ code, message }: CommanderError, command: Command): Promise<string[]> {
  const { missingWord } = await import("./terminal/asking.ts");
  const [, name = ""] = /'(.*?)'/.exec(message) ?? [];
  const argument = command.registeredArguments.find((one) => one.name() === name);
  if (code === "commander.missingArgument" && argument) return missingWord(argument.description || name, []);
  const option = command.options.find(({ flags }) => flags === name);
  if (code !== "commander.missingMandatoryOptionValue" || !option?.long) return [];
  return missingWord(option.description, [option.long]);
}

/** Commander shows the help of `price` for `price lst --help`. There is no `lst`, so the typo is named instead. */
function refuseHelpOnTypo(program: Command, [name, word, ...rest]: readonly string[]): void {
  if (word === undefined || isOption(word)) return;
  if (!rest.includes("--help") && !rest.includes("-h")) return;
  const command = program.commands.find((one) => one.name() === name);
  const names = command?.commands.map((one) => one.name()) ?? [];
  if (command && names.includes(LIST) && !names.includes(word)) throw noSuchSubcommand(command, word);
}

/** `tint` without a command: the home screen on a terminal, otherwise the help. */
async function home(program: Command, globals: readonly string[]): Promise<number> {
  const { isInteractive, openScreen } = await import("./screens/open.ts");
  program.parseOptions([...globals]);
  return isInteractive() ? await openScreen("home", program.opts()) : program.help();
}

/**
 * Makes the program with the names of all commands. Only wanted commands are loaded, with their flags and subcommands.
 * @param args the words after the wanted command's name
 * @param writeHelp gets the help or the version, before commander throws
 */
export async function createProgram(
  isWanted: (name: string) => boolean,
  args: readonly string[] = [],
  writeHelp: (text: string) => void = () => {},
): Promise<Command> {
  const program = new Command("tint")
    .description("Tintdesk: the front desk of a window-tint shop.")
    .version(VERSION, "-v, --version")
    .configureHelp(HELP)
    // `report` writes the errors.
    .configureOutput({
      outputError() {},
      writeOut: writeHelp,
      // The help has no colours. Commander would set up process.stdout to find out whether it may use some.
      getOutHasColors: () => false,
      getOutHelpWidth: () => terminalColumns() || PIPED_COLUMNS,
    })
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .examples(
      "tint estimate --vehicle suv --film ceramic",
      "tint price set suv ceramic full 629",
      "tint bookings --date tomorrow",
      "tint help price set",
    )
    .exitOverride();
  addGlobalOptions(program);
  for (const [group, commands] of Object.entries(GROUPS)) {
    if (group === PROGRAMMERS) program.helpCommand("help [command]", "the options of a command, with examples");
    program.commandsGroup(`${group}:`);
    for (const [name, [summary, load]] of Object.entries(commands)) {
      const command = program.command(name).summary(summary);
      command.description(`${capitalized(summary)}.`);
      if (!isWanted(name)) continue;
      const { configure } = await load();
      const add = typeof configure === "function" ? configure : configure[name];
      await add?.(command, args, createProgram);
      addCommonOptions(command);
    }
  }
  return program;
}

/** Adds the global options to a command and its subcommands, so that they may be anywhere. */
function addCommonOptions(command: Command): void {
  addGlobalOptions(command);
  command.exitOverride();
  for (const subcommand of command.commands) addCommonOptions(subcommand);
}

function addGlobalOptions(command: Command): void {
  command.option("--catalog <file>", "the catalog file (default: $TINT_CATALOG or ./catalog.yaml)");
  command.option("--data <place>", "the folder of the database, or postgres://… (default: $TINT_DATA or ./data)");
}

function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const isWrongUsage = error instanceof UsageError;
  if (isWrongUsage || error instanceof CatalogError || error instanceof EnvError || error instanceof CliError) {
    process.stderr.write(`${cleanLines(error.message)}\n`);
    return isWrongUsage ? 2 : 1;
  }
  if (isOutputError(error)) exitOnBrokenOutput(error);
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}
