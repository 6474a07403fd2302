/** Wrong definitions: of a capability, of an error's code, and of the schema of an answer; `tsc` fails if the compiler accepts one. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { z } from "zod";
import { businessLocation } from "../../src/capabilities/business-location.ts";
import { type Capability, type Context, defineCapability } from "../../src/capabilities/core/capability.ts";
import { invoke } from "../../src/capabilities/core/invoke.ts";
import { ApiError, ERRORS, fail } from "../../src/errors.ts";
import { CATALOG, NOW, testApp } from "../helpers.ts";

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

const SRC = join(import.meta.dir, "../../src");

/** The table, the order of codes in one error, and examples for readers. */
const MAY = ["errors.ts", "capabilities/core/validate.ts", "discovery/openapi/document.ts", "pages/docs/guides.ts"];

test("no code is asked for by its name, which a new code would miss", async () => {
  const codes = Object.keys(ERRORS).join("|");
  const asked = new RegExp(`[!=]==? "(${codes})"|case "(${codes})"|^\\s+(${codes}): (?!\\{ code: -)`, "m");
  const found: string[] = [];
  for await (const file of new Bun.Glob("**/*.ts").scan(SRC))
    if (asked.test(await Bun.file(join(SRC, file)).text())) found.push(file);
  expect(found.filter((file) => !MAY.includes(file))).toEqual([]);
});

test("a page says of a wrong method that there is nothing, not that something broke", async () => {
  const { status, text } = await testApp().send("PUT", "/book");
  expect([status, text.match(/<h1>([^<]*)/)?.[1]]).toEqual([405, "There is no such page"]);
});

const { links, ...others } = businessLocation.output(CATALOG).shape;

test.each([
  ["leaves a key out", z.object(others)],
  ["wants another type", z.object({ ...others, links: z.number() })],
  ["has another order", z.object({ links, ...others })],
])("a schema that %s is an error, when answers are checked", async (_, output: z.ZodType) => {
  const capability: Capability = { ...businessLocation, output: () => output };
  const ctx = { catalog: CATALOG, now: NOW } as Context;
  const checked = { ...ctx, checkAnswers: true };
  expect(invoke(capability, {}, checked)).rejects.toThrow();
  const { body } = await invoke(capability, {}, ctx);
  expect(body.data).toEqual((await invoke(businessLocation, {}, checked)).body.data);
});
