/** Answers that are kept, and made anew when the catalog changes. */
import { derived } from "../catalog/derived.ts";
import type { Catalog } from "../catalog/schema.ts";
import { minuteOf } from "../domain/schedule.ts";
import type { Start } from "../domain/slots.ts";
import type { Exchange } from "./exchange.ts";
import type { Representation } from "./representation.ts";

/** Makes an answer from what belongs to the shop and the query, never from what belongs to the caller. */
export type Source = (exchange: Exchange) => Representation | Promise<Representation>;

/** Everything that a document is made from. */
export interface Moment {
  catalog: Catalog;
  now: Temporal.Instant;
  /** The open time that samples of bookings show. */
  start?: Start | null;
}

/**
 * Made anew once a minute, or when the catalog or the time in the samples changes, for documents whose samples show dates
 * and times. While the text stays the same, its compressed forms are kept.
 */
export function keptForAMinute<From extends Moment>(
  make: (from: From) => Promise<Representation>,
): (from: From) => Representation | Promise<Representation> {
  let last:
    | { catalog: Catalog; minute: number; start: string; made: Promise<Representation>; ready?: Representation }
    | undefined;
  return (from) => {
    const { catalog } = from;
    const minute = minuteOf(from.now);
    const start = `${from.start?.date} ${from.start?.time}`;
    return last?.catalog === catalog && last.minute === minute && last.start === start
      ? (last.ready ?? last.made)
      : remake(from, minute, start);
  };

  function remake(from: From, minute: number, start: string): Promise<Representation> {
    const { catalog } = from;
    const before = last?.catalog === catalog ? last.made : undefined;
    const next: NonNullable<typeof last> = { catalog, minute, start, made: unlessSame(make(from), before) };
    last = next;
    next.made.then(
      (ready) => {
        next.ready = ready;
      },
      () => {
        // The next request tries again.
        if (last === next) last = undefined;
      },
    );
    return next.made;
  }
}

async function unlessSame(making: Promise<Representation>, before: Promise<Representation> | undefined) {
  const [made, old] = await Promise.all([making, before?.catch(() => undefined)]);
  return old?.text === made.text ? old : made;
}

/** Answers to different queries kept for one catalog; a caller can think of any number. */
const MAX_QUERIES = 64;
const MAX_QUERY_LENGTH = 200;

/** For answers that depend on catalog and query alone: made once for each pair. */
export function keptForCatalog(make: (exchange: Exchange) => Promise<Representation>): Source {
  const answers = derived(() => new Map<string, Representation>());
  const keep = async (exchange: Exchange) => {
    const known = answers(exchange.catalog);
    const answer = await make(exchange);
    if (exchange.query.length > MAX_QUERY_LENGTH) return answer;
    if (known.size >= MAX_QUERIES) known.clear();
    known.set(exchange.query, answer);
    return answer;
  };
  return (exchange) => answers(exchange.catalog).get(exchange.query) ?? keep(exchange);
}
