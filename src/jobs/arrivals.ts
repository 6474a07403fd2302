/** Asks Twilio what became of the texts that it took, while the server runs. No address of this server need be public. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { ArrivalNews, AskedText, Store } from "../store/store.ts";
import { askAgain, askState } from "./text-state.ts";
import type { TwilioSettings } from "./twilio.ts";

const TURN_MS = 1_000;
const ATTEMPT_MS = 15_000;
const AT_ONCE = 10;

export interface ArrivalDeps {
  store: Pick<Store, "claimArrivals" | "settleArrivals">;
  twilio: TwilioSettings;
  /** Whether e-mails can go out. */
  isMailOn: boolean;
  log: Logger;
  /** For tests, which move it. When left out, the store's own clock. */
  now?: () => number;
  /** Time between turns; shorter in tests. */
  turnMs?: number;
}

/** A state that is unknown when the process dies is asked for again, because the claim of the question expires. */
export function startArrivals({ store, twilio, isMailOn, log, now, turnMs = TURN_MS }: ArrivalDeps) {
  const stopping = new AbortController();

  const turn = async () => {
    const at = now?.();
    const texts = await store.claimArrivals({
      lastsMs: 2 * ATTEMPT_MS,
      limit: AT_ONCE,
      ...(at !== undefined && { now: at }),
    });
    const signal = AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS), stopping.signal]);
    const news = await Promise.all(texts.map((text) => askState(text, twilio, signal).catch(() => askAgain(text))));
    if (news.length === 0) return;
    const isNew = await store.settleArrivals(news, isMailOn, at);
    for (const [i, one] of news.entries()) if (isNew[i]) report(one, texts[i], log);
  };

  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await turn().catch((error: unknown) => log.error({ err: error }, "the state of texts could not be asked for"));
      await sleep(turnMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  return {
    /** Ends the questions under way. */
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}

function report(news: ArrivalNews, text: AskedText | undefined, log: Logger): void {
  const about = { job: news.id, kind: text?.kind };
  if (news.kind === "delivered") log.info(about, "text delivered");
  if (news.kind === "undelivered") log.error({ ...about, reason: news.reason }, "text not delivered; see tint outbox");
  if (news.kind === "unknown") log.warn(about, "whether a text arrived is not known; it is asked for no more");
}
