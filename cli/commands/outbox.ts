import type { Command } from "commander";
import { z } from "zod";
import type { Store, WaitingJob } from "../../src/store/store.ts";
import { CUSTOMER_MESSAGES } from "../../src/vocabulary.ts";
import { jsonLine, print } from "../output.ts";
import { Failure, Misuse } from "../program.ts";
import { type CommonOptions, withStore } from "../store.ts";
import { listCommand } from "../subcommands.ts";
import { clean, table } from "../text.ts";

const SHOWN = 500;

export function configure(command: Command): void {
  command.addHelpText("after", "\nExamples:\n  tint outbox\n  tint outbox retry 17");
  listCommand(command)
    .summary("show what is not yet delivered")
    .description(
      "What is not yet delivered: what was given up first, then the messages that wait, pushes and reminders; of each the longest due first.",
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
    ...(await waitingByWorth(store)).map((job) => ({ status: "waiting", ...job })),
  ]);
  const rows = jobs.map(({ id, status, kind, dueAt, attempts, lastError, lead, payload }) => ({
    id,
    status,
    kind,
    due: new Date(dueAt).toISOString(),
    lead: lead.reference,
    name: lead.name,
    attempts,
    last_error: lastError,
    ...contentOf(payload),
  }));
  if (options.json) await print(jsonLine(rows));
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
      clean(row.to ?? ""),
      clean(row.text ?? ""),
    ]);
    await print(table(["id", "state", "what", "due", "lead", "name", "tries", "last error", "to", "text"], cells));
  }
}

/** What a message says and to whom, as far as its kind says anything. */
function contentOf(payload: unknown): { to: string | null; text: string | null } {
  const { to, text } = MESSAGE.safeParse(payload).data ?? {};
  return { to: to ?? null, text: text ?? null };
}
const MESSAGE = z.object({ to: z.string().optional(), text: z.string().optional() });

/** Messages are not to be lost among the pushes of a shop that has no outside CRM, and the reminders of what is to come. */
async function waitingByWorth(store: Store): Promise<WaitingJob[]> {
  const kinds = [["notify_shop_sms", ...CUSTOMER_MESSAGES], ["push_to_crm"], ["remind_owner"]] as const;
  const groups = await Promise.all(kinds.map((group) => store.waitingJobs(SHOWN, group)));
  return groups.flat();
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
        : `Message ${id} lapsed: its lead was contacted, or its booking ended or began, before it was due.`,
    );
  process.stderr.write(`Message ${id} is due now.\n`);
  if (options.json) await print(jsonLine({ id, status: "waiting" }));
}
