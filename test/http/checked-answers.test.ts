/** The suite compares every answer with the schema of its capability; a shop's server does not. */
import { expect, test } from "bun:test";
import { z } from "zod";
import { businessLocation } from "../../src/capabilities/business-location.ts";
import type { Capability, Context } from "../../src/capabilities/core/capability.ts";
import { invoke } from "../../src/capabilities/core/invoke.ts";
import { CATALOG, NOW } from "../helpers.ts";

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
