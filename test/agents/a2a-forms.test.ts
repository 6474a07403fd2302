/** The forms in which a message of A2A may name a capability, the samples of its answers, and the parts that a client takes. */
import { describe, expect, test } from "bun:test";
import { API, appWith, BOOKING, fileApp, filledIn, manyCallers, QUOTE, testApp } from "../helpers.ts";

const APP = manyCallers();

type App = ReturnType<typeof testApp>;

const rpc = (app: App, method: string, params: object) => app.post("/a2a", { jsonrpc: "2.0", id: "q", method, params });
const send = (app: App, part: object, configuration?: object) =>
  rpc(app, "SendMessage", { message: { messageId: "m", role: "ROLE_USER", parts: [part] }, configuration });
const sendOld = (app: App, part: object, configuration?: object) =>
  rpc(app, "message/send", {
    message: { messageId: "m", role: "user", kind: "message", parts: [part] },
    configuration,
  });
/** The answer to data, or the same as text. */
async function ask(app: App, data: unknown, isText = false) {
  const { json } = await send(app, isText ? { text: JSON.stringify(data) } : { data });
  return json.error?.data ?? json.result.message.parts[0].data;
}

const CAR = { vehicle_type: "suv", shade: 50 };
const ID = "automotive_estimate";

describe("a capability is named", () => {
  test.each<object>([
    { capability: ID, input: CAR },
    { capability: ID, ...CAR },
    { skill: ID, ...CAR },
    { skill: ID, input: CAR },
    { capability: ID, arguments: CAR },
    { skill: ID, arguments: CAR },
    { skill: ID, params: CAR },
    { capability: ID, skill: ID, params: CAR },
    { capability: ID, input: JSON.stringify(CAR) },
    { capability: ID, input: [CAR] },
    { capability: ID, vehicle_type: "suv", input: { shade: 50 } },
    { capability: ID, vehicleType: "suv", arguments: { shade: 50 } },
    { capability: ID, input: null, ...CAR },
    { skill: "automotive-estimate", ...CAR },
    { capability: "automotiveEstimate", ...CAR },
    { skill: "estimate_price", params: CAR },
    { action: ID, sample_request: CAR },
    { tool: "estimate_price", arguments: CAR },
    { name: "estimate_price", arguments: CAR },
    { skillId: ID, ...CAR },
    { skill_id: ID, input: CAR },
  ])("%j", async (data) => {
    const { json } = await APP.post(`${API}/estimates`, CAR);
    for (const isText of [false, true]) {
      const answer = await ask(APP, data, isText);
      expect(answer.success).toBe(true);
      expect(answer.data?.total).toEqual(json.data.total);
      expect(answer.data?.shade).toEqual(json.data.shade);
    }
  });

  test("what the envelope holds beside the input is no field of a booking, and what is one counts", async () => {
    const app = testApp();
    const step = { capability: "book_appointment", description: "Book it.", requires_consent: true };
    const { customer_name, ...input } = { ...BOOKING, dry_run: true };
    expect(await ask(app, { ...step, customer_name, input })).toMatchObject({ success: true });
    const unknown = await ask(app, { capability: "book_appointment", ...BOOKING, dry_run: true, colour: "red" });
    expect(unknown.invalid_fields).toMatchObject([{ field: "colour" }]);
  });

  test("what is beside the input and no part of a step is named", async () => {
    const step = { capability: ID, description: "A price.", requires_consent: false, side_effect: "none", fill_in: [] };
    const unread = async (beside: object) =>
      ((await ask(APP, { ...step, input: CAR, ...beside })).warnings ?? [])
        .filter(({ code }: { code: string }) => code === "FIELD_IGNORED")
        .map(({ field }: { field: string }) => field);
    expect(await unread({})).toEqual([]);
    expect(await unread({ action: ID, vehicle_type: CAR.vehicle_type })).toEqual([]);
    expect(await unread({ arguments: { vehicle_type: "van" } })).toEqual(["arguments"]);
    expect(await unread({ vehicle_type: "van" })).toEqual(["vehicle_type"]);
    expect(await unread({ action: "cancel_booking" })).toEqual(["action"]);
    expect(await unread({ skill: "cancel_booking", colour: "red" })).toEqual(["skill", "colour"]);
  });

  test("a tool's name means the capability that the fields are of", async () => {
    for (const input of [
      { site_type: "commercial", total_sqft: 100 },
      { service: "office", sqft: 100 },
    ])
      expect(await ask(APP, { capability: "estimate_price", input })).toMatchObject({ data: { kind: "flat_glass" } });
    const van = { type: "van", category: "commercial" };
    for (const input of [van, { vehicle_type: "van", type: "commercial" }])
      expect(await ask(APP, { capability: "estimate_price", input })).toMatchObject({ data: { kind: "automotive" } });
    const asked = await ask(APP, { capability: "estimate_price", input: { type: "van", service: "commercial" } });
    expect(asked.error_code).toBe("SERVICE_NOT_FOUND");
  });

  test("what is beside the one request or text of a message is not dropped without a word", async () => {
    const data = { capability: ID, input: CAR };
    const other = { data: { capability: ID, input: { vehicle_type: "van" } } };
    const ignored = async (...parts: object[]) => {
      const { json } = await rpc(APP, "SendMessage", { message: { messageId: "m", role: "ROLE_USER", parts } });
      const answer = json.result.message.parts.find((part: { data?: object }) => part.data).data;
      const warnings: { code: string; field: string }[] = answer.warnings ?? [];
      return [answer.data?.total, ...warnings.filter(({ code }) => code === "FIELD_IGNORED").map(({ field }) => field)];
    };
    const price = 349;
    expect(await ignored({ data })).toEqual([price]);
    expect(await ignored({ data: [data] })).toEqual([price]);
    expect(await ignored({ data: "How much for an SUV?" })).toEqual([price]);
    expect(await ignored({ data }, other)).toEqual([price, "parts[1]"]);
    expect(await ignored({ data: { user: "u1" } }, { data })).toEqual([price, "parts[0]"]);
    expect(await ignored({ text: "For my wife:" }, { data })).toEqual([price, "parts[0]"]);
    expect(await ignored({ text: "How much" }, { url: "a.jpg" }, { text: "for an SUV?" })).toEqual([price, "parts[1]"]);
  });

  test("each form counts against the limit of its capability, and needs its key", async () => {
    const app = fileApp();
    const { headers } = await send(app, { data: { skill: "quote_request", ...QUOTE } });
    expect([headers.get("x-ratelimit-limit"), app.counts().leads]).toEqual(["5", 1]);
    const closed = appWith({ "bookings.require_api_key": true });
    const refused = await send(closed, { data: { skill: "book_appointment", ...BOOKING } });
    expect([refused.status, refused.json.error.data.error_code]).toEqual([401, "API_KEY_REQUIRED"]);
  });
});

describe("a sample can be sent as it is", () => {
  test.each([
    [{ capability: ID, vehicle_make: "Tesla", vehicle_model: "Model 3" }, {}],
    [{ skill: ID, film_type: "standard" }, { vehicle_type: "suv" }],
    [{ capability: ID, input: { vehicle_type: "boat", shade: 50 } }, { vehicle_type: "suv" }],
    [{ capability: "book_appointment", ...BOOKING, time: "afternoon" }, { time: BOOKING.time }],
    [{ skill: "make_coffee", params: CAR }, { capability: ID }],
    [CAR, { capability: ID }],
    [{ skill: ID, params: "a car" }, { input: CAR }],
  ])("the error of %j, with %j filled in", async (data, answers) => {
    const app = testApp();
    const { success, usage } = await ask(app, data);
    expect(success).toBe(false);
    const { sample_request: sample, fill_in: asked = [] } = usage;
    expect(asked).toEqual(Object.keys(answers));
    expect(Object.keys(sample)).not.toContainAnyValues(["vehicle_type", "vehicle_make", "date"]);
    for (const isText of [false, true]) {
      const ofEnvelope = (one: string) => one === "capability" || one === "input";
      const input = filledIn(
        { ...sample.input },
        asked.filter((one: string) => !ofEnvelope(one)),
        answers,
      );
      const named = Object.fromEntries(Object.entries(answers).filter(([one]) => ofEnvelope(one)));
      const whole = { ...sample, input, ...named };
      expect(await ask(app, whole, isText)).toMatchObject({ success: true });
    }
  });

  test("the error of a used-up limit has the same form", async () => {
    const app = fileApp();
    for (let i = 0; i < 5; i++) await send(app, { data: { capability: "quote_request", input: QUOTE } });
    const { json } = await send(app, { data: { skill: "quote_request", params: QUOTE } });
    expect(json.result.message.parts[0].data).toMatchObject({
      error_code: "RATE_LIMITED",
      usage: { sample_request: { capability: "quote_request", input: { ...QUOTE, dry_run: true } } },
    });
  });
});

describe("acceptedOutputModes", () => {
  const DATA = { data: { capability: ID, input: CAR } };
  const SENTENCE = { text: "What does the warranty cover?" };
  const partsOf = async (part: object, acceptedOutputModes: unknown) => {
    const { json } = await send(APP, part, { acceptedOutputModes });
    return json.result.message.parts.map(({ mediaType }: { mediaType: string }) => mediaType);
  };
  const [JSON_TYPE, TEXT] = ["application/json", "text/plain"];

  test.each([
    [undefined, [JSON_TYPE], [TEXT, JSON_TYPE]],
    [[], [JSON_TYPE], [TEXT, JSON_TYPE]],
    [[JSON_TYPE, TEXT], [JSON_TYPE], [TEXT, JSON_TYPE]],
    [["*/*"], [JSON_TYPE], [TEXT, JSON_TYPE]],
    [[JSON_TYPE], [JSON_TYPE], [JSON_TYPE]],
    [["image/png", "Application/JSON; charset=utf-8"], [JSON_TYPE], [JSON_TYPE]],
    [[TEXT], [TEXT], [TEXT]],
    [["text"], [TEXT], [TEXT]],
    [["text/*", "image/png"], [TEXT], [TEXT]],
    [TEXT, [TEXT], [TEXT]],
  ])("%j", async (modes, ofData, ofSentence) => {
    expect([await partsOf(DATA, modes), await partsOf(SENTENCE, modes)]).toEqual([ofData, ofSentence]);
  });

  test("nothing is lost in the other form", async () => {
    const app = testApp();
    const partsWith = async (part: object, mode: string) => {
      const { json } = await sendOld(app, part, { acceptedOutputModes: [mode] });
      return json.result.parts;
    };
    const [price] = await partsWith({ kind: "data", ...DATA }, TEXT);
    const [same] = await partsWith({ kind: "data", ...DATA }, JSON_TYPE);
    expect([price.kind, JSON.parse(price.text).data.total]).toEqual(["text", same.data.data.total]);
    const [words, more] = await partsWith({ kind: "text", ...SENTENCE }, TEXT);
    const [both] = await partsWith({ kind: "text", ...SENTENCE }, JSON_TYPE);
    expect([both.data.answer, more]).toEqual([words.text, undefined]);
    expect(words.text).not.toMatch(/[{}]/);
  });

  test("where none fits, the message is refused, and nothing is done", async () => {
    const app = fileApp();
    const book = { data: { capability: "book_appointment", input: BOOKING } };
    for (const ask of [send, sendOld]) {
      for (const modes of [["image/png"], ["text/html", "audio/*"], [7]]) {
        const { status, json } = await ask(app, book, { acceptedOutputModes: modes });
        expect([status, json.error.code]).toEqual([200, -32005]);
      }
    }
    expect(app.counts().bookings).toBe(0);
    const { json } = await send(app, book, { acceptedOutputModes: ["image/png"] });
    expect(json.error.data).toMatchObject([{ reason: "CONTENT_TYPE_NOT_SUPPORTED" }]);
  });
});
