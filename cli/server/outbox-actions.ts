/** Trying a message again, and giving messages up: one way for the command and the screen. */
import type { DropOutcome, RetryOutcome, Store } from "../../src/store/store.ts";
import { CliError } from "../terminal/output.ts";
import { readOutbox, whyOff } from "./outbox.ts";

/** Jobs searched for the one that is tried again. */
const SEARCHED = 500;

/** Makes a message due now. @param shop who is told of the shop's news now @returns what happens next @throws CliError when it waits no longer */
export async function retryMessage(
  store: Store,
  id: number,
  now: number,
  shop: readonly string[] | null,
): Promise<string> {
  const { jobs } = await readOutbox(store, SEARCHED);
  const job = jobs.find((one) => one.id === id);
  const off = job ? whyOff(job, shop) : null;
  const outcome = await store.retryJob(id, now);
  refuse(id, outcome);
  if (outcome.kind === "reminder") return `Reminder ${id} is due now: see tint leads. It is never sent.`;
  return off === null
    ? `Message ${id} is due now.`
    : `Message ${id} is due now, but stays until it can be sent (${off}).`;
}

/** Gives up a message. @throws CliError when it waits no longer */
export async function dropMessage(store: Store, id: number): Promise<string> {
  refuse(id, await store.dropJob(id));
  return `Message ${id} is dropped; it is never sent.`;
}

/** Gives up every message that failed. @returns those that were dropped */
export async function dropFailed(store: Store): Promise<number[]> {
  const dropped: number[] = [];
  for (;;) {
    const failed = await store.failedJobs(SEARCHED);
    for (const { id } of failed) if ((await store.dropJob(id)).kind === "dropped") dropped.push(id);
    if (failed.length < SEARCHED) return dropped;
  }
}

export function droppedInWords(count: number): string {
  if (count === 0) return "No message has failed; nothing was dropped.";
  return count === 1 ? "1 failed message is dropped." : `${count} failed messages are dropped.`;
}

/** @throws CliError when there is no such message, or it waits no longer */
function refuse(id: number, outcome: RetryOutcome | DropOutcome): void {
  if (outcome.kind === "unknown") throw new CliError(`There is no message ${id}. See tint outbox.`);
  if (outcome.kind === "refused")
    throw new CliError(
      outcome.status === "done"
        ? `Message ${id} was delivered already.`
        : `Message ${id} lapsed before it was due: its lead was contacted, its booking ended or began, another text took its place, or it was dropped.`,
    );
}
