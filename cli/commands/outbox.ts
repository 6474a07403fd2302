import type { Command } from "commander";
import { dataFolder } from "../../src/env.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { clean, table } from "../text.ts";

const SHOWN = 500;

export function configure(command: Command): void {
  command
    .command("list", { isDefault: true })
    .summary("show what waits")
    .description("Messages and pushes that wait to be delivered, the longest due first.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  tint outbox\n  tint outbox list --json")
    .action(async (options: { data?: string; json?: boolean }) => {
      const store = openSqliteStore(dataFolder(options.data));
      try {
        const jobs = await store.waitingJobs(SHOWN);
        const rows = jobs.map(({ id, kind, dueAt, attempts, lastError, lead }) => ({
          id,
          kind,
          due: new Date(dueAt).toISOString(),
          lead: lead.reference,
          name: lead.name,
          attempts,
          last_error: lastError,
        }));
        if (options.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
        else if (rows.length === 0) process.stderr.write("Nothing waits.\n");
        else {
          const cells = rows.map((row) => [
            String(row.id),
            row.kind,
            row.due,
            row.lead,
            clean(row.name),
            String(row.attempts),
            clean(row.last_error ?? ""),
          ]);
          process.stdout.write(table(["id", "what", "due", "lead", "name", "tries", "last error"], cells));
        }
      } finally {
        await store.close();
      }
    });
}
