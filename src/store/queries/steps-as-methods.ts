/** Turns functions that yield statements into the methods of a store. */
import type { Steps } from "./steps.ts";

/** The methods that have the arguments and the results of the functions. */
export type Methods<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (...args: infer Args) => Steps<infer Result>
    ? (...args: Args) => Promise<Result>
    : never;
};

/** @param call calls the function of that name */
export function methodsOf<Functions extends object>(
  functions: Functions,
  call: (name: keyof Functions, args: unknown[]) => Promise<unknown>,
): Methods<Functions> {
  // Safe, because `keyof` names the keys of the object.
  const names = Object.keys(functions) as (keyof Functions)[];
  const methods = names.map((name) => [name, (...args: unknown[]) => call(name, args)]);
  // Safe, because each method has the arguments and the result of the function of the same name.
  return Object.fromEntries(methods) as Methods<Functions>;
}
