import type { Command } from "commander";
import type { z } from "zod";
import type { Catalog } from "../../src/catalog/schema.ts";
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import { catalogFile } from "../../src/env/env.ts";
import { didYouMean } from "../../src/schema/explain.ts";
import { email, paragraph, personName } from "../../src/schema/fields.ts";
import type { IssuedKey, Store } from "../../src/store/store.ts";
import { Failure, Misuse } from "../failure.ts";
import { issueKey, MOST_PER_MINUTE, readRate, replaceKey } from "../keys/issue.ts";
import { catalogIfGood, clockOfFaulty } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import { examples } from "../terminal/help.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { listCommand } from "../terminal/subcommands.ts";
import { clean, table } from "../terminal/text.ts";
import { readField } from "../typed/fields.ts";

interface IssueOptions extends CommonOptions {
  name: string;
  email: string;
  limit?: string;
  useCase?: string;
}

export function configure(command: Command): void {
  command.addHelpText(
    "after",
    examples(
      "tint keys",
      'tint keys issue --name "Example Assistant" --email agent@example.com --limit 600',
      "tint keys revoke key_7F3A",
    ),
  );
  listCommand(command)
    .summary("every key, the newest first")
    .description("Every key, the newest first. The keys themselves are not stored: lost ones are rotated.")
    .option("--json", "print JSON")
    .addHelpText("after", examples("tint keys list --json"))
    .action((_options: object, self: Command) => list(self.optsWithGlobals<CommonOptions>()));
  command
    .command("issue")
    .summary("make a key for somebody")
    .description("Makes a key and prints it, this once. One key per e-mail address.")
    .requiredOption("--name <name>", "who the key is for")
    .requiredOption("--email <address>", "how to reach them")
    .option("--limit <number>", "requests per minute (default: the catalog's)")
    .option("--use-case <text>", "what the key is for")
    .option("--json", "print JSON, with the key in it")
    .addHelpText("after", examples('tint keys issue --name "Example Assistant" --email agent@example.com'))
    .action((_options: object, self: Command) => issue(self.optsWithGlobals<IssueOptions>()));
  command
    .command("revoke <id>")
    .summary("make a key invalid")
    .description("Makes a key invalid at once. Its e-mail address cannot register another.")
    .option("--json", "print JSON")
    .addHelpText("after", examples("tint keys revoke key_7F3A"))
    .action((id: string, _options: object, self: Command) => revoke(id, self.optsWithGlobals<CommonOptions>()));
  command
    .command("rotate <id>")
    .summary("put a new key in the place of an old one")
    .description("Prints a new key, this once; the old one is invalid at once. Also brings a revoked key back.")
    .option("--json", "print JSON, with the key in it")
    .addHelpText("after", examples("tint keys rotate key_7F3A"))
    .action((id: string, _options: object, self: Command) => rotate(id, self.optsWithGlobals<CommonOptions>()));
}

async function list(options: CommonOptions): Promise<void> {
  const shop = shopOf(options);
  const keys = await withStore(options.data, (store) => store.keys());
  if (options.json) await print(jsonLine(keys.map((key) => keyJson(key, shop))));
  else if (keys.length === 0) process.stderr.write("No keys.\n");
  else
    await print(
      table(
        ["id", "key", "name", "email", "per minute", "issued", "state"],
        keys.map((key) => keyRow(key, shop)),
        ["name", "email"],
      ),
    );
}

function keyRow(key: IssuedKey, shop: Shop): string[] {
  return [
    key.id,
    `${key.prefix}…`,
    clean(key.name),
    clean(key.email),
    String(key.ratePerMinute ?? shop.limit ?? "unknown"),
    rfc3339(shop.clock, key.createdAt).slice(0, 10),
    key.revokedAt === null ? "valid" : `revoked ${rfc3339(shop.clock, key.revokedAt).slice(0, 10)}`,
  ];
}

function keyJson(key: IssuedKey, shop: Shop) {
  return {
    key_id: key.id,
    prefix: key.prefix,
    name: key.name,
    email: key.email,
    use_case: key.useCase,
    rate_limit_per_minute: key.ratePerMinute ?? shop.limit,
    created_at: rfc3339(shop.clock, key.createdAt),
    revoked_at: key.revokedAt === null ? null : rfc3339(shop.clock, key.revokedAt),
  };
}

async function issue(options: IssueOptions): Promise<void> {
  const shop = shopOf(options);
  const facts = {
    name: flagValue("--name", personName(), options.name),
    email: flagValue("--email", email(), options.email),
    useCase: options.useCase === undefined ? null : flagValue("--use-case", paragraph().min(1), options.useCase),
    ratePerMinute: options.limit === undefined ? null : readLimit(options.limit),
    createdAt: Temporal.Now.instant().epochMilliseconds,
  };
  const { key, issued } = await withStore(options.data, (store) => issueKey(store, facts), { create: true });
  await handOver(key, issued, shop, options);
}

async function revoke(id: string, options: CommonOptions): Promise<void> {
  const shop = shopOf(options);
  const key = await withStore(options.data, async (store) => {
    const found = await findKey(store, id);
    const at = Temporal.Now.instant().epochMilliseconds;
    if (!(await store.revokeKey(found.id, at))) throw new Failure(`There is no key ${clean(id)}. See tint keys.`);
    return { ...found, revokedAt: found.revokedAt ?? at };
  });
  process.stderr.write(`Key ${key.id} (${clean(key.name)}) is revoked.\n`);
  if (options.json) await print(jsonLine(keyJson(key, shop)));
}

async function rotate(id: string, options: CommonOptions): Promise<void> {
  const shop = shopOf(options);
  const { key, issued, was } = await withStore(options.data, async (store) => {
    const old = await findKey(store, id);
    return { ...(await replaceKey(store, old)), was: old };
  });
  process.stderr.write(
    was.revokedAt === null ? "The old key is invalid from now on.\n" : "It was revoked; it is valid again.\n",
  );
  await handOver(key, issued, shop, options);
}

/** The key alone on standard output, for a pipe; about it, on standard error. */
async function handOver(key: string, facts: IssuedKey, shop: Shop, options: CommonOptions): Promise<void> {
  process.stderr.write(
    `Key ${facts.id} for ${clean(facts.name)} (${clean(facts.email)}). It is shown this once; only its digest is kept.\n`,
  );
  await print(options.json ? jsonLine({ api_key: key, ...keyJson(facts, shop) }) : `${key}\n`);
}

/** A key by its id, the beginning of its id, or the beginning of the key as listed. */
async function findKey(store: Store, typed: string): Promise<IssuedKey> {
  const name = typed.trim().replace(/…$/, "");
  const keys = await store.keys();
  const exact = keys.find(({ id }) => id === name);
  const found = exact
    ? [exact]
    : keys.filter(({ id, prefix }) => name !== "" && (id.startsWith(name) || prefix === name));
  const [key] = found;
  if (key && found.length === 1) return key;
  if (key)
    throw new Failure(
      `${clean(name)} may be any of ${found.map(({ id, email }) => `${id} (${clean(email)})`).join(", ")}.`,
    );
  const guess = didYouMean(
    name,
    keys.map(({ id }) => id.toLowerCase()),
  );
  const meant = keys.find(({ id }) => id.toLowerCase() === guess);
  throw new Failure(`There is no key ${clean(name)}.${meant ? ` Did you mean ${meant.id}?` : ""} See tint keys.`);
}

function readLimit(typed: string): number {
  const limit = readRate(typed);
  if (limit === null) throw new Misuse(`--limit must be a whole number from 1 to ${MOST_PER_MINUTE}.`);
  return limit;
}

/** @throws Misuse */
function flagValue(flag: string, schema: z.ZodType<string>, typed: string): string {
  const { value, fault } = readField(schema, typed);
  if (fault !== undefined) throw new Misuse(`${flag} ${fault}.`);
  return value;
}

/** What keys need of the catalog. A slip in it must not keep the owner from revoking one. */
interface Shop {
  clock: ShopClock;
  /** Requests per minute of a key without a limit of its own; null while the catalog is faulty. */
  limit: Catalog["rate_limits"]["api_key_per_minute"] | null;
}

function shopOf({ catalog: option }: CommonOptions): Shop {
  const catalog = catalogIfGood(option);
  return {
    clock: catalog ?? clockOfFaulty(catalogFile(option)),
    limit: catalog?.rate_limits.api_key_per_minute ?? null,
  };
}
