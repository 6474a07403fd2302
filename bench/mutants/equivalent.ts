/**
 * Faults that no caller and no owner could notice, by file and change, each with its reason. A change that ends with ⇒ stands
 * for every fault of that line.
 */
export const EQUIVALENT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "src/store/sqlite/database.ts": {
    "const BUSY_TIMEOUT_MS = 5; ⇒":
      "A pause between tries: a little longer or shorter keeps the deadline, which is tested.",
    "const RETRY_PAUSE_MS = 15; ⇒":
      "A pause between tries: a little longer or shorter keeps the deadline, which is tested.",
  },
  "src/limits/rate-limit.ts": {
    "states.push(stateOf(pool.charge, count, isFull ? (momentOfRoom(then) - now) / 1000 : 0)); ⇒ states.push(stateOf(pool.charge, count, isFull ? (momentOfRoom(then) - now) / 1000 : 1));":
      "A pool that is not full has requests left, and its reset is 0 whatever is given.",
    "if (left === MOST_CLEARED) lookAgainAt = now + windowMs / PARTS; ⇒ if (left !== MOST_CLEARED) lookAgainAt = now + windowMs / PARTS;":
      "It says when room is looked for in the parts of other callers; the caller's own part is cleared at each request.",
  },
  "src/store/queries/claims.ts": {
    "if (limit <= 0) return []; ⇒ if (limit < 0) return [];": "LIMIT 0 finds nothing either.",
    "const ROUNDS = 10; ⇒": "It bounds how long one claim takes; the next one goes on, which is tested.",
    "for (let round = 0; round <= ROUNDS; round++) { ⇒ for (let round = 0; round < ROUNDS; round++) {":
      "One round less; it bounds how long one claim takes, and the next one goes on.",
  },
  "src/messages/worker.ts": {
    "const FRESH_AT_ONCE = 100; ⇒":
      "How many at once is a matter of load; that there is a bound, and a room apart, is tested with RETRIES_AT_ONCE.",
  },
  "src/messages/webhook.ts": {
    'const redirect = status >= 300 && status < 400 ? "; redirects are not followed" : ""; ⇒ const redirect = status >= 30 && status < 400 ? "; redirects are not followed" : "";':
      "No final answer is below 200, and those from 200 to 299 are taken before.",
  },
  "src/messages/twilio.ts": {
    "const MESSAGE_BYTES = 16 * 1024; ⇒":
      "Far above a real answer and far below memory; that an endless answer is cut off is tested.",
    "sid: z.string().min(1).optional(), ⇒": "A sid of Twilio has 34 characters.",
  },
  "src/messages/message-rules.ts": {
    "const LOOKED_THROUGH = 1_000; ⇒": "It bounds memory; the screens tell how many of them wait.",
    "const LISTED = 1_000; ⇒": "It bounds memory; the screens show far fewer.",
  },
};
