/** Documents: pages and files that are made from the catalog. Their sample bookings show times that are open. */
import { Elysia } from "elysia";
import type { Document } from "../capabilities/core/document.ts";
import { sampleLength } from "../capabilities/core/samples.ts";
import { withDaysToCome } from "../domain/schedule.ts";
import type { Start } from "../domain/slots.ts";
import { otherMethods } from "./other-methods.ts";
import {
  byDay,
  cached,
  getAndHead,
  preferredType,
  type Representation,
  represent,
  sendRepresentation,
} from "./representation.ts";
import { type RequestContext, withCall } from "./request-context.ts";

/** Makes the representation of a document for a request. */
export type Source = (call: RequestContext) => Promise<Representation>;

export function documentPlugin(documents: readonly Document[]) {
  const plugin = new Elysia().use(withCall);
  for (const document of documents) {
    const source = negotiated(document);
    getAndHead(plugin, document.path, async ({ call, set }) => sendRepresentation({ call, set }, await source(call)));
  }
  return plugin.use(otherMethods);
}

/** The document, or the same in the type that the Accept header prefers. */
function negotiated({ otherTypes = [], ...document }: Document): Source {
  if (otherTypes.length === 0) return documentSource(document);
  const source = (one: Document) => documentSource(withHeaders(one, { Vary: "Accept" }));
  const usual = source(document);
  const sources = new Map([[typeOf(document), usual], ...otherTypes.map((one) => [typeOf(one), source(one)] as const)]);
  return (call) => (sources.get(preferredType(call.request, [...sources.keys()]) ?? "") ?? usual)(call);
}

/** Without the charset. */
function typeOf({ contentType }: Document): string {
  return contentType.replace(/;.*$/, "");
}

/** A document that is sent with more headers. */
export function withHeaders(document: Document, more: Readonly<Record<string, string>>): Document {
  return {
    ...document,
    render: async (...given) => {
      const { body, headers } = await document.render(...given);
      return { body, headers: { ...headers, ...more } };
    },
  };
}

/** Made anew when the catalog changes or, for a document with today's date, the shop's day; for one with samples the open time in them too. */
export function documentSource({ contentType, showsSamples, showsToday, render }: Document): Source {
  const make = async ({ call: { catalog, now }, start }: Moment) => {
    const { body, headers } = await render(withDaysToCome(catalog, now), now, start);
    return represent(body, contentType, headers);
  };
  if (!showsSamples) {
    const source = cached(make, ({ call }) => (showsToday ? byDay(call) : [withDaysToCome(call.catalog, call.now)]));
    return (call) => source({ call });
  }
  const source = cached(make, ({ call, start }) => [...byDay(call), start?.date, start?.time]);
  return async (call) => {
    const { catalog, now, deps } = call;
    return source({ call, start: await deps.diary.firstOpen(sampleLength(catalog), { catalog, now }) });
  };
}

interface Moment {
  call: RequestContext;
  /** The open time that the sample booking shows. */
  start?: Start | null;
}
