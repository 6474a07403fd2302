import { expect, test } from "bun:test";
import { toolVoice } from "../../src/agents/mcp.ts";
import { textOf } from "../../src/capabilities/core/capability.ts";
import { namedIn, REST, restVoice, say } from "../../src/capabilities/core/operations.ts";
import { aboutOf, CAPABILITIES } from "../../src/capabilities/index.ts";
import { ERRORS } from "../../src/errors.ts";
import { CATALOG } from "../helpers.ts";
import { withoutService } from "../shops.ts";

const advice = CAPABILITIES.flatMap(({ description, useWhen, avoidWhen }) =>
  [description, ...useWhen, ...avoidWhen].map((text) => textOf(text, CATALOG)),
);
const instructions = Object.values(ERRORS).map(({ instruction }) => instruction);

test("advice and instructions name requests by holes alone, which every voice fills", () => {
  const ids: string[] = CAPABILITIES.map(({ id }) => id);
  const names = new RegExp(`\\b(?:${ids.join("|")})\\b|POST |GET /api/v1/(?!capabilities)|Retry-After`);
  for (const text of [...advice, ...instructions]) {
    for (const id of namedIn(text)) expect(ids).toContain(id);
    expect(text.replaceAll(/\{[a-z:_]+\}/g, "")).not.toMatch(names);
    for (const voice of [restVoice(CATALOG), toolVoice(CATALOG), REST]) expect(say(text, voice)).not.toMatch(/[{}]/);
  }
});

test("advice about what is not offered, or about the capability itself, is left out whatever its words", () => {
  const [estimate] = CAPABILITIES.filter(({ id }) => id === "automotive_estimate");
  if (!estimate) throw new Error("no estimate");
  const told = { ...estimate, avoidWhen: ["Glass? {tool:flat_glass_estimate}!", "A list."] };
  expect(aboutOf(told, CATALOG).avoidWhen).toEqual(["Glass? flat_glass_estimate!", "A list."]);
  expect(aboutOf(told, withoutService("residential", "commercial", "security")).avoidWhen).toEqual(["A list."]);
  expect(aboutOf(told, CATALOG, restVoice(CATALOG), [estimate]).avoidWhen).toEqual(["A list."]);
});
