/** Wrong definitions of a capability: `tsc` fails if the compiler accepts one of them. */
import { expect, test } from "bun:test";
import { z } from "zod";
import { type Context, defineCapability } from "../../src/capabilities/core/capability.ts";
import { CAPABILITY_BY_ID } from "../../src/capabilities/index.ts";
import { ApiError, fail } from "../../src/errors.ts";
import { CATALOG, NOW } from "../helpers.ts";

const ctx = { fail } as Context;

const broken = defineCapability({
  id: "list_faq",
  title: "",
  description: "",
  returnsPrice: false,
  useWhen: [],
  avoidWhen: [],
  input: () => z.object({ code: z.string() }),
  output: () => z.object({}),
  status: 200,
  errors: ["SLOT_TAKEN"],
  // @ts-expect-error an unknown value may only have a code that is declared
  unknownValue: { code: "KEY_EXISTS" },
  sample: () => ({ code: "" }),
  checks: {
    // @ts-expect-error a check may only answer a code that is declared
    code: (value) => (value === "" ? { code: "KEY_EXISTS", message: "" } : undefined),
  },
  run({ code }, { fail }) {
    if (code === "declared") return fail("SLOT_TAKEN", code);
    if (code === "common") return fail("RATE_LIMITED", code);
    // @ts-expect-error a handler may only fail with a code that is declared, or that every endpoint can answer
    return fail("KEY_EXISTS", code);
  },
});

test.each(["declared", "common", "other"])("fail throws the error: %s", (code) => {
  expect(() => broken.run({ code }, ctx)).toThrow(ApiError);
});

test("a capability looked up by id has types of its own", () => {
  const sample: { site_type: string } = CAPABILITY_BY_ID.flat_glass_estimate.sample(CATALOG, NOW);
  expect(sample.site_type).toBe("residential");
  // @ts-expect-error an estimate of flat glass has no date
  expect(CAPABILITY_BY_ID.flat_glass_estimate.sample(CATALOG, NOW).date).toBeUndefined();
});
