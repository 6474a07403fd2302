/**
 * Keeps the results for the last few texts, for work that takes long and is asked for again and again.
 *
 * @param most how many are kept
 * @returns a function that gives the kept result of a text, or does the work; what the work throws is not kept
 */
export function recent<T>(most: number): (text: string, work: (text: string) => T) => T {
  const results = new Map<string, T>();
  return (text, work) => {
    const result = results.has(text) ? (results.get(text) as T) : work(text);
    results.delete(text);
    results.set(text, result);
    for (const oldest of results.keys()) {
      if (results.size <= most) break;
      results.delete(oldest);
    }
    return result;
  };
}
