/** A shop's own terms show in everything the API says, and what the shop does not sell is not spoken of. */
import { describe, expect, test } from "bun:test";
import { API, appWith, BOOKING, type CATALOG, catalogOf, catalogWith, inOwnName, QUOTE, testApp } from "../helpers.ts";
import { CALIFORNIA, californiaSource } from "../shops.ts";

const MCP = { accept: "application/json, text/event-stream", "content-type": "application/json" };
const DOCUMENTS = [
  `${API}/capabilities`,
  `${API}/openapi.json`,
  `${API}/docs`,
  `${API}/docs-md`,
  `${API}/services`,
  `${API}/faq`,
  `${API}/estimates`,
  "/llms.txt",
  "/llms-full.txt",
  "/.well-known/agents.json",
  "/.well-known/agent-card.json",
];

/** Everything that the API says about itself, by path. */
async function saidBy(catalog: typeof CATALOG): Promise<Map<string, string>> {
  const app = testApp({ catalog });
  const said = new Map<string, string>();
  for (const path of DOCUMENTS) {
    const { status, text } = await app.get(path);
    expect([path, status]).toEqual([path, 200]);
    said.set(path, text);
  }
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  said.set("tools/list", (await app.send("POST", "/mcp", { body, headers: MCP })).text);
  return said;
}

describe("a shop without work on buildings", () => {
  const CALIFORNIAN = saidBy(CALIFORNIA);

  test("says nothing of it, nor of the stock shop's words", async () => {
    const foreign =
      /flat.?glass|building|residential|commercial|storefront|square f|sq ft|\b(sedan|suv|crossover|sunroof|windshield_strip|nofault|clearplex|film_removal|front2|standard film|What does coating)\b/i;
    for (const [path, text] of await CALIFORNIAN) {
      const found = text.replace(/"BuildingType"|building_type/g, "").match(foreign);
      const around = found && text.slice((found.index ?? 0) - 60, (found.index ?? 0) + 60);
      expect([path, found?.[0], around]).toEqual([path, undefined, null]);
    }
  });

  test("says all its own words", async () => {
    const said = await CALIFORNIAN;
    for (const path of [`${API}/openapi.json`, `${API}/docs-md`, "tools/list"]) {
      for (const word of ["minivan", "crystal", "brow", "stripping", "rears"])
        expect([path, word, said.get(path)?.includes(word)]).toEqual([path, word, true]);
    }
  });

  test("names the film of its own for the windshield", async () => {
    const job = { vehicle_type: "saloon", windshield_shade: 70 };
    const { json } = await testApp({ catalog: CALIFORNIA }).post(`${API}/estimates`, job);
    expect(json.warnings[0].message).toEndWith("was priced: it is the add-on screen.");
  });

  test("answers a flat-glass estimate with what is offered", async () => {
    const asked = { total_sqft: 100, site_type: "residential" };
    const { status, json } = await testApp({ catalog: CALIFORNIA }).post(`${API}/flat-glass/estimate`, asked);
    const expected = { status: 404, code: "SERVICE_NOT_FOUND", allowed: ["tint", "stripping", "headlights"] };
    expect({ status, code: json.error_code, allowed: json.invalid_fields[0].allowed }).toEqual(expected);
  });

  test("takes quote requests for its own services, and for vehicles without a price", async () => {
    const app = testApp({ catalog: CALIFORNIA });
    const refused = await app.post(`${API}/estimates`, { vehicle_type: "motorcycle" });
    expect(refused.json.agent_instruction).toContain("/api/v1/quote-request");
    const { capabilities } = (await app.get(`${API}/capabilities`)).json.data;
    const entry = capabilities.find(({ id }: { id: string }) => id === "quote_request");
    expect(entry.sample_request).toMatchObject({ service_type: "tint", dry_run: true });
    expect((await app.post(entry.path, entry.sample_request)).status).toBe(200);
    const asked = { ...QUOTE, service_type: "tint", vehicle_type: "motorcycle" };
    const body = { ...asked, square_footage: 90, film_goals: ["heat"] };
    const { status, json } = await app.post(`${API}/quote-request`, body);
    expect([status, json.data.status, json.data.ballpark]).toEqual([200, "received", null]);
    expect(json.warnings.map(({ field }: { field: string }) => field)).toEqual(["square_footage", "film_goals"]);
    const building = await app.post(`${API}/quote-request`, { ...asked, service_type: "security" });
    expect(building.status).toBe(400);
    expect(building.json.invalid_fields[0].allowed).toEqual(["tint", "stripping", "headlights", "other"]);
  });
});

test("a shop that changes bookings by phone says so everywhere, and offers no tool for it", async () => {
  const tools = ["get_services", "get_booking_status", "find_booking", "reschedule_booking", "cancel_booking"];
  const said = await saidBy(catalogWith({ "bookings.self_service.enabled": false, "mcp.tools": tools }));
  const foreign = /The booking as it is now, and|Moves a booking to|Cancels a booking and|change an? (it|appointment)/;
  for (const [path, text] of said) expect([path, text.match(foreign)?.[0]]).toEqual([path, undefined]);
  const { extensions } = JSON.parse(said.get(`${API}/capabilities`) ?? "").data;
  const withIds = (...ids: string[]) => extensions.filter(({ id }: { id: string }) => ids.includes(id));
  // What was held online is booked online.
  const byPhone = withIds("find_booking", "reschedule_booking", "cancel_booking");
  expect(withIds("booking_status")[0]).toMatchObject({
    use_when: ["The user asks whether an appointment stands."],
    avoid_when: [],
  });
  expect(byPhone).toHaveLength(3);
  for (const { description } of byPhone) expect(description).toMatch(/^By phone only .* 403 .*\+1-404-555-0142/);
  expect(said.get("/llms.txt")?.match(/\(by phone only\)/g)).toHaveLength(3);
  const names = said.get("tools/list")?.match(/"name":"\w+_\w+"/g);
  expect(names).toEqual(['"name":"get_services"', '"name":"get_booking_status"']);
});

test("a category without questions is asked for nowhere", async () => {
  const app = appWith({ faq: [{ category: "general", question: "Where?", answer: "Here." }] });
  const sample = (await app.get(`${API}/capabilities`)).json.data.capabilities.find(
    ({ id }: { id: string }) => id === "list_faq",
  ).sample_request;
  expect(sample).toEqual({ category: "general" });
  const booked = await app.post(`${API}/bookings`, BOOKING);
  const quoted = await app.post(`${API}/quote-request`, QUOTE);
  for (const { json } of [booked, quoted]) {
    const step = json.next_actions.find(({ action }: { action: string }) => action === "list_faq");
    expect(step.sample_request).toEqual({});
  }
});

test("the name of a film keeps its letters", async () => {
  const catalog = catalogWith({ "automotive.films.standard.name": "XR Black" });
  expect((await testApp({ catalog }).get("/llms.txt")).text).toContain(" in XR Black (55% infrared rejection)");
});

describe("unknown words keep their codes, with what is allowed", () => {
  const app = testApp({ catalog: CALIFORNIA });
  test.each([
    ["/estimates", { vehicle_type: "sedan" }, 404, "INVALID_VEHICLE_TYPE", "micro_truck"],
    ["/estimates", { vehicle_type: "kei", service: "automotive" }, 404, "SERVICE_NOT_FOUND", "stripping"],
    ["/estimates", { vehicle_type: "kei", film_type: "standard" }, 400, "BAD_REQUEST", "crystal"],
    ["/estimates", { vehicle_type: "kei", coverage: "full" }, 400, "BAD_REQUEST", "all_round"],
    ["/estimates", { vehicle_type: "kei", addons: ["sunroof"] }, 400, "BAD_REQUEST", "moonroof"],
  ])("%s %j", async (path, body, status, code, allowed) => {
    const answer = await app.post(API + path, body);
    expect([answer.status, answer.json.error_code]).toEqual([status, code]);
    expect(answer.json.invalid_fields[0].allowed).toContain(allowed);
  });
});

describe("films", () => {
  const estimate = async (body: object, catalog = CALIFORNIA) =>
    (await testApp({ catalog }).post(`${API}/estimates`, { vehicle_type: "minivan", ...body })).json.data;

  test("every film is an option, in the order of the file", async () => {
    const { options, total } = await estimate({ film_type: "ceramic", addons: ["brow"] });
    expect(options.map((one: { film_type: string; total: number }) => [one.film_type, one.total])).toEqual([
      ["dyed", 280],
      ["carbon", 380],
      ["ceramic", 540],
      ["crystal", 790],
    ]);
    expect(total).toBe(540);
  });

  test("the comparison is with the reference film, for each dearer one", async () => {
    const { comparison } = await estimate({ film_type: "crystal" });
    expect(comparison).toMatchObject({ price_difference: 390, ir_rejection_difference_pct: 37 });
    expect(comparison.each.map((one: { film_type: string; price_difference: number }) => one)).toMatchObject([
      { film_type: "ceramic", price_difference: 150 },
      { film_type: "crystal", price_difference: 390 },
    ]);
    expect((await estimate({ film_type: "dyed" })).comparison.price_difference).toBe(150);
    expect((await estimate({ service: "stripping" })).comparison).toBeNull();
  });

  test("the law looks at the glass that the coverage names, and a film may take longer", async () => {
    const { tint_law, duration_minutes } = await estimate({ coverage: "rears", film_type: "crystal", shade: 50 });
    expect(tint_law.checks.map(({ position }: { position: string }) => position)).toEqual(["rear_side", "rear_window"]);
    expect(duration_minutes).toBe(160);
  });
});

test("a word that is added while the server runs is priced, booked and documented", async () => {
  const app = testApp({ catalog: CALIFORNIA });
  const asked = { vehicle_type: "bus" };
  expect((await app.post(`${API}/estimates`, asked)).status).toBe(404);
  const source = californiaSource();
  const { automotive, scheduling, tint_law } = source;
  automotive.vehicle_types.bus = { ...automotive.vehicle_types.camper, headlights: 99 };
  for (const minutes of Object.values(scheduling.job_minutes)) if (typeof minutes === "object") minutes.bus = 190;
  tint_law.vehicle_class.bus = "multipurpose";
  app.setCatalog(catalogOf(source));
  const { json } = await app.post(`${API}/estimates`, asked);
  expect(json.data.total).toBe(310.5);
  expect((await app.get(`${API}/openapi.json`)).text).toContain('"bus"');
  const booking = json.next_actions.find(({ action }: { action: string }) => action === "book_appointment");
  expect((await app.post(booking.path, inOwnName(booking.sample_request, booking.fill_in))).status).toBe(201);
});

describe("answers that depend on the catalog", () => {
  test("the sample of availability asks for the default service", async () => {
    const catalog = catalogWith({ "automotive.defaults.service": "clearplex" });
    const manifest = (await testApp({ catalog }).get(`${API}/capabilities`)).json.data.capabilities;
    const entry = manifest.find(({ id }: { id: string }) => id === "check_availability");
    expect(entry.sample_request).toEqual({ service: 6, days: 7 });
  });

  test("the error about a wrong shade names the shade words of the shop", async () => {
    const catalog = catalogWith({ "automotive.shade_words": { pitch: 5, smoke: 20 }, faq: [] });
    const { json } = await testApp({ catalog }).post(`${API}/estimates`, { vehicle_type: "suv", shade: "limo" });
    expect(json.invalid_fields[0].message).toEndWith("or a shade word: pitch or smoke");
  });

  test("the documents hold the note about the shop and the care of new film", async () => {
    const edits = { "business.legal_note": "Licensed in Ruritania", "scheduling.cure.full_cure_days": 33 };
    const catalog = catalogWith(edits);
    const app = testApp({ catalog });
    for (const path of ["/llms.txt", "/llms-full.txt", `${API}/docs`, `${API}/docs-md`]) {
      const { text } = await app.get(path);
      expect(text).toContain("Licensed in Ruritania");
      expect(text).toContain("fully cured after 33 days");
    }
  });
});
