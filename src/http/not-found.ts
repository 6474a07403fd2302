/** The answer to every path that no plugin has: 404 with the request that was probably meant, to which a browser is led on. */
import { API_PREFIX } from "../constants.ts";
import { ApiError } from "../errors.ts";
import { doorFrom, isBrowser, leadOn } from "./doors.ts";
import { fieldNames, queryOf, withWholeRequest } from "./input.ts";
import type { Sending } from "./representation.ts";
import { ANY_PATH, pathPlugin } from "./routes.ts";
import { wayFrom } from "./ways.ts";

interface Unknown extends Sending {
  path: string;
}

const nowhere = ({ call, set, path }: Unknown) => refusePath({ call, set, path });

/**
 * Answers every path that no other plugin has. GET stands by itself, because Elysia makes HEAD of it, which states the length
 * of the answer.
 */
export const notFoundPlugin = pathPlugin().get(ANY_PATH, nowhere).all(ANY_PATH, nowhere, { parse: "none" });

export function noSuchPath(): ApiError {
  return new ApiError("NOT_FOUND", "There is no such path.");
}

async function refusePath({ call, set, path }: Unknown): Promise<string> {
  const { request, catalog } = call;
  const reads = isBrowser(request);
  const door = reads ? doorFrom(path) : undefined;
  if (door) return toPage(door, { call, set });
  const way = wayFrom(path, { method: request.method, names: fieldNames(request), catalog });
  if (!way) throw noSuchPath();
  const { method, capability, params = {}, page } = way;
  if (page && reads) return toPage(page, { call, set });
  const did_you_mean = `${method} ${way.path}`;
  const error = new ApiError("NOT_FOUND", `There is no such path; ${did_you_mean} is probably meant.`, {
    method,
    path: way.path,
    did_you_mean,
    agent_instruction: `Send the request to ${did_you_mean}. GET ${API_PREFIX}/capabilities lists the paths that exist.`,
  });
  if (!capability) throw error;
  call.capability = capability;
  throw await withWholeRequest(error, call, { capability, params });
}

/** Browsers may not keep it, as they may keep no answer: a path that is free today may be one of ours tomorrow. */
function toPage(page: string, { call, set }: Sending): string {
  set.status = 301;
  Object.assign(set.headers, leadOn(page, queryOf(call.request)));
  return "";
}
