import type { Command } from "commander";
import { z } from "zod";
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import { KEYS_OF } from "../../src/env/channels.ts";
import { rawSettings } from "../../src/env/env.ts";
import { CHANNEL_OF } from "../../src/jobs/channels.ts";
import type { Store, WaitingJob } from "../../src/store/store.ts";
import { CUSTOMER_MESSAGES, type JobKind } from "../../src/vocabulary.ts";
import { Failure, Misuse } from "../failure.ts";
import { shopClock } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import { examples } from "../terminal/help.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { listCommand } from "../terminal/subcommands.ts";
import { clean, table } from "../terminal/text.ts";
import { momentInWords } from "../terminal/times.ts";

const SHOWN = 500;

interface ListOptions extends CommonOptions {
  all?: boolean;
}

export function configure(command: Command): void {
  command.addHelpText("after", examples("tint outbox", "tint outbox retry 17"));
  listCommand(command)
    .summary("show what is not yet delivered")
    .description(
      "What is not yet delivered: what was given up first, then the messages that wait, then pushes to a CRM; of each the longest due first.",
    )
    .option("--all", "also what is never sent: reminders to call, and pushes while there is no CRM")
    .option("--json", "print JSON, always with all")
    .addHelpText("after", examples("tint outbox", "tint outbox --all", "tint outbox list --json"))
    .action((_options: object, self: Command) => list(self.optsWithGlobals<ListOptions>()));
  command
    .command("retry <id>")
    .summary("try a message again now")
    .description("Makes a message that waits, or was given up, due now; a running server sends it.")
    .option("--json", "print JSON")
    .addHelpText("after", examples("tint outbox retry 17"))
    .action((id: string, _options: object, self: Command) => retry(id, self.optsWithGlobals<CommonOptions>()));
}

type Job = WaitingJob & { status: "failed" | "waiting" };

async function list(options: ListOptions): Promise<void> {
  const catalog = shopClock(options.catalog);
  const { jobs, more } = await withStore(options.data, readJobs);
  const shown = options.json || options.all ? jobs : jobs.filter((job) => !isNeverSent(job));
  if (more) process.stderr.write(`Only the first ${SHOWN} of each are shown.\n`);
  if (options.json) await print(jsonLine(shown.map((job) => jobJson(job, catalog))));
  else {
    const hidden = jobs.length - shown.length;
    if (shown.length > 0)
      await print(
        table(
          HEAD,
          shown.map((job) => jobRow(job, catalog)),
          ["name", "reason", "to", "text"],
        ),
      );
    else process.stderr.write("Nothing waits.\n");
    if (hidden > 0)
      process.stderr.write(
        `${hidden} more ${hidden === 1 ? "is" : "are"} for you alone and never sent; see them with --all.\n`,
      );
  }
}

/** Messages are not to be lost among the pushes of a shop that has no CRM, and the reminders of what is to come. */
async function readJobs(store: Store): Promise<{ jobs: Job[]; more: boolean }> {
  const kinds = [["notify_shop_sms", ...CUSTOMER_MESSAGES], ["push_to_crm"], ["remind_owner"]] as const;
  const failed = await store.failedJobs(SHOWN + 1);
  const waiting = await Promise.all(kinds.map((group) => store.waitingJobs(SHOWN + 1, group)));
  return {
    jobs: [
      ...failed.slice(0, SHOWN).map((job) => ({ ...job, status: "failed" as const })),
      ...waiting.flatMap((group) => group.slice(0, SHOWN).map((job) => ({ ...job, status: "waiting" as const }))),
    ],
    more: [failed, ...waiting].some((group) => group.length > SHOWN),
  };
}

function jobJson({ id, status, kind, dueAt, attempts, lastError, lead, payload }: Job, catalog: ShopClock) {
  return {
    id,
    status,
    kind,
    due: rfc3339(catalog, dueAt),
    lead: lead.reference,
    name: lead.name,
    attempts,
    last_error: lastError,
    ...contentOf(payload),
  };
}

const HEAD = ["id", "state", "what", "due", "lead", "name", "tries", "reason", "to", "text"];

function jobRow(job: Job, catalog: ShopClock): string[] {
  const { to, text } = contentOf(job.payload);
  return [
    String(job.id),
    job.status,
    KINDS[job.kind],
    momentInWords(catalog, job.dueAt),
    job.lead.reference,
    clean(job.lead.name),
    String(job.attempts),
    clean(job.lastError ?? whyOff(job.kind) ?? ""),
    clean(to ?? ""),
    clean(text ?? ""),
  ];
}

/** What each is to the owner. */
const KINDS: Record<JobKind, string> = {
  notify_shop_sms: "text to the shop",
  push_to_crm: "lead to your CRM",
  remind_owner: "reminder to call",
  confirmation_sms: "confirmation text",
  confirmation_email: "confirmation e-mail",
  reminder_sms: "reminder text",
  reminder_email: "reminder e-mail",
};

/** Why nothing of a kind goes out, as far as the settings here tell: the server may have others. */
function whyOff(kind: JobKind): string | null {
  const channel = CHANNEL_OF[kind];
  if (channel === null) return "it waits for you: see tint leads";
  const missing = KEYS_OF[channel].filter((key) => !rawSettings()[key]);
  return missing.length === 0 ? null : `off: ${missing.join(", ")} not set`;
}

/** A reminder is there to be seen in `tint leads`; a push that was never tried waits for a CRM that most shops do not have. */
function isNeverSent({ kind, attempts }: Job): boolean {
  return kind === "remind_owner" || (kind === "push_to_crm" && attempts === 0 && whyOff(kind) !== null);
}

/** What a message says and to whom, as far as its kind says anything. */
function contentOf(payload: unknown): { to: string | null; text: string | null } {
  const { to, text } = MESSAGE.safeParse(payload).data ?? {};
  return { to: to ?? null, text: text ?? null };
}
const MESSAGE = z.object({ to: z.string().optional(), text: z.string().optional() });

async function retry(typed: string, options: CommonOptions): Promise<void> {
  if (!/^\d{1,15}$/.test(typed)) throw new Misuse(`${clean(typed)} is not the number of a message. See tint outbox.`);
  const id = Number(typed);
  const { outcome, off } = await withStore(options.data, async (store) => {
    const job = (await readJobs(store)).jobs.find((one) => one.id === id);
    return {
      off: job ? whyOff(job.kind) : null,
      outcome: await store.retryJob(id, Temporal.Now.instant().epochMilliseconds),
    };
  });
  if (outcome.kind === "unknown") throw new Failure(`There is no message ${id}. See tint outbox.`);
  if (outcome.kind === "refused")
    throw new Failure(
      outcome.status === "done"
        ? `Message ${id} was delivered already.`
        : `Message ${id} lapsed: its lead was contacted, or its booking ended or began, before it was due.`,
    );
  if (outcome.kind === "reminder")
    process.stderr.write(`Reminder ${id} is due now: see tint leads. It is never sent.\n`);
  else
    process.stderr.write(
      off === null
        ? `Message ${id} is due now.\n`
        : `Message ${id} is due now, but stays until it can be sent (${off}).\n`,
    );
  if (options.json) await print(jsonLine({ id, status: "waiting" }));
}
