/** Commands of commander, with what every command of tint has in common. */
import {
  Command as CommanderCommand,
  type CommandOptions,
  type ErrorOptions,
  InvalidArgumentError,
  type Option,
} from "commander";
import { didYouMean } from "../../src/schema/explain.ts";
import { isOption } from "./arguments.ts";
import { LIST, noSuchSubcommand, pathOf } from "./help.ts";
import { csvOption, limitOption } from "./lists.ts";

export class Command extends CommanderCommand {
  /** Made by `createCommand`. */
  declare readonly commands: readonly Command[];

  override createCommand(name?: string): Command {
    return new Command(name);
  }

  /** A command of this one. @param summary in the list of commands; the description is in its own help */
  subcommand(usage: string, summary: string, options?: CommandOptions): Command {
    return this.command(usage, options).summary(summary);
  }

  /** The faults found so far: of refused values, unknown and missing options commander would name the first alone. */
  private readonly refused: string[] = [];
  private unknown: readonly string[] = [];

  override parseOptions(words: string[]) {
    const parsed = super.parseOptions(words);
    this.unknown = parsed.unknown.filter(isOption);
    return parsed;
  }

  override addOption(option: Option): this {
    const read = option.parseArg;
    if (read)
      option.argParser((typed, before) => {
        try {
          return read(typed, before);
        } catch (error) {
          if (!(error instanceof InvalidArgumentError)) throw error;
          this.refused.push(`error: option '${option.flags}' argument '${typed}' is invalid. ${error.message}`);
          return before;
        }
      });
    return super.addOption(option);
  }

  override error(message: string, options?: ErrorOptions): never {
    this.refuseOtherWords(this.args);
    const isOfOptions = ["commander.missingMandatoryOptionValue", "commander.unknownOption"].includes(
      options?.code ?? "",
    );
    const mistyped = [...this.refused, ...(isOfOptions ? this.unknown.map((word) => this.unknownInWords(word)) : [])];
    const missing = this.options.filter(
      (one) => one.mandatory && this.getOptionValue(one.attributeName()) === undefined,
    );
    const said = isOfOptions
      ? missing.map(({ flags }) => `error: required option '${flags}' not specified`)
      : [message];
    const faults = [...mistyped, ...said].filter(Boolean).join("\n");
    return super.error(faults, mistyped.length > 0 ? { code: "commander.invalidArgument" } : options);
  }

  private unknownInWords(word: string): string {
    const [flag = ""] = word.split("=");
    const known = this.createHelp().visibleOptions(this);
    const flags = known.flatMap(({ long }) => long ?? []);
    const guess = didYouMean(flag, flags);
    // A number below zero looks like an option.
    const advice = /^-\d/.test(word)
      ? `Put two dashes before it, like: ${[pathOf(this), ...this.args.filter((one) => one !== word)].join(" ")} -- ${word}`
      : (this.elsewhere[flag] ?? (guess && `(Did you mean ${guess}?)`));
    return [`error: unknown option '${flag}'`, advice].filter(Boolean).join("\n");
  }

  /** Lines to type, at the end of the help page. */
  examples(...lines: string[]): this {
    const head = lines.length === 1 ? "Example" : "Examples";
    return this.addHelpText("after", `\n${head}:\n${lines.map((line) => `  ${line}`).join("\n")}`);
  }

  /** What completes an argument or an option, of its subcommands too that do not say otherwise. */
  readonly completions: Record<string, Completion> = {};

  /** Where to do what an option would do that people try here, by its name. */
  readonly elsewhere: Record<string, string> = {};

  completes(name: string, what: Completion): this {
    this.completions[name] = what;
    return this;
  }

  /** @param run gets the arguments, then the options of this command with those that were before it, then the command */
  override action(run: Parameters<CommanderCommand["action"]>[0]): this {
    return super.action((...given) => {
      if (this.refused.length > 0) this.error("");
      return run.call(this, ...given.slice(0, -2), this.optsWithGlobals(), this);
    });
  }

  /** An action whose answer `--json` prints. @param what `print` comes before it in the help */
  jsonAction(run: Parameters<CommanderCommand["action"]>[0], what = "JSON"): this {
    return this.option("--json", `print ${what}`).action(run);
  }

  /** The options of a table: how many rows, and as data. @param json as `what` of `jsonAction` */
  tableOptions(json = "JSON"): this {
    return this.addOption(limitOption()).option("--json", `print ${json}`).addOption(csvOption());
  }

  /** Throws where the words of a list are a mistyped subcommand with its options; other commands take their words. */
  private refuseOtherWords: (args: readonly string[]) => void = () => {};

  /** Adds the subcommand that runs when none is named. A word that names no subcommand gets a suggestion. */
  list(summary: string, others: OtherWords = {}): Command {
    const { meant = () => undefined, isName = () => false, otherwise = () => undefined } = others;
    const list = this.subcommand(LIST, summary, { isDefault: true }).allowExcessArguments();
    list.refuseOtherWords = (args) => {
      const option = args.findIndex(isOption);
      const words = option < 0 ? args : args.slice(0, option);
      if (words[0] === undefined || (words.length === 1 && isName(words[0]))) return;
      throw noSuchSubcommand(this, words[0], { meant: meant(words), otherwise: otherwise(words) });
    };
    return list.hook("preAction", (_, { args }) => list.refuseOtherWords(args));
  }
}

/** Words that the shell offers, from the catalog or the database. @see ../commands/completion.ts */
export type Completion =
  | "standing bookings"
  | "ended bookings"
  | "bookings"
  | "leads"
  | "moved leads"
  | "keys"
  | "paths"
  | "blocked days"
  | "films"
  | "services"
  | "shades"
  | "states";

interface OtherWords {
  /** Suggests a command for words that are no typo, like `hours monday 9-17`. */
  meant?: (words: readonly string[]) => string | undefined;
  /** Suggests a command for words that are no typo of a subcommand either. */
  otherwise?: (words: readonly string[]) => string | undefined;
  /** Whether the only word names one of the things listed, which is then shown. */
  isName?: (word: string) => boolean;
}

/** For a name where a code belongs. */
export function findInstead(words: readonly string[]): string {
  return `tint find ${words.join(" ")}`;
}

/** The innermost command that the words name. */
export function commandOf(program: Command, words: readonly string[]): Command {
  const [first, ...rest] = words;
  const command = program.commands.find((one) => one.name() === first);
  return command ? commandOf(command, rest) : program;
}

/**
 * Adds arguments, options, subcommands and the action.
 * @param args the words after the command's name
 * @param createProgram for completion, which needs the other commands
 */
type Configure = (command: Command, args: readonly string[], createProgram: CreateProgram) => void | Promise<void>;

/** @see ../program.ts; a file of several commands has a function for each name */
export type CommandModule = { configure: Configure | Readonly<Record<string, Configure>> };

export type CreateProgram = (isWanted: (name: string) => boolean, args: readonly string[]) => Promise<Command>;
