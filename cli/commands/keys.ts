/** `tint keys`: issuing, listing, revoking and rotating API keys. */
import type { z } from "zod";
import type { Shop } from "../../src/catalog/shop.ts";
import { counted } from "../../src/lib/text.ts";
import { email, paragraph, personName } from "../../src/schema/fields.ts";
import { newSecret } from "../../src/store/queries/secrets.ts";
import type { IssuedKey } from "../../src/store/store.ts";
import {
  issueKey,
  type KeyTerms,
  keyColumns,
  keyJson,
  keysCsv,
  MOST_PER_MINUTE,
  noSuchKey,
  readRate,
  replaceKey,
  requireIssuedKey,
} from "../server/keys.ts";
import type { CommonOptions } from "../shop/database.ts";
import { onShop } from "../shop/on-shop.ts";
import { table } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import { PROGRAMMERS } from "../terminal/help.ts";
import { type CsvOptions, type LimitOptions, onlyFirst } from "../terminal/lists.ts";
import { CliError, clean, UsageError } from "../terminal/output.ts";
import { readAll, readField } from "../typed/values.ts";

export function configure(command: Command): void {
  command
    .completes("id", "keys")
    .examples(
      "tint keys",
      'tint keys issue --name "Example Assistant" --email agent@example.com --limit 600',
      "tint keys revoke key_7F3A",
    );
  command
    .list("every key, the newest first")
    .description("Every key, the newest first. Tintdesk keeps no readable copy of a key: rotate one that was lost.")
    .tableOptions()
    .examples("tint keys list --json", "tint keys --csv > keys.csv")
    .action(list);
  command
    .subcommand("issue", "make a key for somebody")
    .description("Makes a key and prints it, this once. One key per e-mail address.")
    .requiredOption("--name <name>", "who the key is for")
    .requiredOption("--email <address>", "how to reach them")
    .option("--limit <number>", "requests per minute (default: the catalog's)")
    .option("--use-case <text>", "what the key is for")
    .examples('tint keys issue --name "Example Assistant" --email agent@example.com')
    .jsonAction(issue, "JSON, with the key in it");
  command
    .subcommand("revoke <id>", "make a key invalid")
    .description("Makes a key invalid at once. Its e-mail address cannot register another.")
    .examples("tint keys revoke key_7F3A")
    .jsonAction(revoke);
  command
    .subcommand("rotate <id>", "put a new key in place of an old one")
    .description("Prints a new key, this once; the old one is invalid at once. Also brings a revoked key back.")
    .option("--json", "print JSON, with the key in it")
    .examples("tint keys rotate key_7F3A")
    .action((id: string, options: CommonOptions) =>
      onShop(options, async (shop) => {
        const old = await requireIssuedKey(shop.store, id);
        const was =
          old.revokedAt === null ? "The old key is invalid from now on." : "It was revoked; it is valid again.";
        return { notes: [was], ...handedOver(await replaceKey(shop.store, old), termsOf(shop)) };
      }),
    );
  command
    .subcommand("rotate-signing", "void every estimate given so far")
    .helpGroup(`${PROGRAMMERS}:`)
    .description(
      "Puts a new secret in place of the one that signs estimates, for a price that was a mistake. No estimate given so far holds its price any more, and links to quotes and receipts end; bookings already made keep theirs.",
    )
    .examples("tint keys rotate-signing")
    .jsonAction((options: CommonOptions) =>
      onShop(options, async ({ store, now }) => {
        const bookings = await store.rotateLockSecret(newSecret(), now.epochMilliseconds);
        const used = counted(bookings, "booking had used one and keeps its", "bookings had used one and keep their");
        return {
          said: `Every estimate given so far is void: ${used} price.`,
          json: () => ({ bookings_with_an_estimate: bookings }),
        };
      }),
    );
}

function list(options: CommonOptions & LimitOptions & CsvOptions): Promise<void> {
  return onShop(options, async (shop) => {
    const keys = onlyFirst(await shop.store.keys(), options.limit, "newest");
    const terms = termsOf(shop);
    return {
      json: () => keys.map((key) => keyJson(key, terms)),
      csv: () => keysCsv(keys, terms),
      none: keys.length === 0 && "No keys.",
      text: () => table(keyColumns(terms), keys),
    };
  });
}

async function issue(options: CommonOptions & { name: string; email: string; limit?: string; useCase?: string }) {
  const [name, address, useCase, ratePerMinute] = readAll(
    () => flagValue("--name", personName(), options.name),
    () => flagValue("--email", email(), options.email),
    () => (options.useCase === undefined ? null : flagValue("--use-case", paragraph().min(1), options.useCase)),
    () => {
      const limit = options.limit === undefined ? null : readRate(options.limit);
      if (limit !== null || options.limit === undefined) return limit;
      throw new UsageError(`--limit must be a whole number from 1 to ${MOST_PER_MINUTE}.`);
    },
  );
  const createdAt = Temporal.Now.instant().epochMilliseconds;
  const facts = { name, email: address, useCase, ratePerMinute, createdAt };
  await onShop(options, async (shop) => handedOver(await issueKey(shop.store, facts), termsOf(shop)), { create: true });
}

function revoke(id: string, options: CommonOptions): Promise<void> {
  return onShop(options, async (shop) => {
    const found = await requireIssuedKey(shop.store, id);
    const at = shop.now.epochMilliseconds;
    if (!(await shop.store.revokeKey(found.id, at))) throw new CliError(noSuchKey(found.id));
    const key = { ...found, revokedAt: found.revokedAt ?? at };
    return { said: `Key ${key.id} (${clean(key.name)}) is revoked.`, json: () => keyJson(key, termsOf(shop)) };
  });
}

/** Only the key is printed on standard output, so that it can be piped. */
function handedOver({ key, issued }: { key: string; issued: IssuedKey }, terms: KeyTerms) {
  return {
    said: `Key ${issued.id} for ${clean(issued.name)} (${clean(issued.email)}). It is shown this once; only its digest is kept.`,
    json: () => ({ api_key: key, ...keyJson(issued, terms) }),
    text: () => `${key}\n`,
  };
}

function flagValue(flag: string, schema: z.ZodType<string>, typed: string): string {
  const { value, issue } = readField(schema, typed);
  if (issue !== undefined) throw new UsageError(`${flag} ${issue}.`);
  return value;
}

/** A faulty catalog leaves the limit unknown: it must not keep the owner from revoking a key. */
function termsOf({ catalog, clock, now }: Pick<KeyTerms, "clock" | "now"> & { catalog: Shop | null }): KeyTerms {
  return { now, clock, limit: catalog?.rate_limits.api_key_per_minute ?? null };
}
