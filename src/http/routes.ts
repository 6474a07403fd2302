/** Every path and what answers it, served by Elysia. The gateway around it owns limits, errors and headers. */
import { Elysia } from "elysia";
import type { Capability } from "../capabilities/core/capability.ts";
import type { Exchange, Route } from "./exchange.ts";
import type { HttpProtocol } from "./protocols.ts";
import { refuse } from "./respond.ts";

/** One method of one path. */
export interface Endpoint {
  method: "GET" | "POST";
  /** From the root of the site. A field in braces stands for one segment. */
  path: string;
  /** A failure is thrown; the caller gets it in the one error shape. */
  answer: (exchange: Exchange) => Promise<Response> | Response;
  capability?: Capability;
  protocol?: HttpProtocol;
  isHealthCheck?: boolean;
  /** A page for people that says why a request was refused; without it the error is JSON. */
  refusal?: Route["refusal"];
}

export interface Routes {
  /** Undefined when there is no such path. */
  find: (path: string) => Route | undefined;
  /** Only for a path and method that `find` knows. @throws ApiError later, never at once */
  answer: (exchange: Exchange) => Promise<Response> | Response;
}

export function createRoutes(endpoints: readonly Endpoint[]): Routes {
  const routes = new Map([...Map.groupBy(endpoints, ({ path }) => path)].map(([path, some]) => [path, toRoute(some)]));
  const patterns = [...routes.values()].filter(({ path }) => hasFields(path));
  // Elysia hands a handler nothing but the request, and calls it before `fetch` returns.
  let routed: Exchange | undefined;
  const handleBy = (answer: Endpoint["answer"], { request }: { request: Request }) => {
    const exchange = routed;
    routed = undefined;
    if (exchange?.request !== request) throw new Error("a request reached the routes without the gateway");
    return answerOrRefuse(answer, exchange);
  };
  const app = new Elysia({ handler: { standardHostname: false } });
  for (const { method, path, answer } of endpoints) {
    // Bound, so that Elysia cannot read the source: it awaits whatever a handler's `return` calls, and parses bodies.
    const handle = handleBy.bind(undefined, answer);
    const pattern = path.replace(/\{(\w+)\}/g, ":$1");
    app.route(method, pattern, handle);
    if (method === "GET") app.route("HEAD", pattern, handle);
  }
  return {
    find: (path) => routes.get(path) ?? patterns.find((route) => readPath(route.path, path) !== undefined),
    answer(exchange) {
      routed = exchange;
      return app.fetch(exchange.request);
    },
  };
}

/** Without this, Elysia would turn an error into its own answer. It passes a rejected promise on as it is. */
function answerOrRefuse(answer: Endpoint["answer"], exchange: Exchange): Promise<Response> | Response {
  try {
    return answer(exchange);
  } catch (error) {
    return refuse(exchange, error);
  }
}

function toRoute(endpoints: readonly Endpoint[]): Route {
  const methods = endpoints.map(({ method }) => method);
  const first = <Key extends keyof Endpoint>(key: Key) => endpoints.find((one) => one[key] !== undefined)?.[key];
  return {
    path: endpoints[0]?.path ?? "",
    methods,
    allow: [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", "),
    capability: first("capability"),
    protocol: first("protocol"),
    isHealthCheck: first("isHealthCheck") ?? false,
    refusal: first("refusal"),
  };
}

/** Whether a path has fields in it, like `/bookings/{code}`. */
export function hasFields(path: string): boolean {
  return path.includes("{");
}

/** The fields in a path, `/bookings/{code}`; undefined when the path has another form. */
export function readPath(pattern: string, path: string): Record<string, string> | undefined {
  const parts = path.split("/");
  const names = pattern.split("/");
  if (parts.length !== names.length) return undefined;
  const fields: Record<string, string> = {};
  for (const [i, name] of names.entries()) {
    const part = parts[i] ?? "";
    const field = /^\{(\w+)\}$/.exec(name)?.[1];
    if (field === undefined ? part !== name : part === "") return undefined;
    if (field !== undefined) fields[field] = decoded(part);
  }
  return fields;
}

/** A segment that is no valid percent-encoding stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
