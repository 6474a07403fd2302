/** The error of a path that does not exist. */
import { OPERATIONS, type Operation } from "../capabilities/core/operations.ts";
import { API_PREFIX } from "../constants.ts";
import { ApiError } from "../errors.ts";
import { didYouMean } from "../schema/explain.ts";

/** @param path where it is one of the API, the nearest path that exists is named */
export function noSuchPath(path = ""): ApiError {
  const meant = operationNear(path);
  if (!meant) return new ApiError("NOT_FOUND", "There is no such path.");
  const did_you_mean = `${meant.method} ${API_PREFIX}${meant.path}`;
  return new ApiError("NOT_FOUND", `There is no such path; ${did_you_mean} is probably meant.`, { did_you_mean });
}

/** The operation whose path is like this one, or begins like it: `/quote` for `/quote-request`. */
function operationNear(path: string): Operation | undefined {
  const [, word = ""] = /^(?:\/api(?:\/v\d+)?)?(\/[a-z/-]+?)s?\/?$/i.exec(path) ?? [];
  if (word === "") return undefined;
  const operations: Operation[] = Object.values(OPERATIONS).filter((one) => !one.path.includes("{"));
  const paths = operations.map((one) => one.path);
  const meant = paths.find((one) => one.startsWith(word)) ?? didYouMean(word, paths);
  return operations.find((one) => one.path === meant);
}
