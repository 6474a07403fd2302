/** A scripted agent that follows the answers, and the walk in docs/api.md, whose printed answers are the program's. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { pick } from "../../src/lib/fields.ts";
import { API, CATALOG, catalogWith, NOW, testApp } from "../helpers.ts";
import { type Reply, restAgent } from "../walks/agents.ts";
import { USER } from "../walks/wishes.ts";

const GOALS = ["book_appointment", "quote_request"];
const NO_GOALS = CAPABILITIES.filter(({ id, isExtension }) => !GOALS.includes(id) && !isExtension);

/** What only the user knows. */
const OWN: Record<string, object> = {
  register_api_key: { name: USER.customer_name, email: USER.customer_email },
  automotive_estimate: { vehicle_type: "suv" },
  flat_glass_estimate: { total_sqft: 200, site_type: "residential" },
};

test.each(NO_GOALS)("$id: its next steps lead on to a booking or a quote request", async ({ id, sample }) => {
  const agent = await restAgent(testApp());
  const seen = new Set<string>();
  const leads = async (reply: Reply): Promise<boolean> => {
    expect(reply.ok).toBe(true);
    if (reply.steps.some(({ name }) => GOALS.includes(name))) return true;
    for (const step of reply.steps.filter(({ name }) => !seen.has(name))) {
      seen.add(step.name);
      const own = OWN[step.name] ?? {};
      if (await leads(await agent.take(step, own))) return true;
    }
    return false;
  };
  expect(await leads(await agent.use(id, { ...sample(CATALOG, NOW) }))).toBe(true);
});

const PAGE = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
const [, WALK = ""] = /```console\n(.*?)```/s.exec(PAGE) ?? [];

/** What is new in every run. */
const FRESH = ["confirmation_code", "reference", "api_key", "estimate_id"];

/** The parts of an answer that the walk shows under a shorter name. */
const SHORT: Record<string, string> = {
  law: "tint_law.status",
  expected_by: "follow_up.expected_by",
  said: "messages.said",
  locked: "estimate.locked",
};

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;

function partOf(answer: Json, name: string): Json {
  const { data = answer } = answer;
  const path = SHORT[name] ?? (name === "total" && data.total === undefined ? "estimate.total" : name);
  return path.split(".").reduce((value: Json, step) => value?.[step], data);
}

/** The printed values of an answer, with the program's in their place. */
function printed(answer: Json, shown: Json): Json {
  if (typeof shown === "number") return partOf(answer, "total");
  const partShown = (name: string) => {
    if (FRESH.includes(name)) return shown[name];
    const part = partOf(answer, name);
    const isGroup = typeof shown[name] === "object" && shown[name] !== null;
    return isGroup ? pick(part, ...(Object.keys(shown[name]) as never[])) : part;
  };
  return Object.fromEntries(Object.keys(shown).map((name) => [name, partShown(name)]));
}

test("every request is answered as the page prints it", async () => {
  const app = testApp({ now: Temporal.Instant.from("2026-11-21T15:00:00Z") });
  const steps = WALK.split(/^\$ /m).slice(1);
  expect(steps.length).toBeGreaterThan(14);
  let booking: Json;
  let [code, from] = ["", ""];
  let compared = 0;
  for (const step of steps) {
    const [command = "", ...output] = step.trim().split("\n");
    const shown = /^[{\d]/.test(output[0] ?? "") ? JSON.parse(output[0] ?? "") : undefined;
    const [, path = "", body] = /curl -si? \$B(\/[^ ]*)(?: -d '(.*?)')?/.exec(command) ?? [];
    const send = (text: string) =>
      app.post(`${API}${path}`, JSON.parse(text.replaceAll(from || " ", code)), { from: "192.0.2.7" });
    if (command.startsWith("jq -c '.next_actions[]")) {
      booking = { ...booking, ...shown, ...pick(booking, "estimate_id", "booking_request_id") };
      // The sample of the estimate, with the customer put in.
      expect([...Object.keys(shown), "booking_request_id"].sort()).toEqual(Object.keys(booking).sort());
    } else if (command.startsWith("tint price set"))
      app.setCatalog(catalogWith({ "automotive.vehicle_types.sedan.ceramic.full": 549 }));
    else if (path !== "" && !command.startsWith("for ")) {
      const isBooking = command.includes("book.json");
      const text = isBooking
        ? JSON.stringify({ ...booking, ...(command.includes("dry_run") && { dry_run: true }) })
        : body;
      const answer = text === undefined ? await app.get(`${API}${path.replace(from, code)}`) : await send(text);
      const step = answer.json?.next_actions?.find(({ action }: Json) => action === "book_appointment");
      booking ??= step?.sample_request;
      if (command.includes("booking.json"))
        [code, from] = [answer.json.data.confirmation_code, shown.confirmation_code];
      if (shown === undefined) continue;
      expect([command, printed(answer.json, shown)]).toEqual([command, shown]);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(9);
});
