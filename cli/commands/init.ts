/** `tint init`: asks for the facts of a new shop and writes its catalog. */
import { existsSync, writeFileSync } from "node:fs";
import type { Shop } from "../../src/catalog/shop.ts";
import { CHANNEL_SETTINGS, catalogFile, dataLocation, rawSettings, toChannels } from "../../src/env/env.ts";
import { codeOf, explainCode } from "../../src/lib/os-errors.ts";
import { unreached } from "../../src/messages/channels.ts";
import {
  type Answers,
  answerIssues,
  asCommand,
  QUESTIONS,
  type Question,
  readAnswers,
  zoneOfState,
} from "../catalog/init-questions.ts";
import { type NewCatalog, type NewShop, newCatalog } from "../catalog/new-catalog.ts";
import { actAsOwner } from "../shop/rights.ts";
import { type AskOrBack, asking, BACK, canAsk } from "../terminal/asking.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, clean, jsonLine, print, UsageError } from "../terminal/output.ts";

interface InitOptions extends Answers {
  catalog?: string;
  data?: string;
  json?: boolean;
}

/** The headings of the help, by the first question under each. */
const HEADINGS: { readonly [key in keyof Answers]?: string } = {
  name: "The shop:",
  timezone: "How it works:",
  website: "Where it is found:",
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
    .option("--json", "print JSON")
    .examples(
      "tint init",
      'tint init --name "Lakeside Tint" --phone 512-555-0142 --email hello@lakeside.example --street "12 Main Street" --city Austin --state TX --zip 78701 --timezone America/Chicago --hours "mon-fri 09:00-18:00, sat 10:00-14:00" --price-level 110 --bays 2',
    )
    .action(init);
}

async function init(options: InitOptions): Promise<void> {
  const file = catalogFile(options.catalog);
  refuseToOverwrite(file);
  const answers: Answers = {};
  for (const { key } of QUESTIONS) answers[key] = options[key];
  const issues = answerIssues(answers);
  if (issues.length > 0) throw new UsageError(issues.join("\n"));
  const wasAsked = await askMissing(answers);
  try {
    await make(file, answers, options);
  } catch (error) {
    // Repeat the answers as a command, so that nobody types them twice.
    if (wasAsked) process.stderr.write(`Your answers, to correct and run again:\n  ${clean(asCommand(answers))}\n\n`);
    throw error;
  }
}

async function make(file: string, answers: Answers, { json, data }: InitOptions): Promise<void> {
  const shop = readAnswers(answers);
  if (Array.isArray(shop)) throw new UsageError(shop.join("\n"));
  if (answers.street?.trim() !== shop.street)
    process.stderr.write(`Note: the street is ${clean(shop.street)}; town, state and ZIP code stand by themselves.\n`);
  const today = Temporal.Now.plainDateISO(shop.timezone).toString();
  const made = newCatalog(shop, file, today);
  actAsOwner(file);
  write(file, made.text);
  process.stderr.write(nextSteps(file, shop, made, dataLocation(data).kind === "url"));
  const { questionsLeftOut, questionsToRead } = made;
  if (json) await print(jsonLine({ file, questions_left_out: questionsLeftOut, questions_to_read: questionsToRead }));
}

function refuseToOverwrite(file: string): void {
  if (existsSync(file))
    throw new CliError(
      `${file} exists already and is never overwritten. Move it away, or name another with --catalog.`,
    );
}

/** Asks for the missing answers and adds them. @returns whether anything was asked */
async function askMissing(answers: Answers): Promise<boolean> {
  if (!canAsk() && answers.timezone === undefined) takeZoneOfState(answers);
  const missing = QUESTIONS.filter(({ key, isOptional }) => answers[key] === undefined && !isOptional);
  if (missing.length === 0) return false;
  if (!canAsk())
    throw new UsageError(
      `Missing: ${missing.map(({ flag }) => `--${flag}`).join(", ")}. Without a terminal, give every answer as a flag: see tint init --help.`,
    );
  await asking(
    (_ask, askOrBack) => askInTurn(askOrBack, answers),
    () => `Stopped; nothing was written. To go on from here:\n  ${clean(asCommand(answers))}`,
  );
  return true;
}

/** Without a terminal nobody can be asked what the state says. */
function takeZoneOfState(answers: Answers): void {
  const zone = zoneOfState(answers.state ?? "");
  if (zone === undefined) return;
  answers.timezone = zone;
  process.stderr.write(`Note: the time zone is ${zone}, the usual one of the state; --timezone names another.\n`);
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
async function askOne(
  ask: AskOrBack,
  question: Question,
  earlier: Answers,
  place: string,
  given: string | undefined,
): Promise<string | undefined | typeof BACK> {
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

function write(file: string, text: string): void {
  try {
    // "wx" fails when the file was made in the meantime.
    writeFileSync(file, text, { flag: "wx" });
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") refuseToOverwrite(file);
    throw new CliError(`${file} cannot be written: ${explainCode(code)}.`);
  }
}

function nextSteps(
  file: string,
  shop: NewShop,
  { catalog, questionsLeftOut, questionsToRead }: NewCatalog,
  hasDatabase: boolean,
): string {
  const steps = [
    ...(hasDatabase ? [`Bring it into the database, where every machine reads it: tint catalog import ${file}`] : []),
    "Read the prices: tint price list",
    ...listed(
      "Read these answers, which say how your shop works and what your state's law is (tint faq):",
      questionsToRead,
    ),
    ...listed(
      "These questions were left out, because the answers were the example shop's. Add yours with tint faq add:",
      questionsLeftOut,
    ),
    ...(shop.website === undefined
      ? ["Put your web addresses under business.url and site; they still say example.com"]
      : []),
    ...(shop.geo === undefined ? ["Put your map position under business.geo; it still says 0, 0"] : []),
    ...(shop.bays === undefined ? ["One bay is assumed. For more: tint catalog set scheduling.bays 2"] : []),
    ...(shop.facts === undefined && shop.reviews === undefined
      ? ["Say what speaks for you, in site.facts, site.reviews and site.photos: nothing is claimed for you"]
      : []),
    "Name holidays with tint hours, and training or licenses under business.credentials",
    "Set up texts, e-mail and the web address with tint setup",
    ...unheard(catalog),
    "Look everything over with tint doctor, then start with tint serve",
  ];
  return `${file} is made for ${clean(shop.name)}. Next:\n${steps.map((step) => (step.startsWith(" ") ? step : `- ${step}`)).join("\n")}\n`;
}

/** Who does not hear of bookings until texts or e-mails are set up. */
function unheard(catalog: Shop): string[] {
  const { data } = CHANNEL_SETTINGS.safeParse(rawSettings());
  return data ? unreached(catalog, toChannels(data)).map(({ message }) => `Until then ${message}`) : [];
}

function listed(step: string, questions: readonly string[]): string[] {
  return questions.length === 0 ? [] : [step, ...questions.map((question) => `    ${question}`)];
}
