/**
 * Faults that no caller and no owner could notice, each with its reason. The key is the file and the change; a change that
 * ends with ⇒ stands for every fault of that line.
 */
export const EQUIVALENT: readonly { file: string; change: string; reason: string }[] = [
  {
    file: "src/limits/rate-limit.ts",
    change: "const ROOM: Room = { pools: 2 ** 20, requests: 2 ** 21, shared: 2 ** 17 }; ⇒",
    reason: "A matter of memory; what happens when the room is full is tested with a small one.",
  },
  {
    file: "src/capabilities/availability/answer.ts",
    change: "shown.set(day, known); ⇒ ;",
    reason: "The day is worked out again each time, with the same result: a matter of speed.",
  },
  {
    file: "src/capabilities/core/diary.ts",
    change: "if (known.size >= MOST_DAYS) known.clear(); ⇒ if (known.size > MOST_DAYS) known.clear();",
    reason: "One day more is kept: a matter of memory.",
  },
  {
    file: "src/limits/shared-counts.ts",
    change: "cells[at] = (cells[at] ?? 0) + by; ⇒ cells[at] = (cells[at] ?? 1) + by;",
    reason: "The place is inside the array; only the type checker asks for another value.",
  },
  {
    file: "src/limits/shared-counts.ts",
    change:
      "if (totals[at] !== 0) for (let i = at; i < cells.length; i += COLUMNS) cells[i] = 0; ⇒ if (totals[at] !== 0) for (let i = at; i <= cells.length; i += COLUMNS) cells[i] = 0;",
    reason: "A typed array ignores a value past its end.",
  },
  {
    file: "src/limits/rate-limit.ts",
    change:
      "return { allowed: false, states: statesOf(pools, 0), retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)) }; ⇒ return { allowed: false, states: statesOf(pools, 0), retryAfterSeconds: Math.max(0, Math.ceil(wait / 1000)) };",
    reason: "The wait of a pool that is used up is above 0, so rounded up it is 1 at least.",
  },
  {
    file: "src/store/sqlite/database.ts",
    change: "const BUSY_TIMEOUT_MS = 5; ⇒",
    reason: "A pause between tries: a little longer or shorter keeps the deadline, which is tested.",
  },
  {
    file: "src/store/sqlite/queue.ts",
    change: "const RETRY_PAUSE_MS = 15; ⇒",
    reason: "A pause between tries: a little longer or shorter keeps the deadline, which is tested.",
  },
  {
    file: "src/store/sqlite/database.ts",
    change:
      "db = inMemory ? databaseInMemory() : new Database(file, { create: true, strict: true }); ⇒ db = inMemory ? databaseInMemory() : new Database(file, { create: true, strict: false });",
    reason: "Strict only refuses statements with a parameter too few, and there are none.",
  },
  {
    file: "src/store/queries/claims.ts",
    change: "if (limit <= 0) return []; ⇒ if (limit < 0) return [];",
    reason: "LIMIT 0 finds nothing either.",
  },
  {
    file: "src/store/queries/claims.ts",
    change: "const ROUNDS = 10; ⇒",
    reason: "It bounds how long one claim takes; the next one goes on, which is tested.",
  },
  {
    file: "src/store/queries/claims.ts",
    change: "for (let round = 0; round <= ROUNDS; round++) { ⇒ for (let round = 0; round < ROUNDS; round++) {",
    reason: "One round less; it bounds how long one claim takes, and the next one goes on.",
  },
  {
    file: "src/jobs/stuck.ts",
    change: "const LISTED = 1_000; ⇒",
    reason: "It bounds memory; the screens show far fewer.",
  },
  {
    file: "src/jobs/worker.ts",
    change: "const FRESH_AT_ONCE = 100; ⇒",
    reason:
      "How many at once is a matter of load; that there is a bound, and a room apart, is tested with RETRIES_AT_ONCE.",
  },
  {
    file: "src/jobs/crm.ts",
    change:
      'const redirect = response.status >= 300 && response.status < 400 ? "; redirects are not followed" : ""; ⇒ const redirect = response.status >= 30 && response.status < 400 ? "; redirects are not followed" : "";',
    reason: "No final answer is below 200, and those from 200 to 299 are taken before.",
  },
  {
    file: "src/jobs/sms.ts",
    change: "const MESSAGE_BYTES = 16 * 1024; ⇒",
    reason: "Far above a real answer and far below memory; that an endless answer is cut off is tested.",
  },
  {
    file: "src/jobs/text-rules.ts",
    change: "const LOOKED_THROUGH = 1_000; ⇒",
    reason: "It bounds memory; the screens tell how many of them wait.",
  },
  {
    file: "src/jobs/sms.ts",
    change: "sid: z.string().min(1).optional(), ⇒",
    reason: "A sid of Twilio has 34 characters.",
  },
  {
    file: "src/capabilities/check-availability.ts",
    change: 'if (!first || !last) throw new Error("no days"); ⇒ if (!first && !last) throw new Error("no days");',
    reason: "A list with a first day has a last one.",
  },
  {
    file: "src/capabilities/availability/answer.ts",
    change: 'if (!first || !last) throw new Error("no days"); ⇒ if (!first && !last) throw new Error("no days");',
    reason: "A list with a first day has a last one.",
  },
  {
    file: "cli/catalog/opening-times.ts",
    change:
      "return word.length < 2 ? -1 : WEEKDAYS.findIndex((day) => day.startsWith(word)); ⇒ return word.length < 2 ? -2 : WEEKDAYS.findIndex((day) => day.startsWith(word));",
    reason: "Any number below 0 means that there is no such day.",
  },
];
