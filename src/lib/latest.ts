/** A function that keeps its latest result, and gives it again while its arguments are the same (by `Object.is`). */
export function keepLatest<Args extends readonly unknown[], T>(make: (...args: Args) => T): (...args: Args) => T {
  let kept: { args: Args; result: T } | undefined;
  return (...args) => {
    if (!kept || !areSame(kept.args, args)) kept = { args, result: make(...args) };
    return kept.result;
  };
}

function areSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  for (let i = 0; i < before.length; i++) if (!Object.is(before[i], now[i])) return false;
  return true;
}
