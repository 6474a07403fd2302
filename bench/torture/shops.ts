/** `tint init` for hundreds of shops: nothing of the example shop may be left. */
import fc from "fast-check";
import { issuesOfNewShop, newShops } from "../../test/cli/new-shops.ts";

export async function measureShops({ shops, seed }: { shops: number; seed: number }) {
  const broken: string[] = [];
  const property = fc.asyncProperty(newShops, async (shop) => {
    broken.push(...(await issuesOfNewShop(shop)));
  });
  await fc.assert(property, { numRuns: shops, seed });
  return { shops, broken: [...new Set(broken)] };
}
