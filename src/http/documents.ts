/** Documents as kept answers, with samples whose times are open in the diary. */
import type { Document } from "../capabilities/core/document.ts";
import { openStart, sampleMinutes } from "../capabilities/shared/samples.ts";
import { contextOf } from "./context.ts";
import { keptForAMinute, type Moment, type Source } from "./kept.ts";
import { represent } from "./representation.ts";

export function documentSource({ contentType, showsSamples, render }: Document): Source {
  const source = keptForAMinute(async ({ catalog, now, start }: Moment) => {
    const { body, headers } = await render(catalog, now, start);
    return represent(body, contentType, headers);
  });
  return (exchange) => {
    const { catalog, now } = exchange;
    if (!showsSamples) return source({ catalog, now });
    const start = openStart(sampleMinutes(catalog), contextOf(exchange));
    if (!(start instanceof Promise)) return source({ catalog, now, start });
    // Without a readable database, documents are still served, with samples that ignore the diary.
    return start.catch(() => undefined).then((found) => source({ catalog, now, start: found }));
  };
}
