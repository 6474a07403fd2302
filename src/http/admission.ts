/** Refuses callers whom the shop shuts out, and paths and methods that are not served. */
import { ApiError } from "../errors.ts";
import type { HttpCaller } from "./caller.ts";
import type { Route } from "./exchange.ts";

/** @throws ApiError when the caller's key or network shuts them out */
export function refuseCaller({ credentials, isBlocked }: HttpCaller, isKeyDue: boolean): void {
  if (isBlocked) throw new ApiError("FORBIDDEN", "Requests from this network are not accepted.");
  switch (credentials.kind) {
    case "valid":
      return;
    case "none":
      if (isKeyDue) throw new ApiError("API_KEY_REQUIRED", "This shop takes bookings only with an API key.");
      return;
    case "revoked":
      throw new ApiError("FORBIDDEN", "This API key was revoked by the shop.");
    case "unknown":
      throw new ApiError("INVALID_API_KEY", "This API key is not known here.");
    case "misplaced":
      throw new ApiError("INVALID_API_KEY", "Send the key as 'Authorization: Bearer <key>' or as 'X-API-Key: <key>'.");
    case "conflicting": {
      const message = "must be the same in Authorization and X-API-Key, or one of the two left out";
      const details = { invalid_fields: [{ field: "X-API-Key", message }] };
      throw new ApiError("BAD_REQUEST", `The API key ${message}.`, details);
    }
  }
}

/** Made once, because crawlers ask for many. */
export const NO_SUCH_PATH = new ApiError("NOT_FOUND", "There is no such path.");

/** @throws ApiError NOT_FOUND, METHOD_NOT_ALLOWED */
export function requireRoute(route: Route | undefined, method: string): Route {
  if (!route) throw NO_SUCH_PATH;
  const { methods, capability } = route;
  const isAllowed = methods.includes(method) || method === "OPTIONS" || (method === "HEAD" && methods.includes("GET"));
  if (isAllowed) return route;
  const meant = capability?.method ?? methods[0] ?? "GET";
  throw new ApiError("METHOD_NOT_ALLOWED", `This path does not answer ${method}; use ${meant}.`, { method: meant });
}
