/** Documents made from the catalog, the home of the site, the owner's calendar, and OpenAPI, which @elysiajs/swagger assembles. */
import { swagger } from "@elysiajs/swagger";
import type { Document } from "../capabilities/core/document.ts";
import { sampleLength } from "../capabilities/core/samples.ts";
import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import { withDaysToCome } from "../domain/days-to-come.ts";
import type { Start } from "../domain/slots.ts";
import { ApiError } from "../errors.ts";
import { hashSecret } from "../lib/ids.ts";
import type { Store } from "../store/store.ts";
import { queryOf } from "./input.ts";
import { noSuchPath, otherMethods } from "./not-found.ts";
import {
  byDay,
  cached,
  preferredType,
  type Representation,
  represent,
  type Sending,
  sendRepresentation,
} from "./representation.ts";
import type { RequestContext } from "./request-context.ts";
import { type DetailOf, getAndHead, pathPlugin, toRoute } from "./routes.ts";

type Source = (call: RequestContext) => Promise<Representation>;

/** @param detailOf the operations of those that are part of the API */
export function documentPlugin(documents: readonly Document[], detailOf: DetailOf) {
  const plugin = pathPlugin();
  for (const document of documents) {
    const source = negotiated(document);
    const detail = document.isOperation ? detailOf("GET", document.path.slice(API_PREFIX.length)) : undefined;
    getAndHead(
      plugin,
      toRoute(document.path),
      async ({ call, set }) => sendRepresentation({ call, set }, sectionOf(await source(call), call)),
      detail,
    );
    if (!document.hasSections) continue;
    const moved = ({ params, set }: { params: { id: string }; set: Sending["set"] }) => {
      set.status = 301;
      set.headers.Location = `${document.path}?section=${encodeURIComponent(params.id)}`;
      return "";
    };
    plugin.get(`${document.path}/:id`, moved).head(`${document.path}/:id`, moved);
  }
  return plugin.use(otherMethods);
}

/** The section that is asked for, or the whole. @throws ApiError NOT_FOUND */
function sectionOf(whole: Representation, { request }: RequestContext): Representation {
  const id = whole.sections && new URLSearchParams(queryOf(request)).get("section");
  if (!whole.sections || !id) return whole;
  const section = whole.sections.get(id);
  if (section) return section;
  const allowed = [...whole.sections.keys()];
  throw new ApiError("NOT_FOUND", "There is no such section.", {
    agent_instruction: `Ask for one of these sections: ${allowed.join(", ")}.`,
    invalid_fields: [{ field: "section", message: "must be one of the ids of sections.", allowed }],
  });
}

/** The document, or the same in the type that the Accept header prefers. */
function negotiated({ otherTypes = [], ...document }: Document): Source {
  if (otherTypes.length === 0) return documentSource(document);
  const source = (one: Document) => documentSource(withHeaders(one, { Vary: "Accept" }));
  const usual = source(document);
  const sources = new Map([
    [mediaType(document), usual],
    ...otherTypes.map((one) => [mediaType(one), source(one)] as const),
  ]);
  return (call) => (sources.get(preferredType(call.request, [...sources.keys()]) ?? "") ?? usual)(call);
}

/** Without the charset. */
function mediaType({ contentType }: Document): string {
  return contentType.replace(/;.*$/, "");
}

function withHeaders(document: Document, more: Readonly<Record<string, string>>): Document {
  return {
    ...document,
    render: async (...given) => {
      const rendered = await document.render(...given);
      return { ...rendered, headers: { ...rendered.headers, ...more } };
    },
  };
}

/** Made anew when the catalog changes or, for a document with today's date, the shop's day; for one with samples the open time in them too. */
function documentSource({ contentType, showsSamples, showsToday, render }: Document): Source {
  const make = async ({ call: { catalog, now }, start }: Moment) => {
    const { body, headers, sections = new Map() } = await render(withDaysToCome(catalog, now), now, start);
    const parts = [...sections].map(([id, text]) => [id, represent(text, contentType, headers)] as const);
    return { ...represent(body, contentType, headers), ...(parts.length > 0 && { sections: new Map(parts) }) };
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
  start?: Start | null;
}

/** Where the rest is (RFC 8631, RFC 9727), for callers that read no body. */
const LINK = [
  `<${API_PREFIX}/openapi.json>; rel="service-desc"; type="application/json"`,
  `<${API_PREFIX}/docs>; rel="service-doc"; type="text/html"`,
  '</.well-known/api-catalog>; rel="api-catalog"',
].join(", ");
const HOME_HEADERS = { Link: LINK, Vary: "Accept" };

/** Among types of equal weight, the first one that the caller names; people send no more than a wildcard. */
const HOME_TYPES = ["text/html", "application/json", "text/markdown"];

/** `GET /` of the site: people get a page, programs the manifest, models the text, as their Accept header asks. */
export function homePlugin(page: string, manifest: Document, text: Document) {
  const json = documentSource(withHeaders(manifest, HOME_HEADERS));
  const markdown = documentSource(withHeaders(text, HOME_HEADERS));
  const plugin = pathPlugin();
  getAndHead(plugin, "/", async ({ call, set }) => {
    const type = preferredType(call.request, HOME_TYPES) ?? "text/html";
    if (type !== "text/html")
      return sendRepresentation({ call, set }, await (type === "application/json" ? json : markdown)(call));
    set.status = 302;
    Object.assign(set.headers, { ...HOME_HEADERS, Location: page });
    return "";
  });
  return plugin.use(otherMethods);
}

type Feed = (store: Store, catalog: Shop, now: Temporal.Instant) => Promise<string>;

/** `/calendar/<token>.ics`: the diary for the owner's phone. Only the token's digest is stored, and no log holds it. */
export function calendarPlugin(store: Store, load: () => Promise<Feed>) {
  return pathPlugin()
    .get("/calendar/:file", async ({ call: { catalog, now }, params, set }) => {
      const token = /^([^.]+)\.ics$/.exec(params.file ?? "")?.[1];
      const hash = token === undefined ? null : await store.calendarHash();
      // The same answer as for a path that does not exist.
      if (token === undefined || hash !== hashSecret(token)) throw noSuchPath();
      const feed = await load();
      Object.assign(set.headers, CALENDAR_HEADERS);
      return feed(store, catalog, now);
    })
    .use(otherMethods);
}

const CALENDAR_HEADERS = {
  "Content-Type": "text/calendar; charset=utf-8",
  "X-Robots-Tag": "noindex",
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "no-referrer",
};

type Documentation = NonNullable<NonNullable<Parameters<typeof swagger>[0]>["documentation"]>;

/** The operations by path, from the address of the API, and method; and the rest of the document. */
interface Description {
  paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

const PATH = `${API_PREFIX}/openapi.json`;
const TYPE = "application/json";

/** Made anew when the catalog or the shop's day changes. `forTools`: the form for function calling, of `?profile=tools`. */
export function createOpenApi(
  make: (catalog: Shop, now: Temporal.Instant) => Promise<Description>,
  forTools: (document: string) => Promise<object>,
) {
  const made = cached(({ catalog, now }: RequestContext) => make(catalog, now), byDay);
  /** The plugin reads this object, and the details of routes read `operations`, whenever it answers. */
  const documentation: Documentation = {};
  let operations: Description["paths"] = {};
  // Its own page loads scripts from other hosts. The document has the same path, and takes its place.
  const documents = swagger({ path: PATH, specPath: PATH, excludeMethods: ["HEAD"], documentation });

  const whole = cached(async (text: string) => represent(text, TYPE), sameText);
  const tools = cached(async (text: string) => represent(JSON.stringify(await forTools(text)), TYPE), sameText);
  /** The plugin names whole paths, also of what this shop does not offer. */
  const written = ({ paths, ...rest }: Description) => {
    const own = Object.entries(paths).map(([path, methods]) => [path.slice(API_PREFIX.length), methods] as const);
    return JSON.stringify({ ...rest, paths: Object.fromEntries(own.filter(([path]) => operations[path])) });
  };
  /** Asks the plugin, where its route is not the one that answers. */
  const assembled = async (): Promise<object> =>
    (await documents.handle(new Request(`http://localhost${PATH}`))).json() as Promise<object>;
  const plugin = pathPlugin();
  plugin
    .onBeforeHandle(async ({ call }) => {
      const { paths, ...rest } = await made(call);
      operations = paths;
      Object.assign(documentation, rest);
    })
    .onAfterHandle(async ({ call, set, responseValue }) => {
      const isForTools = new URLSearchParams(queryOf(call.request)).get("profile") === "tools";
      const representation = await (isForTools ? tools : whole)(written(responseValue as Description));
      return sendRepresentation({ call, set }, representation);
    })
    .use(documents)
    .head(PATH, assembled);
  getAndHead(plugin, "/.well-known/openapi.json", assembled);

  return {
    plugin: pathPlugin().use(plugin).use(otherMethods),
    /** They are written when the document is. */
    detailOf: ((method, path) =>
      Object.assign({ hide: false }, { toJSON: () => operations[path]?.[method.toLowerCase()] })) satisfies DetailOf,
  };
}

function sameText(text: string): readonly string[] {
  return [text];
}
