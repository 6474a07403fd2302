/** A real server on loopback that stands in for Stripe: Checkout's sessions and refunds, in the shapes that Stripe publishes. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import SHAPES from "./stripe-shapes.json" with { type: "json" };

const SECRET_KEY = "sk_test_0123456789abcdefSTANDIN";

/** The answer to a request. `…_taken` does what is asked, and its answer is lost; `failed` is a refund that the bank refuses. */
export type Fate = "ok" | "limit" | "failed" | `${"error" | "drop"}${"" | "_taken"}`;
/** What a request asks for. */
type Asked = "create" | "status" | "expire" | "refund";

interface Page {
  id: string;
  code: string;
  amount: number;
  currency: string;
  createdAt: number;
  expiresAt: number;
  status: "open" | "complete" | "expired";
  intent: { id: string; status: string; chargedAt: number | null } | null;
  returnUrl: string;
}

const HALF_HOUR_S = 30 * 60;
const DAY_S = 24 * 60 * 60;

/** @param now Stripe's clock, which may differ from the program's */
export async function startStripe(now: () => number = Date.now) {
  const pages: Page[] = [];
  const refunds: { id: string; intent: string; amount: number }[] = [];
  const answered = new Map<string, { body: string; status: number; answer: object }>();
  const asks: { what: Asked; key: string | undefined }[] = [];
  let fateOf: (what: Asked, nth: number) => Fate = () => "ok";
  const seconds = () => Math.floor(now() / 1000);
  const find = (id: string) => pages.find((page) => page.id === id);

  const current = (page: Page) => {
    if (page.status === "open" && page.expiresAt <= seconds()) page.status = "expired";
    return page;
  };
  const shown = (page: Page, expand: boolean) => {
    const { status, amount, intent } = current(page);
    const isPaid = status === "complete";
    const charge = { ...SHAPES.charge, id: `ch_${page.id}`, amount, created: intent?.chargedAt ?? 0 };
    const whole = intent && {
      ...SHAPES.payment_intent,
      id: intent.id,
      amount,
      status: intent.status,
      latest_charge: charge,
    };
    return {
      ...SHAPES["checkout.session"],
      id: page.id,
      client_reference_id: page.code,
      amount_total: amount,
      amount_subtotal: amount,
      currency: page.currency,
      created: page.createdAt,
      expires_at: page.expiresAt,
      status,
      payment_status: isPaid ? "paid" : "unpaid",
      payment_intent: expand ? whole : (intent?.id ?? null),
      url: status === "open" ? `https://checkout.stripe.com/c/pay/${page.id}#fidkdWxOYHwn` : null,
    };
  };
  const issue = (code: string | undefined, param?: string, type = "invalid_request_error") => ({
    status: 400,
    answer: {
      error: { type, ...(code && { code }), ...(param && { param }), message: `No: ${SECRET_KEY.slice(0, 12)}` },
    },
  });

  const create = (form: URLSearchParams) => {
    const ends = Number(form.get("expires_at") ?? seconds() + DAY_S);
    if (ends < seconds() + HALF_HOUR_S || ends > seconds() + DAY_S) return issue(undefined, "expires_at");
    const amount = Number(form.get("line_items[0][price_data][unit_amount]"));
    const currency = form.get("line_items[0][price_data][currency]") ?? "";
    if (!(amount >= 50) || !/^[a-z]{3}$/.test(currency)) return issue("amount_too_small", "line_items");
    if (form.get("mode") !== "payment" || !form.get("success_url")) return issue("parameter_missing", "mode");
    const page: Page = {
      id: `cs_test_${crypto.randomUUID().replaceAll("-", "")}`,
      code: form.get("client_reference_id") ?? "",
      ...{ amount, currency, createdAt: seconds(), expiresAt: ends, status: "open", intent: null },
      returnUrl: form.get("success_url") ?? "",
    };
    pages.push(page);
    return { status: 200, answer: shown(page, false) };
  };
  const refund = (form: URLSearchParams) => {
    const intent = form.get("payment_intent") ?? "";
    const page = pages.find((one) => one.intent?.id === intent && one.status === "complete");
    if (!page) return issue("resource_missing", "payment_intent");
    const back = refunds.filter((one) => one.intent === intent).reduce((sum, one) => sum + one.amount, 0);
    const amount = Number(form.get("amount") ?? page.amount - back);
    if (back >= page.amount) return issue("charge_already_refunded");
    if (back + amount > page.amount) return issue(undefined, "amount");
    const id = `re_${crypto.randomUUID().replaceAll("-", "")}`;
    refunds.push({ id, intent, amount });
    const { currency } = page;
    return {
      status: 200,
      answer: { ...SHAPES.refund, id, amount, currency, payment_intent: intent, created: seconds() },
    };
  };
  const expire = (id: string) => {
    const page = find(id);
    if (!page) return issue("resource_missing", "id");
    if (current(page).status !== "open") return issue(undefined);
    page.status = "expired";
    return { status: 200, answer: shown(page, false) };
  };

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "", "http://stripe");
    const body = await bodyOf(request);
    const [, id, ending] = /^\/v1\/checkout\/sessions(?:\/(\w+))?(\/expire)?$/.exec(url.pathname) ?? [];
    const isPost = request.method === "POST";
    const what: Asked | undefined =
      url.pathname === "/v1/refunds"
        ? "refund"
        : ending
          ? "expire"
          : id
            ? "status"
            : url.pathname === "/v1/checkout/sessions" && isPost
              ? "create"
              : undefined;
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`)
      return answerWith(response, 401, {
        error: { type: "invalid_request_error", message: `Invalid API Key provided: ${request.headers.authorization}` },
      });
    if (what === undefined) return answerWith(response, 404, issue("resource_missing").answer);
    const key = request.headers["idempotency-key"] as string | undefined;
    asks.push({ what, key });
    const fate = fateOf(what, asks.filter((one) => one.what === what).length);
    if (fate === "limit") return answerWith(response, 429, { error: { type: "rate_limit_error", code: "rate_limit" } });

    if (fate === "error") return answerWith(response, 500, { error: { type: "api_error" } });
    if (fate === "failed") return answerWith(response, 200, { ...SHAPES.refund, status: "failed" });
    if (fate === "drop") return request.socket.destroy();
    const before = key === undefined || !isPost ? undefined : answered.get(key);
    const form = new URLSearchParams(body);
    const made = before
      ? before.body === `${url.pathname}?${body}`
        ? before
        : issue(undefined, undefined, "idempotency_error")
      : what === "create"
        ? create(form)
        : what === "refund"
          ? refund(form)
          : what === "expire"
            ? expire(id ?? "")
            : statusOf(id ?? "", url);
    if (isPost && key !== undefined && !before) answered.set(key, { body: `${url.pathname}?${body}`, ...made });
    // Stripe keeps an answer of 500 under the key, too; one that was lost on the way is given again.
    if (fate === "error_taken") return answerWith(response, 500, { error: { type: "api_error" } });
    if (fate === "drop_taken") return request.socket.destroy();
    return answerWith(response, made.status, made.answer);
  };
  const statusOf = (id: string, url: URL) => {
    const page = find(id);
    if (!page) return issue("resource_missing", "id");
    return {
      status: 200,
      answer: shown(
        page,
        [...url.searchParams.values()].some((one) => /^payment_intent/.test(one)),
      ),
    };
  };

  // A client that is killed during a request is no fault of the stand-in.
  const server = createServer((request, response) => void respond(request, response).catch(() => {}));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  // A TCP server has an AddressInfo; only pipes have a string.
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const open = (id: string) => {
    const page = find(id);
    if (!page || current(page).status !== "open") return undefined;
    page.intent ??= { id: `pi_${page.id.slice(8)}`, status: "requires_payment_method", chargedAt: null };
    return page;
  };
  return {
    /** In the order in which they were made. */
    pages,
    refunds,
    asks,
    /** What the customer does on a page. @returns whether it was still open */
    pay(id: string): boolean {
      const page = open(id);
      if (!page?.intent) return false;
      page.status = "complete";
      page.intent = { ...page.intent, status: "succeeded", chargedAt: seconds() };
      return true;
    },
    /** The card is declined, or its bank asks (3-D Secure) and nobody answers: the page stays open. */
    fail(id: string, status: "requires_payment_method" | "requires_action"): void {
      const page = open(id);
      if (page?.intent) page.intent.status = status;
    },
    /** How each request is answered. @param fate by what it asks for, and the how-many-eth of its kind it is, from 1 */
    let(fate: typeof fateOf): void {
      fateOf = fate;
    },
    /** What was charged and not given back, in cents. */
    kept: () =>
      pages.reduce((sum, page) => sum + (page.status === "complete" ? page.amount : 0), 0) -
      refunds.reduce((sum, { amount }) => sum + amount, 0),
    settings: { secretKey: SECRET_KEY, baseUrl },
    env: { STRIPE_SECRET_KEY: SECRET_KEY, STRIPE_BASE_URL: baseUrl },
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function answerWith(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
