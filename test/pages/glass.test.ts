/** The page for buildings: windows in, three options out, and a quote request. */
import { describe, expect, test } from "bun:test";
import { API, appWith, catalogWith, fileApp, testApp } from "../helpers.ts";
import { CALIFORNIA } from "../shops.ts";
import { APP, actionOf, BOOKING_FORM, fieldsOf, say, send } from "./form.ts";

const WINDOWS = "/book/glass?site_type=residential&primary_concern=heat&width=36&height=60&quantity=8&blocked=0";

async function filled(path = WINDOWS, app = fileApp()) {
  const page = await app.get(path);
  const fields = fieldsOf(page.text, BOOKING_FORM);
  for (const [name, value] of Object.entries({
    first_name: "Pat",
    phone: "(404) 555-0112",
    email: "pat@example.com",
    consent: "yes",
    do: "ask",
  }))
    fields.set(name, value);
  return { app, page, fields, action: actionOf(page.text, BOOKING_FORM) };
}

describe("the options", () => {
  say([
    // Sizes that look like feet, and more old film than glass, are asked about.
    [
      "/book/glass?site_type=residential&width=3&height=5&quantity=2&existing_film_sqft=100",
      ["2 of the panes are under 12 x 12 inches", /There is more old film \(100 sq ft\) than glass \(0\.21 sq ft\)/],
    ],
    // A fault of all windows together is marked below them.
    [
      "/book/glass?site_type=residential&width=300&height=300&quantity=9999",
      ['<p class="fault" id="windows-fault">This must add up to 1000000 sq ft or less.</p>'],
    ],
    // About so much, with the exact lines.
    [`${WINDOWS}&existing_film_sqft=50`, ["about $2,350", "$2,300 – $2,400", "Ceramic 20, installed", "$2,040"]],
    [`${WINDOWS}&existing_film_sqft=50`, ["$280", "$100 – $200"]],
    // Where privacy is bought, the films say when they give none; questions stand below.
    [
      WINDOWS.replace("heat", "privacy"),
      [/(?:no privacy when it is brighter inside than outside.*){2}/s, '<h2 id="questions-title">Good to know</h2>'],
      [/(?:no privacy when it is brighter inside than outside.*){3}/s],
    ],
  ]);

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

  test("a size that is no number is told in its row", async () => {
    const { status, text } = await APP.get(`${WINDOWS}&width=wide&height=60&quantity=`);
    expect(status).toBe(200);
    expect(text).toContain('id="width-1" name="width" value="wide"');
    expect(text).toMatch(/id="width-1"[^>]* aria-describedby="window-1-fault"/);
    expect(text).toContain('<p class="fault" id="window-1-fault">');
    // The others keep their price.
    expect(text).toContain("120 square feet of glass.");
    expect(text).not.toContain('id="problem"');
  });

  test("a row without its height is no fault until the button is pressed, or the request is sent", async () => {
    const half = `${WINDOWS}&width=30&height=&quantity=`;
    const app = fileApp();
    const typing = await app.get(half);
    expect(typing.text.includes("8 of 36")).toBe(false);
    expect(typing.text.includes("aria-invalid")).toBe(false);
    expect(typing.text.includes("about $")).toBe(true);
    expect((await app.get(`${half}&show=1`)).text).toContain('id="window-1-fault">Please fill this in.');
    const { fields, action } = await filled(half, app);
    expect((await send(app, action, fields)).status).toBe(400);
    expect(app.counts().leads).toBe(0);
  });

  test("a faulty size that is sent is told once", async () => {
    const { app, fields, action } = await filled(WINDOWS.replace("36", "wide"));
    const { status, text } = await send(app, action, fields);
    expect([status, text.split('id="problem"').length - 1]).toEqual([400, 1]);
    expect(text).toContain('id="window-0-fault">This must be a number.');
  });

  test.each([
    [`48"`, 48, "in"],
    ["36 1/2 in", 36.5, "in"],
    [`4' 6"`, 54, "in"],
    ["1,200", 1200, "in"],
    ["5 feet 6 inches", 66, "in"],
    ["90 cm", 35.43, "in"],
    ["3 1/2", 42, "ft"],
    ["5 ft x 60 in", 60, "in"],
    ["3x5 ft", 36, "in"],
    ["3 × 5", 36, "ft"],
  ])("%s is understood as %p inches", async (width, inches, unit) => {
    const height = /[x×]/.test(width) ? "" : unit === "ft" ? "5" : "60";
    const query = new URLSearchParams({ site_type: "residential", unit, width, height, quantity: "24", show: "1" });
    const { text } = await APP.get(`/book/glass?${query}`);
    expect(text).toContain(`${Math.round(inches * 1000) / 100} square feet of glass.`);
  });

  test.each(["wide", "''", "4'' 6'", "1/0", "--", "3x", "36x60x2"])(
    "%s is no length, and stays as it was typed",
    async (width) => {
      const query = new URLSearchParams({ site_type: "residential", width, height: "60", quantity: "24" });
      const { text } = await APP.get(`/book/glass?${query}`);
      expect(text).toContain('id="window-0-fault">This must be');
      expect(fieldsOf(text, '<form class="options" id="choose"').get("width")).toBe(width);
    },
  );

  test("a page without a kind of building chooses none, and asks before it prices", async () => {
    const app = testApp();
    const { text } = await app.get("/book/glass");
    expect(text).not.toMatch(/name="site_type" value="\w+" checked/);
    expect(text).not.toContain("Choose what the building is");
    const sized = (await app.get("/book/glass?width=36&height=60")).text;
    expect(sized).toContain("Choose what the building is: the price depends on it.");
    expect(sized).not.toContain("Your options");
  });

  test("usual sizes fill the next row, in feet as well", async () => {
    const app = testApp();
    const { text } = await app.get("/book/glass?site_type=residential&unit=ft&width=3&height=5&preset=2");
    expect(text).toContain('name="preset" value="2" formaction="/book/glass#windows">Sliding door</button>');
    expect(text).toContain('name="unit" value="ft" checked');
    // 3 × 5 feet and 72 × 80 inches.
    expect(text).toContain("55 square feet of glass.");
    expect(text).toContain('id="width-1" name="width" value="72&quot;"');
  });

  test("the picture and the price follow the option that was chosen; each price stands once", async () => {
    const { text } = await APP.get(`${WINDOWS}&tier=best`);
    const stage = text.slice(text.indexOf('class="stage"'), text.indexOf('<form class="options"'));
    expect(stage).toContain("Spectrally Selective 35");
    expect(stage.match(/\$2,[\d,.]+/g)).toHaveLength(1);
  });

  test("a frosted film hides the view, a clear one does not", async () => {
    const { text } = await APP.get(WINDOWS.replace("heat", "privacy"));
    expect(text.match(/class="frosted"/g)?.length).toBe(1);
    expect((await APP.get(WINDOWS)).text).not.toContain('class="frosted"');
  });

  test("from which total on tens are shown is the shop's", async () => {
    const path = "/book/glass?site_type=residential&primary_concern=heat&width=37&height=61&quantity=5";
    const totalAt = async (edits: Record<string, unknown>) => {
      const { text } = await appWith(edits).get(path);
      return /<p class="total">about (.*?)<\/p>/.exec(text)?.[1];
    };
    expect([await totalAt({}), await totalAt({ "flat_glass.tens_from": 2000 })]).toEqual(["$1,330", "$1,332"]);
  });

  test("no field of a single line asks the browser for an address of several", async () => {
    const { page } = await filled();
    expect(page.text).toContain('name="address"');
    expect(page.text.match(/<input[^>]*autocomplete="street-address"[^>]*>/g)).toBeNull();
  });

  test("more rows", async () => {
    const { text } = await APP.get(`${WINDOWS}&rows=6`);
    expect([...text.matchAll(/name="width"/g)]).toHaveLength(6);
  });

  test.each(["width", "height", "quantity", "floors", "rows", "site_type", "primary_concern"])(
    "hostile input in %s",
    async (name) => {
      const query = new URLSearchParams({ [name]: '"><img src=x>', width: "9".repeat(99), height: "60" });
      const { status, text } = await APP.get(`/book/glass?${query}`);
      expect(status).toBe(200);
      expect(text).not.toContain("<img");
    },
  );
});

describe("asking for a quote", () => {
  test("leads to a page with the reference, once, however often it is sent", async () => {
    const { app, fields, action } = await filled();
    expect(fields.get("tier")).toBe("better");
    fields.set("tier", "best");
    const answers = await Promise.all([1, 2].map(() => send(app, action, fields)));
    const [location, other] = answers.map(({ headers }) => headers.get("location") ?? "");
    expect(location).toBe(other ?? "");
    expect(location).toMatch(/^\/book\/glass\/sent\?reference=Q-\w{6}&by=/);
    expect(app.counts().leads).toBe(1);
    const sent = await app.get(location ?? "");
    expect(sent.text).toContain("Your request is on its way");
    expect(sent.text).not.toMatch(/555-0112|pat@example/);
    const lead = app.db.query<{ details: string }, []>("SELECT details FROM leads").get();
    const expected = { square_footage: 120, property_info: { option: "best" }, estimate: { total: 2320 } };
    expect(JSON.parse(lead?.details ?? "")).toMatchObject(expected);
    for (const said of ["8 of 36 x 60 in", "Best: ", "about $2,"]) expect(sent.text).toContain(said);
  });

  test("without a script other windows count at once, and what was typed stays", async () => {
    const { app, fields, action } = await filled();
    fields.delete("do");
    fields.set("show", "1");
    fields.set("quantity", "4");
    const shown = await send(app, action, fields);
    expect([shown.status, shown.text.includes('value="pat@example.com"'), shown.text.includes("about $1,160")]).toEqual(
      [200, true, true],
    );
    for (const name of ["first_name", "phone", "email"]) fields.delete(name);
    expect((await send(app, action, fields)).headers.get("location")).toContain("/book/glass?site_type=residential");
    expect(app.counts().leads).toBe(0);
  });

  test("a price of other windows is not sent", async () => {
    const { app, fields, action } = await filled();
    fields.set("quantity", "4");
    const { status, text } = await send(app, action, fields);
    expect(status).toBe(400);
    expect(text.includes("The price could not be confirmed")).toBe(true);
    expect(text.includes("about $1,160")).toBe(true);
    expect(app.counts().leads).toBe(0);
  });

  test("can be sent without windows", async () => {
    const { app, fields, action } = await filled("/book/glass");
    const refused = await send(app, action, fields);
    expect([refused.status, refused.text.includes("Choose what the building is")]).toEqual([400, true]);
    fields.set("site_type", "residential");
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
