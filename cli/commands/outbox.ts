import type { Command } from "commander";
import { Failure, Misuse } from "../program.ts";
import { type CommonOptions, withStore } from "../store.ts";
import { listCommand } from "../subcommands.ts";
import { clean, json, table } from "../text.ts";

const SHOWN = 500;

export function configure(command: Command): void {
  command.addHelpText("after", "\nExamples:\n  tint outbox\n  tint outbox retry 17");
  listCommand(command)
    .summary("show what is not yet delivered")
    .description(
      "Messages and pushes not yet delivered: those given up first, then those that wait, the longest due first.",
    )
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  tint outbox\n  tint outbox list --json")
    .action((_options: object, self: Command) => list(self.optsWithGlobals<CommonOptions>()));
  command
    .command("retry <id>")
    .summary("try a message again now")
    .description("Makes a message that waits, or was given up, due now; a running server sends it.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tint outbox retry 17")
    .action((id: string, _options: object, self: Command) => retry(id, self.optsWithGlobals<CommonOptions>()));
}

async function list(options: CommonOptions): Promise<void> {
  const jobs = await withStore(options.data, async (store) => [
    ...(await store.failedJobs(SHOWN)).map((job) => ({ status: "failed", ...job })),
    ...(await store.waitingJobs(SHOWN)).map((job) => ({ status: "waiting", ...job })),
  ]);
  const rows = jobs.map(({ id, status, kind, dueAt, attempts, lastError, lead }) => ({
    id,
    status,
    kind,
    due: new Date(dueAt).toISOString(),
    lead: lead.reference,
    name: lead.name,
    attempts,
    last_error: lastError,
  }));
  if (options.json) process.stdout.write(json(rows));
  else if (rows.length === 0) process.stderr.write("Nothing waits.\n");
  else {
    const cells = rows.map((row) => [
      String(row.id),
      row.status,
      row.kind,
      row.due,
      row.lead,
      clean(row.name),
      String(row.attempts),
      clean(row.last_error ?? ""),
    ]);
    process.stdout.write(table(["id", "state", "what", "due", "lead", "name", "tries", "last error"], cells));
  }
}

async function retry(typed: string, options: CommonOptions): Promise<void> {
  if (!/^\d{1,15}$/.test(typed)) throw new Misuse(`${clean(typed)} is not the number of a message. See tint outbox.`);
  const id = Number(typed);
  const outcome = await withStore(options.data, (store) =>
    store.retryJob(id, Temporal.Now.instant().epochMilliseconds),
  );
  if (outcome.kind === "unknown") throw new Failure(`There is no message ${id}. See tint outbox.`);
  if (outcome.kind === "refused")
    throw new Failure(
      outcome.status === "done"
        ? `Message ${id} was delivered already.`
        : `Message ${id} lapsed: its lead was contacted before it was due.`,
    );
  process.stderr.write(`Message ${id} is due now.\n`);
  if (options.json) process.stdout.write(json({ id, status: "waiting" }));
}
