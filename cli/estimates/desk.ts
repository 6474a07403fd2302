/** Quotes that the owner asks for, without a server. */
import type { Context } from "../../src/capabilities/core/capability.ts";
import { emptyDiary } from "../../src/capabilities/core/diary.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { checksAnswers } from "../../src/env/env.ts";
import { fail } from "../../src/errors.ts";

/** The context in which a capability prices for the owner: no caller to limit, no database. */
export function deskContext(catalog: Shop, now: Temporal.Instant): Context {
  return {
    catalog,
    now,
    diary: emptyDiary(),
    caller: { network: "local", wider: [], keyId: null, isSelfRegistered: false, agentClass: null, userAgent: null },
    signing: null,
    checkAnswers: checksAnswers(),
    fail,
    get store(): never {
      throw new Error("a quote needs no database");
    },
    get codeAttempts(): never {
      throw new Error("a quote names no booking");
    },
    get countAddress(): never {
      throw new Error("a quote names no booking");
    },
  };
}
