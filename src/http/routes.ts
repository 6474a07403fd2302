/** What the routes of all plugins have in common: `call`, and their patterns. */
import { type DocumentDecoration, Elysia } from "elysia";
import type { Sending } from "./representation.ts";
import type { RequestContext } from "./request-context.ts";

/** Gives plugins the type of the request context. */
export const withCall = new Elysia({ name: "tintdesk/call" }).decorate("call", {} as RequestContext);

/** A plugin for a kind of path. The OpenAPI document leaves its routes out, but for those with a `detail` of their own. */
export function pathPlugin(): PathPlugin {
  return new Elysia({ detail: { hide: true } }).use(withCall);
}

type PathPlugin = typeof withCall;
/** The operation of a route, for its place in the OpenAPI document. @param path from the address of the API */
export type DetailOf = (method: string, path: string) => DocumentDecoration;

export const ANY_PATH = "/*";

/** A path of ours, `/bookings/{code}`, as Elysia writes it. */
export function toRoute(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/** The same back from Elysia, for log and metrics. */
export function toPattern(route: string): string {
  return route === ANY_PATH ? "unknown" : route.replace(/:(\w+)/g, "{$1}");
}

/** Routes for a handler that ends with `sendRepresentation`. Elysia's own HEAD would state the length 0 for 304. */
export function getAndHead(
  plugin: PathPlugin,
  path: string,
  handler: (at: Sending & { params: Record<string, string> }) => Promise<object | string>,
  detail?: DocumentDecoration,
): void {
  plugin.get(path, handler, { detail }).head(path, handler);
}
