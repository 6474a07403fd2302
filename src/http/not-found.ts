/** The error of a path that does not exist. */
import { Elysia } from "elysia";
import type { Capability } from "../capabilities/core/capability.ts";
import { CAPABILITIES } from "../capabilities/index.ts";
import { API_PREFIX } from "../constants.ts";
import { ApiError } from "../errors.ts";
import { didYouMean } from "../schema/explain.ts";
import { ANY_PATH, type RequestContext, withCall } from "./request-context.ts";
import { withWholeRequest } from "./wrong-place.ts";

const nowhere = ({ call, path }: { call: RequestContext; path: string }) => refusePath(call, path);

/**
 * Answers every path that no other plugin has. GET stands by itself, because Elysia makes HEAD of it, which states the length
 * of the answer.
 */
export const notFoundPlugin = new Elysia()
  .use(withCall)
  .get(ANY_PATH, nowhere)
  .all(ANY_PATH, nowhere, { parse: "none" });

export function noSuchPath(): ApiError {
  return new ApiError("NOT_FOUND", "There is no such path.");
}

/** @param path where it is one of the API, the nearest path that exists is named, with the request as it takes it */
async function refusePath(call: RequestContext, path: string): Promise<never> {
  const meant = capabilityNear(path);
  if (!meant) throw noSuchPath();
  const did_you_mean = `${meant.method} ${API_PREFIX}${meant.path}`;
  const message = `There is no such path; ${did_you_mean} is probably meant.`;
  const agent_instruction = `Send the request to ${did_you_mean}. GET ${API_PREFIX}/capabilities lists the paths that exist.`;
  call.capability = meant;
  const error = new ApiError("NOT_FOUND", message, { did_you_mean, agent_instruction });
  throw await withWholeRequest(error, call, { capability: meant });
}

/**
 * The capability whose path is like this one, or begins like it: `/quote`, `/api/quotes` and `/api/v2/quote/` for
 * `/quote-request`, `/api/v1/faqs` for `/faq`.
 */
function capabilityNear(path: string): Capability | undefined {
  const [, word = ""] = /^(?:\/api(?:\/v\d+)?)?(\/[a-z/-]+?)s?\/?$/i.exec(path) ?? [];
  if (word === "") return undefined;
  const paths = CAPABILITIES.map((one) => one.path).filter((one) => !one.includes("{"));
  const meant = paths.find((one) => one.startsWith(word)) ?? didYouMean(word, paths);
  return CAPABILITIES.find((one) => one.path === meant);
}
