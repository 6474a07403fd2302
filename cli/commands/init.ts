/** `tint init`: asks for the facts of a new shop and writes its catalog. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { CHANNEL_SETTINGS, catalogFile, dataLocation, rawSettings, toChannels } from "../../src/env/env.ts";
import { field } from "../../src/lib/fields.ts";
import { makeFile, makePrivate } from "../../src/lib/files.ts";
import { counted } from "../../src/lib/text.ts";
import { unreached } from "../../src/messages/channels.ts";
import {
  type Answers,
  answerIssues,
  asCommand,
  type NewShop,
  QUESTIONS,
  type Question,
  readAnswers,
  zoneOfState,
} from "../catalog/init-questions.ts";
import { type NewCatalog, newCatalog } from "../catalog/new-catalog.ts";
import type { CommonOptions } from "../shop/database.ts";
import { actAsOwner, writingTo } from "../shop/rights.ts";
import { type AskOrBack, asking, BACK, canAsk } from "../terminal/asking.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, clean, jsonLine, print, UsageError } from "../terminal/output.ts";

const HEADINGS: { readonly [key in keyof Answers]?: string } = {
  name: "The shop:",
  timezone: "How it works:",
  facts: "What customers see:",
};

export function configure(command: Command): void {
  command.description(
    "Makes catalog.yaml for a new shop. On a terminal it asks for every answer that no flag gives. It never overwrites a file.",
  );
  for (const { key, flag, question, example } of QUESTIONS) {
    const heading = HEADINGS[key];
    if (heading !== undefined) command.optionsGroup(heading);
    command.option(`--${flag} <value>`, `${question} (like ${example})`);
  }
  command
    .examples(
      "tint init",
      'tint init --name "Lakeside Tint" --phone 512-555-0142 --email hello@lakeside.example --street "12 Main Street" --city Austin --state TX --zip 78701 --timezone America/Chicago --hours "mon-fri 09:00-18:00, sat 10:00-14:00" --price-level 110 --bays 2',
    )
    .jsonAction(init);
}

async function init(options: CommonOptions & Answers): Promise<void> {
  const file = catalogFile(options.catalog);
  const taken = `${file} exists already and is never overwritten. Move it away, or name another with --catalog.`;
  if (existsSync(file)) throw new CliError(taken);
  const begun = canAsk() ? keptAnswers(file) : {};
  const answers: Answers = Object.fromEntries(QUESTIONS.map(({ key }) => [key, options[key] ?? begun[key]]));
  const going = QUESTIONS.filter(({ key }) => begun[key] !== undefined).map(({ flag }) => flag);
  const again = `Another answer: tint init --${going[0]} …`;
  if (going.length > 0) process.stderr.write(`Going on where you stopped; answered: ${going.join(", ")}. ${again}\n`);
  const issues = [...answerIssues(answers), ...(canAsk() ? [] : lacking(answers))];
  if (issues.length > 0) throw new UsageError(issues.join("\n"));
  const wasAsked = missingIn(answers).length > 0;
  const stopped = () => {
    rmSync(answersFile(file), { force: true });
    const given = Object.entries(answers).filter(([, answer]) => answer !== undefined);
    if (given.length > 0) makePrivate(answersFile(file), JSON.stringify(Object.fromEntries(given)));
    return "Stopped; no catalog was written. tint init goes on from here.";
  };
  if (wasAsked) await asking((_ask, askOrBack) => askInTurn(askOrBack, answers), stopped);
  try {
    const shop = readAnswers(answers);
    if (Array.isArray(shop)) throw new UsageError(shop.join("\n"));
    if (answers.street?.trim() !== shop.street)
      process.stderr.write(
        `Note: the street is ${clean(shop.street)}; town, state and ZIP code stand by themselves.\n`,
      );
    const made = newCatalog(shop, file, Temporal.Now.plainDateISO(shop.timezone).toString());
    actAsOwner(file);
    // A file that was made in the meantime stays.
    writingTo(file, () => makeFile(file, made.text), { taken });
    rmSync(answersFile(file), { force: true });
    process.stderr.write(nextSteps(file, shop, made, dataLocation(options.data).kind === "url"));
    const { questionsLeftOut: left, questionsToRead: read } = made;
    if (options.json) await print(jsonLine({ file, questions_left_out: left, questions_to_read: read }));
  } catch (error) {
    // Repeat the answers as a command, so that nobody types them twice.
    if (wasAsked) process.stderr.write(`Your answers, to correct and run again:\n  ${clean(asCommand(answers))}\n\n`);
    throw error;
  }
}

/** The answers of a `tint init` that was stopped, beside the catalog that is to be. */
function answersFile(file: string): string {
  return `${file}.answers.json`;
}

function keptAnswers(file: string): Answers {
  try {
    const kept: unknown = JSON.parse(readFileSync(answersFile(file), "utf8"));
    const answers = QUESTIONS.map(({ key }) => [key, field(kept, key)] as const);
    return Object.fromEntries(answers.filter(([, answer]) => typeof answer === "string"));
  } catch {
    return {};
  }
}

function missingIn(answers: Answers): Question[] {
  return QUESTIONS.filter(({ key, isOptional }) => answers[key] === undefined && !isOptional);
}

/** A sentence about what nobody can be asked for; none where nothing is missing. */
function lacking(answers: Answers): string[] {
  const zone = answers.timezone === undefined ? zoneOfState(answers.state ?? "") : undefined;
  if (zone !== undefined) {
    answers.timezone = zone;
    process.stderr.write(`Note: the time zone is ${zone}, the usual one of the state; --timezone names another.\n`);
  }
  const flags = missingIn(answers).map(({ flag }) => `--${flag}`);
  const how = "Without a terminal, give every answer as a flag: see tint init --help.";
  return flags.length === 0 ? [] : [`Missing: ${flags.join(", ")}. ${how}`];
}

/** Asks what is missing, question by question; ← goes back to the one before, which offers what was answered. */
async function askInTurn(ask: AskOrBack, answers: Answers): Promise<void> {
  const questions = QUESTIONS.filter(({ key }) => answers[key] === undefined);
  const given: Answers = {};
  process.stderr.write("← on an empty line goes back to the question before.\n");
  for (let at = 0; at < questions.length; ) {
    const question = questions[at];
    if (!question) break;
    const answer = await askOne(ask, question, answers, `${at + 1} of ${questions.length}`, given[question.key]);
    if (answer !== BACK) {
      answers[question.key] = answer;
      given[question.key] = answer;
      at += 1;
      continue;
    }
    at = Math.max(0, at - 1);
    const before = questions[at];
    // What a command to go on would repeat is no answer any more.
    if (before) answers[before.key] = undefined;
  }
}

/** Asks until the answer can be used. @param given what was answered before ← */
async function askOne(ask: AskOrBack, question: Question, earlier: Answers, place: string, given?: string) {
  const usual = given ?? question.usual?.(earlier);
  const hint = usual ? ` [${usual}]` : question.isOptional ? ", or Enter to leave it for later" : "";
  for (;;) {
    const typed = await ask(`${place}  ${question.question} (like ${question.example})${hint}: `);
    if (typed === BACK) return BACK;
    const answer = typed || usual;
    if (answer === undefined && question.isOptional) return undefined;
    const issue = answer === undefined ? "is needed" : question.issue(answer);
    if (issue === undefined) return answer;
    process.stderr.write(`  That ${issue}.\n`);
  }
}

/** Three things to read; what is left is what `tint doctor` finds. */
function nextSteps(file: string, shop: NewShop, made: NewCatalog, hasDatabase: boolean): string {
  const { catalog, questionsLeftOut, questionsToRead } = made;
  const { data: settings } = CHANNEL_SETTINGS.safeParse(rawSettings());
  // Who does not hear of bookings until texts or e-mails are set up.
  const unheard = settings ? unreached(catalog, toChannels(settings)) : [];
  const noted = [
    ...(shop.tax === undefined ? ["No tax is charged: otherwise, set tax in the catalog."] : []),
    ...(shop.bays === undefined ? ["One bay is assumed. For more: tint catalog set scheduling.bays 2"] : []),
    ...unheard.map(({ message }) => `Until tint setup ${message}`),
  ];
  const leftOut = counted(questionsLeftOut.length, "question");
  const steps = [
    "Your prices: tint price list",
    `Your answers to customers, ${questionsToRead.length} of them about your work and your state's law: tint faq`,
    "What is still missing, in the order of its weight: tint doctor",
  ];
  return [
    `${file} is made for ${clean(shop.name)}.`,
    ...(hasDatabase ? [`Bring it into the database, where every machine reads it: tint catalog import ${file}`] : []),
    ...noted,
    ...(questionsLeftOut.length === 0 ? [] : [`${leftOut} of the example shop left out; yours: tint faq add.`]),
    "Read three things, then start with tint serve:",
    ...steps.map((step, i) => `  ${i + 1}. ${step}`),
    "",
  ].join("\n");
}
