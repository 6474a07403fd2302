/** Who may not pass: callers whom the shop shuts out, and bookings without a key where the shop asks for one. */
import type { Capability } from "../capabilities/core/capability.ts";
import { ApiError } from "../errors.ts";
import type { HttpCaller } from "./caller.ts";
import type { RequestContext } from "./request-context.ts";

/** @throws ApiError when the caller's key or network shuts them out */
export function refuseCaller({ credentials, isBlocked }: HttpCaller): void {
  if (isBlocked) throw new ApiError("FORBIDDEN", "Requests from this network are not accepted.");
  switch (credentials.kind) {
    case "valid":
    case "none":
      return;
    case "revoked":
      throw new ApiError("FORBIDDEN", "This API key was revoked by the shop.");
    case "ended":
      throw new ApiError("INVALID_API_KEY", "This API key ended because nobody used it for long. Register a new one.");
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

/** @throws ApiError API_KEY_REQUIRED where the shop takes bookings only with a key, and there is none */
export function requireKey({ caller, catalog }: RequestContext, capability: Capability): void {
  if (!catalog.bookings.require_api_key || !capability.acceptsKey || caller.credentials.kind !== "none") return;
  throw new ApiError("API_KEY_REQUIRED", "This shop takes bookings only with an API key.");
}
