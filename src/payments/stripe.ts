/**
 * Stripe Checkout, as little of it as a deposit needs: a page to pay on, its state, its end, and the money back. Every call has
 * an idempotency key, so that one whose answer was lost can be made again. No address of this server need be public.
 */
import type Stripe from "stripe";
import { MINUTE_MS } from "../lib/durations.ts";

export interface StripeSettings {
  secretKey: string;
  baseUrl: string;
}

export interface PageRequest {
  /** The confirmation code, which Stripe shows the owner. */
  code: string;
  /** Cents. */
  amount: number;
  currency: string;
  description: string;
  /** Epoch milliseconds, `LEAST_PAGE_MS` from now or later; `expire` ends it earlier. */
  expiresAt: number;
  returnUrl: string;
  idempotencyKey: string;
}

export interface PaidPage {
  kind: "paid";
  paymentIntent: string;
  /** Cents. */
  amount: number;
  /** Epoch milliseconds, by Stripe's clock. */
  paidAt: number;
}
/** `open`: nothing is paid yet; a card may have been declined, or its bank's question not answered. */
type PageState = { kind: "open" } | PaidPage | { kind: "expired" };

export interface Payments {
  createPage(page: PageRequest): Promise<{ id: string; url: string }>;
  statusOf(id: string): Promise<PageState>;
  /** Ends a page. @returns its state: one that was paid meanwhile stays paid */
  expire(id: string): Promise<PageState>;
  /** Gives back what is left of a payment: the owner may have given some back at Stripe. @returns Stripe's id of the refund; null where nothing is left */
  refund(refund: { paymentIntent: string; idempotencyKey: string }): Promise<string | null>;
}

/** Stripe gave no answer that says what is. `reason` holds nothing secret. */
export class PaymentsUnreachable extends Error {
  override readonly name = "PaymentsUnreachable";
  constructor(readonly reason: string) {
    super(`Stripe: ${reason}`);
  }
}

const ATTEMPT_MS = 8_000;
const ATTEMPTS_AFTER_FIRST = 2;
const SECOND_MS = 1_000;
/** Stripe keeps a page for half an hour at least, by its own clock, which may be ahead of ours by the rest. */
export const LEAST_PAGE_MS = 35 * MINUTE_MS;

export function stripePayments({ secretKey, baseUrl }: StripeSettings): Payments {
  const { protocol, hostname, port } = new URL(baseUrl);
  let loading: Promise<Stripe> | undefined;
  const client = () => {
    // Loaded on first use, which takes a third of a second.
    loading ??= import("stripe").then(
      ({ default: Client }) =>
        new Client(secretKey, {
          host: hostname,
          port: port || (protocol === "http:" ? 80 : 443),
          protocol: protocol === "http:" ? "http" : "https",
          timeout: ATTEMPT_MS,
          maxNetworkRetries: ATTEMPTS_AFTER_FIRST,
          telemetry: false,
          httpClient: Client.createFetchHttpClient(
            Object.assign((...[url, init]: Parameters<typeof fetch>) => fetch(url, { ...init, redirect: "error" }), {
              preconnect: fetch.preconnect,
            }),
          ),
        }),
    );
    return loading;
  };
  const call = async <Answer>(make: (stripe: Stripe) => Promise<Answer>): Promise<Answer> => {
    try {
      return await make(await client());
    } catch (error) {
      throw new PaymentsUnreachable(reasonOf(error));
    }
  };
  const statusOf = (id: string) =>
    call(async ({ checkout }) =>
      pageStateOf(await checkout.sessions.retrieve(id, { expand: ["payment_intent.latest_charge"] })),
    );
  return {
    createPage: ({ code, amount, currency, description, expiresAt, returnUrl, idempotencyKey }) =>
      call(async ({ checkout }) => {
        const create = (ends: { expires_at?: number }, key: string) =>
          checkout.sessions.create(
            {
              mode: "payment",
              // Others are paid days later.
              allowed_payment_method_types: ["card"],
              client_reference_id: code,
              line_items: [
                {
                  quantity: 1,
                  price_data: {
                    currency: currency.toLowerCase(),
                    unit_amount: amount,
                    product_data: { name: description },
                  },
                },
              ],
              payment_intent_data: { description, metadata: { code } },
              success_url: returnUrl,
              cancel_url: returnUrl,
              ...ends,
            },
            { idempotencyKey: key },
          );
        const made = await create({ expires_at: Math.ceil(expiresAt / SECOND_MS) }, idempotencyKey).catch((error) => {
          // The clocks differ by more: the page has Stripe's own length.
          if (stripeFields(error).param === "expires_at") return create({}, `${idempotencyKey}-long`);
          throw error;
        });
        if (!made.id || !made.url) throw new Error("it answered without a page");
        return { id: made.id, url: made.url };
      }),
    statusOf,
    async expire(id) {
      try {
        return await call(async ({ checkout }) =>
          pageStateOf(await checkout.sessions.expire(id, {}, { idempotencyKey: `expire-${id}` })),
        );
      } catch (error) {
        // One that is no longer open is refused; so it is asked what became of it.
        const state = await statusOf(id);
        if (state.kind === "open") throw error;
        return state;
      }
    },
    refund: ({ paymentIntent, idempotencyKey }) =>
      call(async ({ refunds }) => {
        const made = await refunds.create({ payment_intent: paymentIntent }, { idempotencyKey }).catch((error) => {
          if (stripeFields(error).code === "charge_already_refunded") return null;
          throw error;
        });
        if (made?.status === "failed" || made?.status === "canceled")
          throw new Error("it could not give the payment back");
        return made?.id ?? null;
      }),
  };
}

function pageStateOf(page: Stripe.Checkout.Session): PageState {
  const intent = page.payment_intent;
  if (page.payment_status === "paid" && intent) {
    const { id, latest_charge: charge = null } = typeof intent === "object" ? intent : { id: intent };
    const { created } = typeof charge === "object" && charge ? charge : page;
    return { kind: "paid", paymentIntent: id, amount: page.amount_total ?? 0, paidAt: created * SECOND_MS };
  }
  if (page.status === "expired") return { kind: "expired" };
  if (page.status !== "open" && page.status !== "complete") throw new Error("it answered without a state");
  return { kind: "open" };
}

/** What errors of Stripe say beside their message. */
function stripeFields(error: unknown): { type?: unknown; code?: unknown; param?: unknown; statusCode?: unknown } {
  return typeof error === "object" && error !== null ? error : {};
}

/** In few words. Messages of Stripe repeat parts of the key. */
function reasonOf(error: unknown): string {
  const { type, code, param, statusCode } = stripeFields(error);
  if (type === "StripeAuthenticationError") return "the key is wrong (STRIPE_SECRET_KEY)";
  const said = [code, param].filter((one) => typeof one === "string").join(", ");
  if (typeof statusCode === "number") return `it answered ${statusCode}${said ? ` (${said})` : ""}`;
  return type === undefined && error instanceof Error && error.message.startsWith("it ") ? error.message : "no answer";
}
