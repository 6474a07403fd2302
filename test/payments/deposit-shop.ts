/** A shop that asks for deposits, at a stand-in of Stripe, on one clock. */
import { pino } from "pino";
import type { Shop } from "../../src/catalog/shop.ts";
import { type Payments, stripePayments } from "../../src/payments/stripe.ts";
import { settleDeposits } from "../../src/programs/background.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { catalogWith, testApp } from "../helpers.ts";
import { startStripe } from "./stripe.ts";

export const EDITS = {
  "scheduling.bays": 1,
  "deposit.amount": 50,
  "deposit.services": ["automotive"],
  "messages.confirmation_email.enabled": true,
};
export const CATALOG = catalogWith(EDITS);
export const CONSENT = { confirmed_by_user: true, agent_name: "Example Assistant" };

interface DepositShop {
  catalog?: Shop;
  store?: Store;
  wrap?: <Part extends object>(part: Part) => Part;
}

export async function depositShop({ catalog = CATALOG, store: own, wrap = (part) => part }: DepositShop = {}) {
  let clock = 0;
  const stripe = await startStripe(() => clock);
  const payments: Payments = wrap({ ...stripePayments(stripe.settings) });
  const store = wrap(own ?? openSqliteStore(":memory:"));
  const app = testApp({ catalog, payments, store });
  const now = () => app.now().epochMilliseconds;
  clock = now();
  const log = pino({ level: "silent" });
  return {
    ...{ app, stripe, payments, store },
    /** What the server does every second. @param shop where the owner changed the catalog */
    turn: (shop = catalog) => settleDeposits({ store, payments, catalog: () => shop, log, now }),
    wait(minutes: number) {
      app.advance({ seconds: Math.round(minutes * 60) });
      clock = now();
    },
    /** What the customer does on the newest page. */
    pay: () => stripe.pay(stripe.pages.at(-1)?.id ?? ""),
    [Symbol.dispose]: () => stripe[Symbol.dispose](),
  };
}
