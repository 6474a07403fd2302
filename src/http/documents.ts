/** Documents as kept answers, with samples whose times are open in the diary. */
import type { Document } from "../capabilities/core/document.ts";
import { sampleMinutes } from "../capabilities/shared/samples.ts";
import type { Start } from "../domain/slots.ts";
import type { Exchange } from "./exchange.ts";
import { keptForAMinute, type Moment, type Source } from "./kept.ts";
import { type Representation, represent } from "./representation.ts";

export function documentSource({ contentType, showsSamples, render }: Document): Source {
  const source = keptForAMinute(async ({ catalog, now, start }: Moment) => {
    const { body, headers } = await render(catalog, now, start);
    return represent(body, contentType, headers);
  });
  return (exchange) => {
    const { catalog, now } = exchange;
    if (!showsSamples) return source({ catalog, now });
    const { diary } = exchange.shared;
    const start = diary.firstOpen(sampleMinutes(catalog), { catalog, now });
    return start instanceof Promise ? sourceLater(exchange, start) : source({ catalog, now, start });
  };

  async function sourceLater({ catalog, now }: Exchange, finding: Promise<Start | null>): Promise<Representation> {
    // Without a readable database, documents are still served, with samples that ignore the diary.
    const start = await finding.catch(() => undefined);
    return source({ catalog, now, start });
  }
}
