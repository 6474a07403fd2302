/** Whether a shade that is not legal is booked: `tint_law.not_legal` says `ask`, `refuse` or `warn`. Source: contract 2. */
import { exemptionsIn } from "../../catalog/laws.ts";
import type { Shop } from "../../catalog/shop.ts";
import type { Slot } from "../../domain/slots.ts";
import { isBarred } from "../../domain/tint-law.ts";
import type { JobRequest } from "../../job/job.ts";
import type { PricedJob } from "../../job/price.ts";
import { barredInWords, legalInstead } from "../../job/warnings.ts";
import type { Context } from "../core/capability.ts";
import { type Policy, ShadeNotLegal } from "./policy.ts";
import type { Refusal } from "./slot.ts";

export interface LegalWish extends PricedJob {
  input: { accept_not_legal?: boolean | undefined };
}

/** The slot of a booking, unless the catalog refuses its shade. @param wish undefined where a change asks for no other work */
export function madeLegal(
  slot: Slot | Refusal,
  wish: LegalWish | undefined,
  { illegal }: Policy,
  ctx: Context<"NOT_LEGAL_SHADE">,
): Slot | Refusal {
  const { not_legal: rule } = ctx.catalog.tint_law;
  if (illegal !== "ruled" || typeof slot === "function" || rule === "warn") return slot;
  if (!wish || !isBarred(wish.price?.law)) return slot;
  return rule === "ask" && wish.input.accept_not_legal === true ? slot : async () => refuse(wish, slot, ctx);
}

/** @throws ShadeNotLegal where the owner is to be asked */
export function requireLegal(
  law: NonNullable<PricedJob["price"]>["law"] | undefined,
  { illegal }: Policy,
  { tint_law, currency }: Shop,
): void {
  const barred = illegal === "asked" && law && barredInWords(law);
  if (!barred) return;
  const here = tint_law.jurisdictions[law.jurisdiction];
  throw new ShadeNotLegal(barred.which, [...barred.asks, ...(here ? exemptionsIn(here, currency) : [])]);
}

/** Whether film that is not legal is taken knowingly, as the owner always does. @param before whether it was, where nothing is judged anew */
export function acceptsShade({ price, input }: LegalWish, { illegal }: Policy, before = illegal !== "ruled"): boolean {
  return isBarred(price?.law) && (input.accept_not_legal === true || before);
}

/** @throws ApiError NOT_LEGAL_SHADE with the legal job as the sample */
function refuse(wish: LegalWish, { date, time }: Slot, { catalog, fail }: Context<"NOT_LEGAL_SHADE">): never {
  const { law = null } = wish.price ?? {};
  const barred = law && barredInWords(law);
  const instead = legalInstead(wish, catalog);
  // In a change, addons lists all extras: add_addons would bring the refused one back. Without a new time, the booking's own stands.
  const listed = Object.hasOwn({ ...instead?.changes }, "addons") && { add_addons: undefined };
  const message = `asks for what the law does not permit: ${barred?.which}`;
  const faults = Object.keys({ ...instead?.changes }).map((field) => ({ field, message }));
  const asks = catalog.tint_law.not_legal === "ask";
  const { phone } = catalog.business;
  return fail("NOT_LEGAL_SHADE", `${barred?.which}. ${barred?.asks.join(" ")}`, {
    ...(instead
      ? { known: { ...listed, ...instead.request, date, time }, invalid_fields: faults }
      : asks
        ? { missing_fields: ["accept_not_legal"] }
        : { invalid_fields: [{ field: "shade", message }] }),
    agent_instruction: [
      "Tell the end user what is not legal and what the law asks, from message.",
      instead
        ? `usage.sample_request has the legal job instead (${describeShades(instead.changes)}): send it if they agree.`
        : `The shop has no legal job for that glass: offer a {tool:quote_request} (next_actions), or give them the shop's number, ${phone}.`,
      asks
        ? "Only if they want their own anyway, send the request again with accept_not_legal: true."
        : "This shop books no shade that is not legal.",
    ].join(" "),
  });
}

function describeShades(instead: Partial<JobRequest>): string {
  const isShade = instead.shade !== undefined || instead.windshield_shade !== undefined;
  const isLess = Object.hasOwn(instead, "addons") || Object.hasOwn(instead, "coverage");
  return [isShade && "the darkest legal shade", isLess && "without film on that glass"].filter(Boolean).join(", ");
}
