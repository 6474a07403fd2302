/** `tint keys`: issuing, listing, revoking and rotating API keys. */
import type { z } from "zod";
import { email, paragraph, personName } from "../../src/schema/fields.ts";
import { newSecret } from "../../src/store/queries/secrets.ts";
import type { IssuedKey } from "../../src/store/store.ts";
import {
  issueKey,
  type KeyTerms,
  keyJson,
  keysCsv,
  keysTable,
  MOST_PER_MINUTE,
  noSuchKey,
  readRate,
  replaceKey,
  requireIssuedKey,
} from "../server/keys.ts";
import { shopOf } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { PROGRAMMERS } from "../terminal/help.ts";
import { type CsvOptions, csvOption, firstRows, type LimitOptions, limitOption, printCsv } from "../terminal/lists.ts";
import { CliError, clean, jsonLine, print, UsageError } from "../terminal/output.ts";
import { readField } from "../typed/values.ts";

interface IssueOptions extends CommonOptions {
  name: string;
  email: string;
  limit?: string;
  useCase?: string;
}

export function configure(command: Command): void {
  command.examples(
    "tint keys",
    'tint keys issue --name "Example Assistant" --email agent@example.com --limit 600',
    "tint keys revoke key_7F3A",
  );
  command
    .list()
    .summary("every key, the newest first")
    .description("Every key, the newest first. Tintdesk keeps no readable copy of a key: rotate one that was lost.")
    .addOption(limitOption())
    .option("--json", "print JSON")
    .addOption(csvOption())
    .examples("tint keys list --json", "tint keys --csv > keys.csv")
    .action(list);
  command
    .command("issue")
    .summary("make a key for somebody")
    .description("Makes a key and prints it, this once. One key per e-mail address.")
    .requiredOption("--name <name>", "who the key is for")
    .requiredOption("--email <address>", "how to reach them")
    .option("--limit <number>", "requests per minute (default: the catalog's)")
    .option("--use-case <text>", "what the key is for")
    .option("--json", "print JSON, with the key in it")
    .examples('tint keys issue --name "Example Assistant" --email agent@example.com')
    .action(issue);
  command
    .command("revoke <id>")
    .summary("make a key invalid")
    .description("Makes a key invalid at once. Its e-mail address cannot register another.")
    .option("--json", "print JSON")
    .examples("tint keys revoke key_7F3A")
    .action(revoke);
  command
    .command("rotate <id>")
    .summary("put a new key in place of an old one")
    .description("Prints a new key, this once; the old one is invalid at once. Also brings a revoked key back.")
    .option("--json", "print JSON, with the key in it")
    .examples("tint keys rotate key_7F3A")
    .action(rotate);
  command
    .command("rotate-signing")
    .helpGroup(`${PROGRAMMERS}:`)
    .summary("void every estimate given so far")
    .description(
      "Puts a new secret in place of the one that signs estimates, for a price that was a mistake. No estimate given so far holds its price any more, and links to quotes and receipts end; bookings already made keep theirs.",
    )
    .option("--json", "print JSON")
    .examples("tint keys rotate-signing")
    .action(rotateSigning);
}

async function list(options: CommonOptions & LimitOptions & CsvOptions): Promise<void> {
  const terms = termsOf(options);
  const all = await withStore(options, (store) => store.keys());
  const keys = firstRows(all, options.limit);
  if (options.json) await print(jsonLine(keys.map((key) => keyJson(key, terms))));
  else if (options.csv) await printCsv(keysCsv(keys, terms));
  else if (keys.length === 0) process.stderr.write("No keys.\n");
  else await print(keysTable(keys, terms));
}

async function issue(options: IssueOptions): Promise<void> {
  const terms = termsOf(options);
  const facts = {
    name: flagValue("--name", personName(), options.name),
    email: flagValue("--email", email(), options.email),
    useCase: options.useCase === undefined ? null : flagValue("--use-case", paragraph().min(1), options.useCase),
    ratePerMinute: options.limit === undefined ? null : readLimit(options.limit),
    createdAt: Temporal.Now.instant().epochMilliseconds,
  };
  const { key, issued } = await withStore(options, (store) => issueKey(store, facts), { create: true });
  await handOverKey(key, issued, terms, options);
}

async function revoke(id: string, options: CommonOptions): Promise<void> {
  const terms = termsOf(options);
  const key = await withStore(options, async (store) => {
    const found = await requireIssuedKey(store, id);
    const at = Temporal.Now.instant().epochMilliseconds;
    if (!(await store.revokeKey(found.id, at))) throw new CliError(noSuchKey(found.id));
    return { ...found, revokedAt: found.revokedAt ?? at };
  });
  process.stderr.write(`Key ${key.id} (${clean(key.name)}) is revoked.\n`);
  if (options.json) await print(jsonLine(keyJson(key, terms)));
}

async function rotate(id: string, options: CommonOptions): Promise<void> {
  const terms = termsOf(options);
  const { key, issued, was } = await withStore(options, async (store) => {
    const old = await requireIssuedKey(store, id);
    return { ...(await replaceKey(store, old)), was: old };
  });
  process.stderr.write(
    was.revokedAt === null ? "The old key is invalid from now on.\n" : "It was revoked; it is valid again.\n",
  );
  await handOverKey(key, issued, terms, options);
}

async function rotateSigning(options: CommonOptions): Promise<void> {
  const at = Temporal.Now.instant().epochMilliseconds;
  const bookings = await withStore(options, (store) => store.rotateLockSecret(newSecret(), at));
  const used =
    bookings === 1
      ? "1 booking had used one and keeps its price"
      : `${bookings} bookings had used one and keep their price`;
  process.stderr.write(`Every estimate given so far is void: ${used}.\n`);
  if (options.json) await print(jsonLine({ bookings_with_an_estimate: bookings }));
}

/** Prints only the key on standard output, so that it can be piped. */
async function handOverKey(key: string, facts: IssuedKey, terms: KeyTerms, options: CommonOptions): Promise<void> {
  process.stderr.write(
    `Key ${facts.id} for ${clean(facts.name)} (${clean(facts.email)}). It is shown this once; only its digest is kept.\n`,
  );
  await print(options.json ? jsonLine({ api_key: key, ...keyJson(facts, terms) }) : `${key}\n`);
}

function readLimit(typed: string): number {
  const limit = readRate(typed);
  if (limit === null) throw new UsageError(`--limit must be a whole number from 1 to ${MOST_PER_MINUTE}.`);
  return limit;
}

/** @throws UsageError */
function flagValue(flag: string, schema: z.ZodType<string>, typed: string): string {
  const { value, issue } = readField(schema, typed);
  if (issue !== undefined) throw new UsageError(`${flag} ${issue}.`);
  return value;
}

/** A faulty catalog leaves the limit unknown: it must not keep the owner from revoking a key. */
function termsOf({ catalog: option }: CommonOptions): KeyTerms {
  const { catalog, clock } = shopOf(option);
  return {
    now: Temporal.Now.instant(),
    clock,
    limit: catalog?.rate_limits.api_key_per_minute ?? null,
  };
}
