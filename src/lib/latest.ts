/** A function that keeps its latest result, and gives it again while its arguments are the same (by `Object.is`). */
export function keepLatest<Args extends readonly unknown[], T>(make: (...args: Args) => T): (...args: Args) => T {
  let kept: { args: Args; result: T } | undefined;
  return (...args) => {
    if (!kept?.args.every((arg, i) => Object.is(arg, args[i]))) kept = { args, result: make(...args) };
    return kept.result;
  };
}
