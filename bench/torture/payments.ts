/** kill -9, again and again, of a server at which deposits are paid and given back. */
import { customer, killedShop, verdict } from "../../test/payments/killed.ts";
import { randomFrom } from "../../test/torture/random.ts";
import { brokenOf } from "../report.ts";
import { together } from "../requests.ts";

const CALLERS = 6;
/** A server lives for at most this long, from the moment that it answers; a question about a page comes every three seconds. */
const LONGEST_LIFE_MS = 5_000;
const LIVES = [["pay"], ["pay", "cancel"], ["cancel"]] as const;

export async function measurePayments({ kills, seed }: { kills: number; seed: number }) {
  const random = randomFrom(seed);
  await using it = await killedShop(kills * 2 * LONGEST_LIFE_MS + 120_000);
  it.stripe.let(() => (random.chance(0.1) ? random.pick(["error_taken", "drop_taken", "drop", "limit"]) : "ok"));
  let isOver = false;
  let next = 0;
  const callers = together(CALLERS, async () => {
    while (!isOver) await customer(it, next++, random.pick(LIVES));
  });
  for (let i = 0; i < kills; i++) {
    await Promise.race([Bun.sleep(random.int(LONGEST_LIFE_MS)), callers]);
    it.kill();
    await it.up();
  }
  isOver = true;
  it.stripe.let(() => "ok");
  await callers;
  const { never, ...counts } = verdict(it);
  return { kills, ...counts, broken: brokenOf(never) };
}
