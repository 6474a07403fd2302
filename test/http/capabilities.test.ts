/** What each capability says of itself is tried: its sample, schemas, next steps and errors, and its entry in the manifest. */
import { describe, expect, test } from "bun:test";
import type { z } from "zod";
import type { Capability } from "../../src/capabilities/core/capability.ts";
import { fillPath } from "../../src/capabilities/core/operations.ts";
import { SAMPLE_PERSON } from "../../src/capabilities/core/samples.ts";
import { aboutOf, CAPABILITIES, CAPABILITY_BY_ID, offered } from "../../src/capabilities/index.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { type Answer, manyCallers, type TestApp, testApp } from "../app.ts";
import { API, AT_BOOKING, BOOKING, inOwnName, NOW, QUOTE } from "../fixed-day.ts";
import { appWith, CATALOG, catalogWith, WORDS } from "../helpers.ts";
import { CALIFORNIA } from "../shops.ts";

const APP = manyCallers();

/** From the specification, sections 1, 2 and 4: id, method, path, operationId, status. */
const SPECIFIED = [
  ["list_services", "GET", "/services", "get_services", 200],
  ["business_location", "GET", "/location", "get_location", 200],
  ["list_faq", "GET", "/faq", "get_faq", 200],
  ["check_availability", "GET", "/availability", "check_availability", 200],
  ["automotive_estimate", "POST", "/estimates", "estimate_price", 200],
  ["flat_glass_estimate", "POST", "/flat-glass/estimate", "estimate_flat_glass", 200],
  ["quote_request", "POST", "/quote-request", "request_quote", 200],
  ["book_appointment", "POST", "/bookings", "book_appointment", 201],
  ["register_api_key", "POST", "/register", "register_api_key", 201],
] as const;

/** From the contract 13. */
const EXTENSIONS = [
  ["booking_status", "GET", "/bookings/{confirmation_code}", "get_booking_status", 200],
  ["find_booking", "POST", "/bookings/lookup", "find_booking", 200],
  ["confirm_booking", "POST", "/bookings/confirm", "confirm_booking", 200],
  ["reschedule_booking", "POST", "/bookings/reschedule", "reschedule_booking", 200],
  ["cancel_booking", "POST", "/bookings/cancel", "cancel_booking", 200],
] as const;
/** Whether a capability is about one booking, which has to be made first. */
const isAboutBooking = (capability: Capability | undefined) => capability?.path.startsWith("/bookings/") === true;
const NINE = CAPABILITIES.filter(({ isExtension }) => !isExtension);

/** Sends a sample unchanged, as a body or as a query. */
function sendSample(app: TestApp, method: string, pattern: string, sample: object): Promise<Answer> {
  const { path, rest } = fillPath({ path: pattern }, { ...sample });
  if (method !== "GET") return app.post(path, rest);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  return app.get(query.size > 0 ? `${path}?${query}` : path);
}

const sampleOf = (capability: Capability, catalog = CATALOG): Record<string, unknown> => ({
  ...capability.sample(catalog, NOW),
});

/** Sends a capability's own sample. What is about a booking is asked about one, with the contact of its customer. */
async function sendOwnSample(capability: Capability, catalog: Shop) {
  const app = testApp({ catalog });
  const sample = sampleOf(capability, catalog);
  if (isAboutBooking(capability)) {
    const { date, time } = BOOKING;
    const booking = { ...inOwnName(sampleOf(CAPABILITY_BY_ID.book_appointment, catalog)), date, time };
    const { json } = await app.post(`${API}/bookings`, booking);
    sample.confirmation_code = json.data.confirmation_code;
    if ("phone" in sample) sample.phone = BOOKING.customer_phone;
  }
  const answer = await sendSample(app, capability.method, API + capability.path, sample);
  const proof = { confirmation_code: sample.confirmation_code, phone: BOOKING.customer_phone };
  return { app, answer, proof: isAboutBooking(capability) ? proof : {} };
}

/** Whether a value has a key, at any depth, that the schema does not describe. */
function unknownKeys(value: unknown, schema: z.ZodType): boolean {
  return !Bun.deepEquals(schema.parse(value), value, true);
}

describe("the capabilities", () => {
  test("have the ids, paths and operations of the specification", () => {
    expect(
      CAPABILITIES.map(({ id, method, path, operationId, status }) => [id, method, path, operationId, status]),
    ).toEqual([...SPECIFIED, ...EXTENSIONS].map((row) => [...row]));
  });
});

describe.each([
  ["the stock shop", CATALOG],
  ["a shop with other words", CALIFORNIA],
])("%s", (_, catalog) => {
  for (const capability of offered(catalog)) {
    describe(capability.id, () => {
      test("its sample succeeds, and so do its next steps once the customer's own data is in", async () => {
        const { app, answer, proof } = await sendOwnSample(capability, catalog);
        const { status, json, headers } = answer;
        expect(status).toBe(200);
        expect(headers.get("content-type")).toContain("application/json");
        expect(json.success).toBe(true);
        expect(json.warnings).toEqual(capability.id === "book_appointment" ? [AT_BOOKING] : undefined);
        const known = ["success", "data", "next_actions", "warnings"];
        expect(Object.keys(json).filter((key) => !known.includes(key))).toEqual([]);
        expect(unknownKeys(json.data, capability.output(catalog))).toBe(false);
        expect(json.next_actions.length).toBeGreaterThan(0);
        await expectNextActions(json.next_actions, app, catalog, [], proof);
      });

      test("no description is missing", () => {
        const { title } = capability;
        const { description, useWhen, avoidWhen } = aboutOf(capability, catalog);
        for (const text of [title, description, ...useWhen, ...avoidWhen]) expect(text).toMatch(/\S/);
        expect(useWhen.length).toBeGreaterThan(0);
        // Advice that names what a shop does not offer is left out.
        if (catalog === CATALOG) expect(avoidWhen.length).toBeGreaterThan(0);
      });
    });
  }
});

/**
 * @param app where the actions on a booking are sent, because it has the booking
 * @param told warnings of the answer; a next step may repeat them, and has no others
 */
async function expectNextActions(
  actions: Record<string, unknown>[],
  app: TestApp,
  catalog = CATALOG,
  told: object[] = [],
  proof: Record<string, unknown> = { phone: BOOKING.customer_phone },
): Promise<void> {
  for (const action of actions) {
    const { fill_in, url, book_url: page, ...rest } = action;
    const fillIn = (fill_in ?? []) as string[];
    const always = ["action", "description", "method", "path", "requires_consent", "sample_request", "side_effect"];
    expect(Object.keys(rest).sort()).toEqual(always);
    if (action.action === "book_appointment") expect(page).toStartWith(`${catalog.site.url}/book?`);
    expect(url === undefined).toBe(action.method === "POST");
    expect(action.fill_in).not.toEqual([]);
    const capability = CAPABILITIES.find(({ id }) => id === action.action);
    expect(action).toMatchObject({
      method: capability?.method,
      path: API + capability?.path,
      side_effect: capability?.sideEffect,
      requires_consent: capability?.sideEffect !== "none",
    });
    const sample = action.sample_request as Record<string, unknown>;
    const to = () => (isAboutBooking(capability) || "estimate_id" in sample ? app : testApp({ catalog }));
    const send = (body: object) => sendSample(to(), String(action.method), String(action.path), body);
    expect(Object.values(SAMPLE_PERSON).filter((one) => Object.values(sample).includes(one))).toEqual([]);
    if (fillIn.length > 0) {
      const missing = (await send(sample)).json.missing_fields;
      // Whether a shade is legal is only known of a whole request.
      const required = fillIn.filter((field) => field !== "accept_not_legal");
      expect([action.action, [...missing].sort()]).toEqual([action.action, required.sort()]);
    }
    const among = (values: object, names: readonly string[]) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
    const wish = fillIn.filter((field) => ["vehicle_type", "total_sqft", "site_type"].includes(field));
    const whole = { ...inOwnName(sample, fillIn), ...among(capability?.sample(catalog, NOW) ?? {}, wish) };
    const proven = isAboutBooking(capability) && { ...sample, ...among(proof, fillIn) };
    const { status, json } = await send(fillIn.length > 0 ? { ...whole, ...proven } : sample);
    // A booking may lack its vehicle, which times are asked for without.
    const unsent = (json.warnings ?? [])
      .filter(({ code }: { code: string }) => code !== "NO_PRICE")
      .filter((one: object) => !told.some((other) => Bun.deepEquals(one, other)));
    const expected = [action.action, capability?.status, undefined, []];
    expect([action.action, status, json.invalid_fields, unsent]).toEqual(expected);
  }
}

describe("next steps of many answers succeed", () => {
  const long = "n".repeat(100);
  const MOST = {
    ...{ vehicle_type: "suv", vehicle_year: 2100, vehicle_make: long, vehicle_model: long },
    addons: ["windshield_strip", "windshield", "sunroof", "nofault"],
    shade: { front_side: "35%", rear_side: "medium", rear_window: 5 },
    windshield_shade: "70 %",
  };
  const PANES = { existing_film_sqft: 12.5, blocked_windows: 10_000, curtain_windows: 1 };
  const FILM = { square_footage: 0.5, floors: 9, film_goals: ["leed_credits", "decorative"] };
  const REQUESTS: [string, string, object][] = [
    ...["automotive", "film_removal", "clearplex"].flatMap((service): [string, string, object][] =>
      ["sedan", "van"].map((vehicle_type) => ["POST", "/estimates", { vehicle_type, service }]),
    ),
    ["POST", "/estimates", { vehicle_type: "van", coverage: "front2", shade: { front_side: "limo" } }],
    ["POST", "/estimates", MOST],
    ["POST", "/estimates", { vehicle_type: "suv", shade: "35\t%" }],
    ["GET", "/estimates", {}],
    ...["commercial", "residential", "security"].map((site_type): [string, string, object] => [
      "POST",
      "/flat-glass/estimate",
      { site_type, total_sqft: 1_000_000, floors: 200, film_goals: ["decorative", "heat"], existing_film_sqft: 0.01 },
    ]),
    ["POST", "/flat-glass/estimate", { site_type: "residential", total_sqft: 0.01, needs_ladder: false, floors: 3 }],
    ["POST", "/flat-glass/estimate", { site_type: "commercial", total_sqft: 90, primary_concern: "glare", ...PANES }],
    ["POST", "/quote-request", QUOTE],
    ["POST", "/quote-request", { ...QUOTE, ...FILM }],
    ["POST", "/bookings", BOOKING],
    ["GET", "/availability", {}],
    ["GET", "/availability", { days: 1 }],
    ["GET", "/availability", { days: 30, vehicle_type: "van", film_type: "ceramic" }],
    ["GET", "/availability", { date: "2026-11-26" }],
    ["GET", "/availability", { date: "2026-11-20" }],
    ["GET", "/availability", { date: "2026-12-24" }],
    ["GET", "/availability", { date: "2027-01-21", service: 6 }],
    ["GET", "/availability", { date: "2026-11-24", service: 5, vehicle_type: "suv", coverage: "front2" }],
    ["GET", "/availability", { date: "2026-11-24", vehicle_type: "sedan", coverage: "front2" }],
  ];
  for (const [method, path, input] of REQUESTS) {
    test(`${method} ${path} ${JSON.stringify(input).slice(0, 70)}`, async () => {
      const app = testApp();
      const { status, json } = await sendSample(app, method, API + path, input);
      // A refused request has no next steps.
      if (status === 400) return expect(json.next_actions).toBeUndefined();
      expect(status).toBeLessThan(300);
      expect(json.next_actions.length).toBeGreaterThan(0);
      await expectNextActions(json.next_actions, app, CATALOG, json.warnings);
    });
  }

  test("at any hour and on any day, samples still succeed", async () => {
    const nights = ["2026-11-22T04:59:59Z", "2026-12-31T23:00:00Z", "2027-03-14T06:30:00Z"];
    for (const now of ["2026-11-25T22:30:00Z", ...nights]) {
      const app = testApp({ now: Temporal.Instant.from(now) });
      for (const capability of NINE) {
        const sample = capability.sample(CATALOG, app.now());
        const { status } = await sendSample(app, capability.method, API + capability.path, sample);
        expect([now, capability.id, status]).toEqual([now, capability.id, 200]);
      }
    }
  });

  test("with a full diary the samples show a time that is still free", async () => {
    const app = testApp();
    const first = CAPABILITY_BY_ID.book_appointment.sample(CATALOG, NOW);
    for (let bay = 0; bay < CATALOG.scheduling.bays; bay++) {
      const body = { ...inOwnName(first), customer_phone: `+1-404-555-019${bay}` };
      const { status } = await app.post(`${API}/bookings`, body, { from: `198.51.100.${bay}` });
      expect(status).toBe(201);
    }
    const isBooking = ({ id }: { id: string }) => id === "book_appointment";
    const shown: Record<string, string>[] = [
      (await app.get(`${API}/capabilities`)).json.data.capabilities.find(isBooking).sample_request,
      JSON.parse(/\/bookings -H \S+ \S+ -d '(\{[\s\S]*?\})'/.exec((await app.get(`${API}/docs-md`)).text)?.[1] ?? ""),
      JSON.parse((await app.get("/.well-known/agent-card.json")).json.skills.find(isBooking).examples[0]).input,
    ];
    const [free] = shown;
    expect(free).not.toMatchObject({ date: first.date, time: first.time });
    for (const sample of shown) expect(sample).toEqual({ ...free });
    const page = (await app.get(`${API}/docs`)).text.replace(/<[^>]+>/g, "");
    expect(page).toContain(`&quot;time&quot;: &quot;${free?.time}&quot;`);
    expect((await app.post(`${API}/bookings`, free, { from: "198.51.100.77" })).status).toBe(200);
  });

  test("a booking changes the ETag only of documents that show a sample booking", async () => {
    const app = testApp();
    const tagOf = async (path: string) => (await app.get(path)).headers.get("etag") ?? "";
    const tags = () => Promise.all([`${API}/capabilities`, `${API}/docs`, `${API}/faq`, "/llms.txt"].map(tagOf));
    const [manifest, docs, faq, llms] = await tags();
    for (const bay of ["1", "2"]) {
      const sample = CAPABILITY_BY_ID.book_appointment.sample(CATALOG, NOW);
      await app.post(`${API}/bookings`, { ...inOwnName(sample), customer_phone: `+1-404-555-018${bay}` });
    }
    const after = await tags();
    expect([manifest, docs].map((tag, i) => tag === after[i])).toEqual([false, false]);
    expect(after.slice(2)).toEqual([faq ?? "", llms ?? ""]);
    const stale = await app.get(`${API}/capabilities`, { headers: { "If-None-Match": manifest ?? "" } });
    const fresh = await app.get(`${API}/capabilities`, { headers: { "If-None-Match": after[0] ?? "" } });
    expect([stale.status, fresh.status]).toEqual([200, 304]);
  });
});

describe("the manifest", () => {
  const KEYS =
    `id method path description side_effect returns_price creates_lead requires_consent use_when avoid_when requires
    sample_request`.split(/\s+/);
  const SIDE_EFFECTS: Record<string, string> = {
    quote_request: "creates_lead",
    book_appointment: "books_appointment",
    confirm_booking: "changes_appointment",
    reschedule_booking: "changes_appointment",
    cancel_booking: "changes_appointment",
  };
  const PRICED = [
    ...["list_services", "automotive_estimate", "flat_glass_estimate", "quote_request", "book_appointment"],
    ...["find_booking", "confirm_booking", "reschedule_booking", "cancel_booking"],
  ];

  test("is the same at /capabilities and at the base URL, to the byte", async () => {
    const app = testApp();
    const [manifest, base] = [await app.get(`${API}/capabilities`), await app.get(API)];
    expect(manifest.status).toBe(200);
    expect(base.text).toBe(manifest.text);
    expect(Object.keys(manifest.json)).toEqual(["success", "data"]);
    expect(manifest.json.success).toBe(true);
    expect(manifest.json.data.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test("has each capability by itself too, with what its other fields may hold", async () => {
    const app = testApp();
    const { capabilities, extensions } = (await app.get(`${API}/capabilities`)).json.data;
    for (const entry of [...capabilities, ...extensions]) {
      const one = await app.get(`${API}/capabilities/${entry.id}`);
      const { optional_fields: fields, ...rest } = one.json.data;
      expect([one.status, one.json.success, rest]).toEqual([200, true, entry]);
      expect(Object.keys(fields).toSorted()).toEqual([...entry.requires.soft, ...entry.requires.optional].toSorted());
    }
    const { film_type, addons, days } = (await app.get(`${API}/capabilities/check_availability`)).json.data
      .optional_fields;
    expect(film_type).toEqual({ type: "string", enum: WORDS.films });
    expect(addons).toEqual({ type: "array", items: { type: "string", enum: WORDS.addons } });
    expect(days).toEqual({ type: "integer", minimum: 1, maximum: 30 });
  });

  test("one capability is kept like the manifest, and follows the catalog and the day", async () => {
    const app = testApp();
    const path = `${API}/capabilities/book_appointment`;
    const first = await app.get(path);
    const tag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("no-cache");
    expect((await app.get(path, { headers: { "If-None-Match": tag } })).status).toBe(304);
    const head = await app.send("HEAD", path);
    expect(Number(head.headers.get("content-length"))).toBe(first.bytes.length);
    app.advance({ hours: 120 });
    const later = await app.get(path);
    expect(later.json.data.sample_request.date > first.json.data.sample_request.date).toBe(true);
    expect(later.json.data.auth.required).toBe(false);
    app.setCatalog(catalogWith({ "bookings.require_api_key": true }));
    expect((await app.get(path)).json.data.auth.required).toBe(true);
  });

  test("an unknown one is 404 with the list, and one that the shop does not offer too", async () => {
    const app = testApp();
    const ids = CAPABILITIES.map(({ id }) => id);
    const ask = async (id: string) => {
      const { status, json } = await app.get(`${API}/capabilities/${id}`);
      return [status, json.error_code, json.invalid_fields?.[0].allowed];
    };
    for (const id of ["zebra", "estimate_price", "%", "__proto__"])
      expect(await ask(id)).toEqual([404, "NOT_FOUND", ids]);
    app.setCatalog(CALIFORNIA);
    const fewer = ids.filter((id) => id !== "flat_glass_estimate");
    expect(await ask("flat_glass_estimate")).toEqual([404, "NOT_FOUND", fewer]);
  });

  test("says what each vehicle type is", async () => {
    const aboutOf = async (catalog: Shop) =>
      (await testApp({ catalog }).get(`${API}/capabilities`)).json.data.capabilities.find(
        ({ id }: { id: string }) => id === "automotive_estimate",
      ).hard_fields.vehicle_type.about;
    const facts = Object.entries(CATALOG.automotive.vehicle_facts);
    expect(await aboutOf(CATALOG)).toEqual(Object.fromEntries(facts.map(([type, { about }]) => [type, about])));
    const bare = await aboutOf(catalogWith({ "automotive.vehicle_facts": { suv: { about: "High." } } }));
    expect(bare).toEqual({ suv: "High." });
    expect(await aboutOf(catalogWith({ "automotive.vehicle_facts": {} }))).toBeUndefined();
  });

  test("has an entry of exactly the specified keys for each capability", async () => {
    const { json } = await APP.get(`${API}/capabilities`);
    const entries: Record<string, unknown>[] = json.data.capabilities;
    const extensions: Record<string, unknown>[] = json.data.extensions;
    const listed = (some: Record<string, unknown>[]) => some.map(({ id, method, path }) => [id, method, path]);
    const expected = (rows: readonly (readonly [string, string, string, ...unknown[]])[]) =>
      rows.map(([id, method, path]) => [id, method, API + path]);
    expect(listed(entries)).toEqual(expected(SPECIFIED));
    expect(listed(extensions)).toEqual(expected(EXTENSIONS));
    for (const entry of [...entries, ...extensions]) {
      const id = String(entry.id);
      const needs = (entry.requires as { hard: string[] }).hard.length > 0 ? ["hard_fields"] : [];
      const extra = { automotive_estimate: ["also_accepts_get"], book_appointment: ["auth"] }[id] ?? [];
      expect([id, Object.keys(entry).sort()]).toEqual([id, [...KEYS, ...extra, ...needs].sort()]);
      const capability = CAPABILITIES.find((one) => one.id === id);
      expect(String(entry.path)).toEndWith(capability?.path ?? "?");
      expect(entry.side_effect).toBe(SIDE_EFFECTS[id] ?? "none");
      const effect = SIDE_EFFECTS[id];
      expect([id, entry.creates_lead]).toEqual([id, effect !== undefined && effect !== "changes_appointment"]);
      expect([id, entry.requires_consent]).toEqual([id, effect !== undefined]);
      expect([id, entry.returns_price]).toEqual([id, PRICED.includes(id)]);
      expect(Object.keys(entry.requires as object)).toEqual(["hard", "soft", "optional"]);
    }
    expect(entries.find(({ id }) => id === "automotive_estimate")?.also_accepts_get).toBe(true);
    const auth = { type: "api_key", required: false, register_at: expect.stringMatching(/\/register$/) };
    expect(entries.find(({ id }) => id === "book_appointment")?.auth).toEqual(auth);
  });

  const CAR = "vehicle_year vehicle_make vehicle_model";
  const WORK = "film_type coverage addons remove_old_film shade windshield_shade jurisdiction estimate_id";
  const SIZES = "blocked_windows curtain_windows existing_film_sqft film_goals floors needs_ladder";
  const BUILDING = `building_type square_footage window_count ${SIZES} furniture_moving blinds_removal`;
  const PROOF = ["confirmation_code", "phone email"] as const;
  /** What is required, asked for and optional by the specification, and what the contract adds. */
  const REQUIRES: Record<string, readonly [hard: string, soft?: string, optional?: string, added?: string]> = {
    list_services: [""],
    business_location: [""],
    list_faq: ["", "", "category", "q"],
    check_availability: ["", "", "date service days", `vehicle_type ${CAR} ${WORK} from after before view`],
    automotive_estimate: [
      "vehicle_type",
      "service film_type",
      `coverage ${CAR} addons shade windshield_shade`,
      "jurisdiction factory_glass remove_old_film view",
    ],
    flat_glass_estimate: ["total_sqft site_type", "primary_concern", SIZES, "windows view"],
    quote_request: [
      "first_name phone email service_type",
      "property_info",
      `last_name company_name ${BUILDING} address message`,
      `consent windows quote_request_id dry_run estimate_id vehicle_type ${CAR} coverage film_type`,
    ],
    book_appointment: [
      "date time customer_name customer_phone customer_email",
      `${CAR} vehicle_type coverage film_type`,
      "service_type special_requests booking_request_id",
      `postal_code consent hold dry_run accept_not_legal another factory_glass ${WORK.replace("film_type coverage ", "")}`,
    ],
    register_api_key: ["name email", "use_case", "", "dry_run"],
    booking_status: ["confirmation_code"],
    find_booking: PROOF,
    confirm_booking: [...PROOF, "dry_run"],
    reschedule_booking: [
      "confirmation_code",
      "phone email date time",
      `vehicle_type ${CAR} ${WORK} add_addons remove_addons accept_not_legal dry_run`,
    ],
    cancel_booking: [...PROOF, "reason dry_run"],
  };

  test("lists hard, soft and optional fields like the specification", async () => {
    const { json } = await APP.get(`${API}/capabilities`);
    const pieces = (text: string) => text.split(" ").filter((name) => name !== "");
    for (const { id, requires } of [...json.data.capabilities, ...json.data.extensions]) {
      const [hard = "?", soft = "", optional = "", added = ""] = REQUIRES[id] ?? [];
      expect([id, requires.hard.sort()]).toEqual([id, pieces(hard).sort()]);
      expect([id, requires.soft.sort()]).toEqual([id, pieces(soft).sort()]);
      expect([id, requires.optional.sort()]).toEqual([id, pieces(`${optional} ${added}`).sort()]);
    }
  });
});

describe("where the shop requires consent", () => {
  const app = appWith({ "bookings.require_consent": true });
  const ASKED = [
    ["quote_request", "/quote-request"],
    ["book_appointment", "/bookings"],
  ] as const;

  test.each(ASKED)("%s: every description of the fields requires it", async (id, path) => {
    const refused = await app.post(API + path, { ...(id === "quote_request" ? QUOTE : BOOKING) });
    expect(refused.json).toMatchObject({ error_code: "MISSING_FIELD", missing_fields: ["consent.confirmed_by_user"] });

    const manifest = (await app.get(`${API}/capabilities`)).json.data.capabilities;
    const { requires } = manifest.find((entry: { id: string }) => entry.id === id);
    expect([requires.hard.includes("consent"), requires.optional.includes("consent")]).toEqual([true, false]);

    const document = (await app.get(`${API}/openapi.json`)).json;
    const ref: string = document.paths[path].post.requestBody.content["application/json"].schema.$ref;
    const schema = document.components.schemas[ref.split("/").at(-1) ?? ""];
    expect(schema.required).toContain("consent");
    expect(schema.properties.consent).not.toHaveProperty("nullable");

    const { text } = await app.get(`${API}/docs-md?section=${id}`);
    expect(text).toMatch(/^- `consent` \((object, )?\*\*required\*\*\): /m);
    const { flows } = (await app.get("/.well-known/agents.json")).json;
    const flow = flows.find((one: { id: string }) => one.id === `${id}_flow`);
    expect(flow.fields.requestBody.content["application/json"].schema.required).toContain("consent");
  });
});
