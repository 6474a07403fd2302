/** kill -9 at each step of a payment: nothing is paid twice, no payment is lost, nothing is stuck. `bun run torture payments` kills at random. */
import { expect, test } from "bun:test";
import { until } from "../jobs/outbox.ts";
import { type Act, customer, killedShop, verdict } from "./killed.ts";

type Step = [name: string, acts: readonly Act[], during: "book" | Act, at: Moment];
/** A call that Stripe gets, and does or does not do any more; or what is written down. */
type Moment = { call: "create" | "status" | "expire" | "refund"; isDone: boolean } | { written: string };

const calls = (
  name: string,
  call: "create" | "status" | "expire" | "refund",
  ...[acts, during]: [Act[], "book" | Act]
) => [false, true].map((isDone): Step => [`${name}${isDone ? ", and done" : ""}`, acts, during, { call, isDone }]);

const STEPS: readonly Step[] = [
  ...calls("page asked for", "create", ["pay"], "book"),
  ["link stored", ["pay"], "book", { written: "state = 'open'" }],
  ...calls("paid at Stripe, asked", "status", ["pay"], "pay"),
  ["payment written, confirmed, messages queued", ["pay"], "pay", { written: "state = 'paid'" }],
  ["cancelled", ["pay", "cancel"], "cancel", { written: "state = 'owed'" }],
  ...calls("refund asked for", "refund", ["pay", "cancel"], "cancel"),
  ["refund written", ["pay", "cancel"], "cancel", { written: "state = 'refunded'" }],
  ["cancelled unpaid", ["cancel"], "cancel", { written: "state = 'expired'" }],
  ...calls("end of the page asked for", "expire", ["cancel"], "cancel"),
  ["end of the page written", ["cancel"], "cancel", { written: "state = 'expired' AND ask_at IS NULL" }],
];

test("kill -9 at each step of a payment", async () => {
  await using it = await killedShop();
  const deaths: string[] = [];
  for (const [i, [name, acts, during, at]] of STEPS.entries()) {
    const die = () => {
      it.kill();
      deaths.push(name);
    };
    let written: Promise<unknown> | undefined;
    await customer(it, i, acts, (act) => {
      if (act !== during) return;
      if ("call" in at)
        it.stripe.let((what) => {
          if (what !== at.call) return "ok";
          it.stripe.let(() => "ok");
          die();
          return at.isDone ? "drop_taken" : "drop";
        });
      else {
        const query = it.db.query(
          `SELECT 1 FROM deposits JOIN bookings ON bookings.id = booking_id WHERE request_id = ? AND ${at.written}`,
        );
        written = until(
          () => query.get(`killed-${i}`),
          (row) => row !== null,
          30_000,
        ).then(die);
      }
    });
    await written;
    await it.up();
  }
  expect(deaths).toEqual(STEPS.map(([name]) => name));
  const { never, ...counts } = verdict(it);
  expect(counts).toEqual({ bookings: STEPS.length, charged: 10, refunds: 4 });
  expect(Object.entries(never).filter(([, count]) => count !== 0)).toEqual([]);
}, 180_000);
