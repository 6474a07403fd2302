import type { Store } from "../../src/store/store.ts";

/** A store whose calls go to each of these in turn, like those of a shop with several servers. */
export function inTurn(stores: readonly Store[]): Store {
  const [first] = stores;
  if (!first) throw new Error("no store");
  let calls = 0;
  const names = Object.keys(first) as (keyof Store)[];
  const methods = names.map((name) => [
    name,
    (...args: unknown[]) => {
      const store = stores[calls++ % stores.length] ?? first;
      // Safe, because the arguments are those of the method of this name.
      return (store[name] as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  // Safe, because each method has the arguments and the result of the method of the same name.
  return {
    ...(Object.fromEntries(methods) as Store),
    close: async () => void (await Promise.all(stores.map((store) => store.close()))),
  };
}
