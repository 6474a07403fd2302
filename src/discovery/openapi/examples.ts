/** The answers of the capabilities to their own samples, in an empty diary: nothing of the shop's customers is in them. */
import type { Capability, Context } from "../../capabilities/core/capability.ts";
import { createDiary } from "../../capabilities/core/diary.ts";
import type { NextAction } from "../../capabilities/core/envelope.ts";
import { type Envelope, invoke, overview } from "../../capabilities/core/invoke.ts";
import { SAMPLE_CODE, SAMPLE_PERSON, toFillIn } from "../../capabilities/core/samples.ts";
import { createSigningSecret } from "../../capabilities/core/signing-secret.ts";
import { offered } from "../../capabilities/index.ts";
import type { Shop } from "../../catalog/shop.ts";
import { shopDate, startOfDay } from "../../domain/schedule.ts";
import type { Start } from "../../domain/slots.ts";
import { ApiError, fail } from "../../errors.ts";
import type { Store } from "../../store/store.ts";

/** Answers by operationId. A request that is not met today, like a booking in a full season, has no example. */
export interface Examples {
  success: ReadonlyMap<string, object>;
  /** Answers to dry runs, of the operations that take `dry_run`. */
  dryRuns: ReadonlyMap<string, object>;
}

export const NO_EXAMPLES: Examples = { success: new Map(), dryRuns: new Map() };

/** Nothing is stored for the person of the samples, so that this one books. */
const CUSTOMER_EMAIL = "jordan@example.com";

/** @param start of the booking in the examples; by default the first in an empty diary that can still be changed */
export type ExamplesAt = (catalog: Shop, now: Temporal.Instant, start?: Start | null) => Promise<Examples>;

/** Cached for the day: every answer has ids of its own, so the documents would get another ETag each time. */
export function createExamples(openStore: () => Store): ExamplesAt {
  /** The latest of a shop: those of OpenAPI, which has no start, and those of the documentation. */
  const latest = new WeakMap<
    Shop,
    Partial<Record<"start" | "no start", { of: string; examples: Promise<Examples> }>>
  >();
  return (catalog, now, start) => {
    const today = Temporal.Instant.fromEpochMilliseconds(startOfDay(catalog, shopDate(catalog, now)));
    const of = `${today} ${start?.date} ${start?.time}`;
    const kind = start ? "start" : "no start";
    const made = latest.get(catalog) ?? {};
    const known = made[kind];
    if (known?.of === of) return known.examples;
    const store = openStore();
    const examples = collect(exampleContext(catalog, today, store), start ?? undefined)
      // A document without examples is better than none.
      .catch(() => NO_EXAMPLES)
      .finally(() => store.close());
    latest.set(catalog, { ...made, [kind]: { of, examples } });
    return examples;
  };
}

function exampleContext(catalog: Shop, now: Temporal.Instant, store: Store): Context {
  return {
    catalog,
    store,
    diary: createDiary(store),
    signing: createSigningSecret(store),
    now,
    caller: {
      network: "192.0.2.1",
      wider: [],
      keyId: null,
      isSelfRegistered: false,
      agentClass: null,
      userAgent: null,
    },
    codeAttempts: { check: async () => [] },
    countAddress: async () => {},
    fail,
  };
}

async function collect(ctx: Context, start: Start | undefined): Promise<Examples> {
  const { catalog, now } = ctx;
  const success = new Map<string, object>();
  const dryRuns = new Map<string, object>();
  // Far enough ahead that the booking can be moved and cancelled.
  const later = now.add({ hours: catalog.bookings.self_service.cutoff_hours + 24 });
  let code: string | undefined;
  for (const capability of offered(catalog)) {
    const { operationId, alsoGet, isExtension } = capability;
    const sample = capability.sample(catalog, later, isExtension ? undefined : start);
    const request = ownRequest(capability, sample, code, ctx);
    const shown = (answer: object) => (isExtension && code ? withSampleCode(answer, code) : answer);
    if ("dry_run" in sample) {
      const dry = await answerTo(capability, isExtension ? { ...request, dry_run: true } : sample, ctx);
      if (dry) dryRuns.set(operationId, shown(dry.answer));
    }
    const { answer, confirmationCode } = (await answerTo(capability, request, ctx)) ?? {};
    if (answer) success.set(operationId, shown(answer));
    if (confirmationCode) code = start ? await changeable(capability, later, ctx) : confirmationCode;
    if (alsoGet) success.set("get_estimate_matrix", asSent(overview(capability, ctx)));
  }
  return { success, dryRuns };
}

/** The code of another booking, which can still be moved and cancelled. */
async function changeable(capability: Capability, later: Temporal.Instant, ctx: Context): Promise<string | undefined> {
  const sample = capability.sample(ctx.catalog, later);
  return (await answerTo(capability, ownRequest(capability, sample, undefined, ctx), ctx))?.confirmationCode;
}

/** The sample as a customer of the examples sends it: stored, and about the booking made before. */
function ownRequest({ input }: Capability, sample: object, code: string | undefined, { catalog }: Context): object {
  const { dry_run: _, ...request } = { dry_run: undefined, ...sample };
  const entries = Object.entries(request).map(([field, value]) => {
    if (value === SAMPLE_PERSON.email) return [field, CUSTOMER_EMAIL];
    return [field, field === "confirmation_code" ? (code ?? value) : value];
  });
  return {
    ...Object.fromEntries(entries),
    ...("consent" in input(catalog).shape && { consent: { confirmed_by_user: true } }),
  };
}

async function answerTo(capability: Capability, request: object, ctx: Context) {
  try {
    const { body, location } = await invoke(capability, request, ctx);
    return { answer: asSent(body), confirmationCode: location?.split("/").at(-1) };
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function withSampleCode(answer: object, code: string): object {
  return JSON.parse(JSON.stringify(answer).replaceAll(code, SAMPLE_CODE));
}

/**
 * As callers receive it, but for what is one caller's alone: a request id that many readers send would be that of somebody else,
 * and an estimate of this empty shop is none of the real one's. The customer is that of the samples.
 */
function asSent({ next_actions: steps, ...body }: Envelope): object {
  return JSON.parse(JSON.stringify({ ...body, ...(steps && { next_actions: steps.map(forEverybody) }) }));
}

function forEverybody({ sample_request: request, fill_in: unknown, url, ...step }: NextAction): NextAction {
  const { input: sample, fillIn: asked } = toFillIn(request, unknown);
  const isId = (field: string) => field.endsWith("_request_id");
  const isLeftOut = (field: string) => isId(field) || (url !== undefined && field === "estimate_id");
  const fillIn = [...asked, ...Object.keys(sample).filter(isId)];
  return {
    ...step,
    sample_request: Object.fromEntries(Object.entries(sample).filter(([field]) => !isLeftOut(field))),
    ...(fillIn.length > 0 && { fill_in: fillIn }),
    ...(url !== undefined && { url: withoutEstimate(url) }),
  };
}

function withoutEstimate(address: string): string {
  const url = new URL(address);
  url.searchParams.delete("estimate_id");
  return url.href;
}
