/** Parts of a day, shades that wait for the vehicle, and consent in words: understood, or asked with what can be had. Source: contract 1. */
import { describe, expect, test } from "bun:test";
import { API, BOOKING, manyCallers, testApp } from "../helpers.ts";
import { book } from "./manage-requests.ts";
import { inTurn, WAYS } from "./ways-in.ts";

interface Slot {
  time: string;
  available: boolean;
}
const { date } = BOOKING;
const DRY = { ...BOOKING, dry_run: true };

const FILTERS: [name: string, said: string, part: object][] = [
  ...["time", "part_of_day", "time_of_day", "when", "preferred_time"].map((name): [string, string, object] => [
    name,
    "afternoon",
    { after: "12:00" },
  ]),
  ["time", "in the morning", { before: "12:00" }],
  ["time", "before noon", { before: "12:00" }],
  ["time", "after 1pm", { after: "13:00" }],
  ["time", "after 2", { after: "14:00" }],
  ["time", "11:00", { after: "11:00" }],
  ["time_range", "between 10am and 1pm", { after: "10:00", before: "13:00" }],
  ["time_range", "1-3pm", { after: "13:00", before: "15:00" }],
  ["after", "1pm", { after: "13:00" }],
  ["before", "noon", { before: "12:00" }],
];

describe("over REST and MCP in turn", () => {
  const send = inTurn(WAYS.slice(0, 2));
  const app = manyCallers();
  test.each(FILTERS)("open times with %s: %s are those of %j", async (name, said, part) => {
    const asked = { date, vehicle_type: "suv" };
    const { body } = await send(app, "check_availability", { ...asked, [name]: said });
    const { body: plain } = await send(app, "check_availability", { ...asked, ...part });
    expect(body.data.slots).toEqual(plain.data.slots);
    expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual(["UNDERSTOOD"]);
    for (const [field, time] of Object.entries(part))
      expect(body.warnings[0].message).toMatch(`${field === name ? "" : `${field} `}${time}`);
  });

  test.each(["14:00", "T13:00", "(Tuesday) 13:00"])(
    "open times on a day %s are those from that time on",
    async (time) => {
      const { body } = await send(app, "check_availability", { date: `${date} ${time}`.replace(" T", "T") });
      const { body: plain } = await send(app, "check_availability", { date, after: time.slice(-5) });
      expect(body.data).toEqual(plain.data);
      expect(body.warnings).toEqual([expect.objectContaining({ code: "UNDERSTOOD", field: "date" })]);
    },
  );

  const ASKED: [said: string, isIn: (time: string) => boolean][] = [
    ["afternoon", (time) => time >= "12:00"],
    ["Morning", (time) => time < "12:00"],
    ["before noon", (time) => time < "12:00"],
    ["between 10 and 12", (time) => time >= "10:00" && time < "12:00"],
    ["whenever", () => true],
    ["after 8pm", () => true],
  ];
  test.each(ASKED)("a booking at %s is told the open times, and one of them books it", async (said, isIn) => {
    const app = testApp();
    const { body } = await send(app, "book_appointment", { ...DRY, time: said });
    const { json } = await app.get(`${API}/availability?date=${date}&vehicle_type=suv&film_type=ceramic`);
    const open = (json.data.slots as Slot[])
      .filter(({ available, time }) => available && isIn(time))
      .map(({ time }) => time);
    const { usage } = body;
    expect(usage.fill_in).toEqual(["time"]);
    expect(usage.fill_in_hints).toEqual([{ field: "time", given: said, allowed: open }]);
    expect(body.message).toContain(open.join(", "));
    const filled = await send(app, "book_appointment", { ...usage.sample_request, time: open.at(-1) });
    expect(filled.body.success).toBe(true);
  });

  test("a change to the afternoon is told its open times, too", async () => {
    const app = testApp();
    const { proof } = await book(app, {});
    const { body } = await send(app, "reschedule_booking", { ...proof, date, time: "afternoon" });
    expect(body.usage.fill_in_hints[0].allowed).toContain("13:00");
  });

  test("a day with a part of it is asked with its date", async () => {
    const { body } = await send(testApp(), "book_appointment", { ...DRY, date: "Tuesday afternoon" });
    expect(body.invalid_fields[0]).toMatchObject({ field: "date", did_you_mean: "2026-11-24" });
  });

  test("a shade that the law names waits for the vehicle, and is no fault of its own", async () => {
    const app = testApp();
    for (const vehicle of [{}, { vehicle_type: "spaceship" }, { vehicle_type: "Civic" }]) {
      const asked = { ...vehicle, shade: "darkest legal", film_type: "ceramic" };
      const { body } = await send(app, "automotive_estimate", asked);
      expect([body.success, body.message.includes("shade must")]).toEqual([false, false]);
      expect(body.usage.sample_request.shade).toBe("darkest legal");
      const filled = { vehicle_type: "sedan", ...body.usage.sample_request };
      expect((await send(app, "automotive_estimate", filled)).body.success).toBe(true);
    }
    const { vehicle_type: _type, ...bare } = DRY;
    const { body } = await send(app, "book_appointment", { ...bare, shade: { front_side: "as dark as legal" } });
    expect(body.missing_fields).toEqual(["vehicle_type"]);
    expect(body.usage.fill_in).toEqual(["vehicle_type"]);
    expect(body.invalid_fields).toBe(undefined);
    const wish = { ...bare, vehicle_make: "Toyota", vehicle_model: "Camry", shade: "darkest legal" };
    const known = await send(app, "book_appointment", wish);
    expect(known.body.success).toBe(true);
  });

  test("a shade that the law names is asked for where none in stock is legal, and the other glass keeps its own", async () => {
    const asked = { vehicle_type: "sedan", jurisdiction: "US-CA", shade: { front: "legal", rear: 5 } };
    const { body } = await send(testApp(), "automotive_estimate", asked);
    const message = "cannot be legal on the front side windows in California with any film in stock";
    expect(body.invalid_fields).toEqual([{ field: "shade.front_side", message }]);
    expect(body.usage).toMatchObject({
      sample_request: { shade: { rear_side: 5, rear_window: 5 } },
      fill_in: ["shade.front_side"],
    });
  });

  test("that a shade is accepted which is not legal is understood from yes, and asked for in other words", async () => {
    const app = testApp();
    for (const yes of ["YES", "True", "1", "yes please"])
      expect((await send(app, "book_appointment", { ...DRY, accept_not_legal: yes })).body.success).toBe(true);
    const { body } = await send(app, "book_appointment", { ...DRY, accept_not_legal: "book it all the same" });
    expect(body.invalid_fields).toEqual([
      { field: "accept_not_legal", message: expect.stringContaining("true only where the end user was told") },
    ]);
    expect(body.usage.fill_in).toEqual(["accept_not_legal"]);
  });
});
