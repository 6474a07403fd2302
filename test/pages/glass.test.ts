/** The page for buildings: windows in, three options out, and a quote request. */
import { describe, expect, test } from "bun:test";
import { API, catalogWith, fileApp, testApp } from "../helpers.ts";
import { CALIFORNIA } from "../shops.ts";
import { actionOf, FORM, fieldsOf, send } from "./form.ts";

const WINDOWS = "/book/glass?site_type=residential&primary_concern=heat&width=36&height=60&quantity=8&blocked=0";

async function filled(path = WINDOWS, app = fileApp()) {
  const page = await app.get(path);
  const fields = fieldsOf(page.text, FORM);
  for (const [name, value] of Object.entries({
    first_name: "Pat",
    phone: "(404) 555-0112",
    email: "pat@example.com",
    consent: "yes",
  }))
    fields.set(name, value);
  return { app, page, fields, action: actionOf(page.text, FORM) };
}

describe("the options", () => {
  test("are the API's, side by side", async () => {
    const app = testApp();
    const { text } = await app.get(WINDOWS);
    const { json } = await app.post(`${API}/flat-glass/estimate`, {
      site_type: "residential",
      primary_concern: "heat",
      windows: [{ width_in: 36, height_in: 60, quantity: 8, blocked: true }],
    });
    for (const { label, film, total } of json.data.options) {
      expect(text).toContain(label);
      expect(text).toContain(film.name);
      expect(text).toContain(`$${total.toLocaleString("en-US")}`);
    }
  });

  test("sizes that look like feet, and more old film than glass, are asked about", async () => {
    const { text } = await testApp().get("/book/glass?width=3&height=5&quantity=2&existing_film_sqft=100");
    expect(text).toContain("2 of the panes are under 12 x 12 inches");
    expect(text).toContain("There is more old film (100 sq ft) than glass (0.21 sq ft)");
  });

  test("a size that is no number is told in its row", async () => {
    const { status, text } = await testApp().get(`${WINDOWS}&width=wide&height=60&quantity=`);
    expect(status).toBe(200);
    expect(text).toContain('id="width-1" name="width" value="wide"');
    expect(text).toMatch(/aria-describedby="width-1-fault"/);
  });

  test("no field of a single line asks the browser for an address of several", async () => {
    const { page } = await filled();
    expect(page.text).toContain('name="address"');
    expect(page.text.match(/<input[^>]*autocomplete="street-address"[^>]*>/g)).toBeNull();
  });

  test("more rows", async () => {
    const { text } = await testApp().get(`${WINDOWS}&rows=6`);
    expect([...text.matchAll(/name="width"/g)]).toHaveLength(6);
  });

  test.each(["width", "height", "quantity", "floors", "rows", "site_type", "primary_concern"])(
    "hostile input in %s",
    async (name) => {
      const query = new URLSearchParams({ [name]: '"><img src=x>', width: "9".repeat(99), height: "60" });
      const { status, text } = await testApp().get(`/book/glass?${query}`);
      expect(status).toBe(200);
      expect(text).not.toContain("<img");
    },
  );
});

describe("asking for a quote", () => {
  test("leads to a page with the reference, once, however often it is sent", async () => {
    const { app, fields, action } = await filled();
    const answers = await Promise.all([1, 2].map(() => send(app, action, fields)));
    const [location, other] = answers.map(({ headers }) => headers.get("location") ?? "");
    expect(location).toBe(other ?? "");
    expect(location).toMatch(/^\/book\/glass\/sent\?reference=Q-\w{6}&by=/);
    expect(app.counts().leads).toBe(1);
    const sent = await app.get(location ?? "");
    expect(sent.text).toContain("Your request is on its way");
    expect(sent.text).not.toMatch(/555-0112|pat@example/);
    const lead = app.db.query<{ details: string }, []>("SELECT details FROM leads").get();
    expect(JSON.parse(lead?.details ?? "")).toMatchObject({ square_footage: 120, estimate: { total: 2320 } });
  });

  test("can be sent without windows", async () => {
    const { app, fields, action } = await filled("/book/glass");
    expect((await send(app, action, fields)).status).toBe(303);
    expect(app.counts().leads).toBe(1);
  });

  test.each([
    ["first_name", "", 'id="first_name-fault">Please fill this in.'],
    ["email", "nobody", 'id="email-fault"'],
    ["consent", "", "Please tick this"],
  ])("refused: %s is %p", async (name, value, said) => {
    const { app, fields, action } = await filled();
    fields.set(name, value);
    const { status, text } = await send(app, action, fields);
    expect([status, text.includes(said)]).toEqual([400, true]);
    expect(app.counts().leads).toBe(0);
  });

  test("no more than the API allows; a refused form uses none of it", async () => {
    const { app, fields, action } = await filled();
    fields.set("email", "nobody");
    for (let i = 0; i < 6; i++) expect((await send(app, action, fields)).status).toBe(400);
    fields.set("email", "pat@example.com");
    for (let i = 0; i < 5; i++) {
      fields.set("quote_request_id", `try-${i}`);
      expect((await send(app, action, fields)).status).toBe(303);
    }
    const { status, text } = await send(app, action, fields);
    expect(status).toBe(429);
    expect(text).toContain("Too many tries");
  });

  test("from another website nothing is sent", async () => {
    const { app, fields, action } = await filled();
    expect((await send(app, action, fields, { headers: { "Sec-Fetch-Site": "cross-site" } })).status).toBe(403);
    expect(app.counts().leads).toBe(0);
  });
});

test("a shop without work on buildings has no such page", async () => {
  expect((await testApp({ catalog: CALIFORNIA }).get("/book/glass")).status).toBe(404);
});

test("a made-up reference is not confirmed", async () => {
  const { status, text } = await testApp({ catalog: catalogWith() }).get("/book/glass/sent?reference=<b>&by=never");
  expect(status).toBe(404);
  expect(text).not.toContain("<b></b>");
});
