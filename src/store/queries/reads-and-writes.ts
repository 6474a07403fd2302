/** The functions that read and write, named as the methods of `Store`: each engine runs them in its own way. */
import { changeQueries } from "./booking-changes.ts";
import { statusQueries } from "./booking-status.ts";
import { bookingQueries } from "./bookings.ts";
import { claimQueries } from "./claims.ts";
import { customerQueries } from "./customers.ts";
import { deliveryQueries } from "./delivery-status.ts";
import { depositQueries } from "./deposits.ts";
import { forgetQueries } from "./forget.ts";
import { jobQueries } from "./jobs.ts";
import { leadStatusQueries } from "./lead-status.ts";
import { leadQueries } from "./leads.ts";
import { paymentQueries } from "./payments.ts";
import { quotaUse } from "./quotas.ts";
import { rewordingQueries } from "./rewording.ts";
import { secretQueries } from "./secrets.ts";
import { run, type Steps } from "./steps.ts";

/** None needs a transaction. */
const READS = {
  ...bookingQueries.reads,
  ...changeQueries.reads,
  ...depositQueries.reads,
  ...leadQueries.reads,
  ...customerQueries.reads,
  ...secretQueries.reads,
  ...jobQueries.reads,
  ...deliveryQueries.reads,
  ...rewordingQueries.reads,
  ...forgetQueries.reads,
  ...claimQueries.reads,
  quotaUse,
};

/** Each runs inside a transaction. */
const WRITES = {
  ...bookingQueries.writes,
  ...changeQueries.writes,
  ...statusQueries.writes,
  ...depositQueries.writes,
  ...leadQueries.writes,
  ...leadStatusQueries.writes,
  ...secretQueries.writes,
  ...jobQueries.writes,
  ...deliveryQueries.writes,
  ...rewordingQueries.writes,
  ...forgetQueries.writes,
  ...claimQueries.writes,
  ...paymentQueries.writes,
  /** Tries a harmless write. */
  *checkWritable(): Steps<void> {
    yield* run("UPDATE heartbeat SET beats = beats + 1");
  },
};

/** A call of one of the functions, as data, so that a thread can perform it. */
export interface Write {
  name: keyof typeof WRITES;
  args: unknown[];
}

export function stepsOf({ name, args }: Write): Steps<unknown> {
  // Safe, because only `readsAndWrites` makes writes, and there the arguments are those of the function.
  const write = WRITES[name] as (...args: unknown[]) => Steps<unknown>;
  return write(...args);
}

/** The methods that have the arguments and the results of the functions. */
type Methods<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (...args: infer Args) => Steps<infer Result>
    ? (...args: Args) => Promise<Result>
    : never;
};

/** @param call calls the function of that name */
function methodsOf<Functions extends object>(
  functions: Functions,
  call: (name: keyof Functions, args: unknown[]) => Promise<unknown>,
): Methods<Functions> {
  // Safe, because `keyof` names the keys of the object.
  const names = Object.keys(functions) as (keyof Functions)[];
  const methods = names.map((name) => [name, (...args: unknown[]) => call(name, args)]);
  // Safe, because each method has the arguments and the result of the function of the same name.
  return Object.fromEntries(methods) as Methods<Functions>;
}

export interface Engine {
  read<Result>(steps: Steps<Result>): Promise<Result>;
  write(write: Write): Promise<unknown>;
}

export function readsAndWrites({ read, write }: Engine) {
  const { hasOverHolds, hasDueJobs, hasUnconfirmedTexts, ...reads } = methodsOf(READS, (name, args) => {
    // Safe, because the method of this name has the arguments of the function.
    const steps = READS[name] as (...args: unknown[]) => Steps<unknown>;
    return read(steps(...args));
  });
  const writes = methodsOf(WRITES, (name, args) => write({ name, args }));
  return {
    ...reads,
    ...writes,
    expireHolds: async (now?: number) => ((await hasOverHolds(now)) ? writes.expireHolds(now) : 0),
    claimJobs: async (claim: Parameters<typeof writes.claimJobs>[0]) =>
      (await hasDueJobs(claim)) ? writes.claimJobs(claim) : [],
    claimUnconfirmedTexts: async (claim: Parameters<typeof writes.claimUnconfirmedTexts>[0]) =>
      (await hasUnconfirmedTexts(claim)) ? writes.claimUnconfirmedTexts(claim) : [],
  };
}
