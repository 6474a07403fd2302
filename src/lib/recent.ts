interface Recent<T> {
  (text: string, work: (text: string) => T): T;
  /** The kept result, without work. */
  peek: (text: string) => T | undefined;
}

/**
 * How many results are kept: enough for the texts before and after an edit. Reading the stock catalog takes 140 ms, and an
 * edit needs the text before and after it three times each: to show it, to check it, and to save it.
 */
const MOST = 4;

/**
 * Keeps the results for the last few texts, for work that takes long and is asked for again and again.
 * @returns a function that gives the kept result of a text, or does the work; an error of the work is not kept
 */
export function recent<T>(): Recent<T> {
  const results = new Map<string, T>();
  const resultOf = (text: string, work: (text: string) => T): T => {
    const result = results.has(text) ? (results.get(text) as T) : work(text);
    results.delete(text);
    results.set(text, result);
    for (const oldest of results.keys()) {
      if (results.size <= MOST) break;
      results.delete(oldest);
    }
    return result;
  };
  return Object.assign(resultOf, { peek: (text: string) => results.get(text) });
}
