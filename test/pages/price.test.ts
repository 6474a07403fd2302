/** The price that the page promises is the price that is booked, as long as it said. */
import { describe, expect, test } from "bun:test";
import { catalogWith, testApp } from "../helpers.ts";
import { BOOKING_FORM, CHOSEN, fieldsOf, filled, send } from "./form.ts";

const RAISED = catalogWith({ "automotive.vehicle_types.suv.ceramic.full": 700 });
const START = "&start=2026-11-24T09:00";

const linkIn = (text: string) => (/href="(\/book\?[^"]+)" data-share/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&");
const totalIn = (text: string) => /<p class="total">(.*?)<\/p>/.exec(text)?.[1];
const lineIn = (text: string) => /<p class="quote notice" role="status">(.*?)<\/p>/.exec(text)?.[1];

describe("the link that the page offers, after the shop raised its price", () => {
  async function raised() {
    const app = testApp();
    const link = linkIn((await app.get("/book?car=2022+Tahoe&vehicle_type=suv&film_type=ceramic&front_shade=50")).text);
    app.setCatalog(RAISED);
    return { app, link };
  }

  test.each([
    ["as it is", ""],
    ["with another shade", "&front_shade=40&rear_shade=20"],
    ["with a shade that is decided at the shop", "&front_shade="],
    ["in another state", "&jurisdiction=US-FL"],
    ["with the car under another name", "&car=my+Tahoe"],
  ])("%s keeps the price, which is booked with these choices", async (_, more) => {
    const { app, link } = await raised();
    const url = new URLSearchParams(link.slice(link.indexOf("?")));
    for (const [name, value] of new URLSearchParams(more)) url.set(name, value);
    const { page, fields, action } = await filled(app, `/book?${url}${START}`);
    expect([totalIn(page.text), lineIn(page.text)]).toEqual(["$599", undefined]);
    if (url.has("jurisdiction")) fields.set("jurisdiction", "US-FL");
    expect(page.text).toContain("This price holds until Sat, Dec 5.");
    const { headers } = await send(app, action, fields);
    const code = /booked\/(\w+)/.exec(headers.get("location") ?? "")?.[1] ?? "";
    const { estimate, shade } = Object((await app.store.findBooking(code))?.answer);
    expect(estimate).toMatchObject({ total: 599, locked: true });
    expect(Object(shade).front_side ?? null).toBe(Number(url.get("front_shade")) || null);
  });

  test.each([
    [
      "with another film",
      "&film_type=standard",
      "$349",
      "Your quote of $599 is for other work. Today, this costs $349.",
    ],
    ["cut off", "&estimate_id=made-up", "$700", "The quote in this link could not be confirmed. Today: $700."],
  ])("%s has the price of today, and says why", async (_, more, total, line) => {
    const { app, link } = await raised();
    const url = new URLSearchParams(link.slice(link.indexOf("?")));
    for (const [name, value] of new URLSearchParams(more)) url.set(name, value);
    const { text } = await app.get(`/book?${url}`);
    expect([totalIn(text), lineIn(text)]).toEqual([total, line]);
  });

  test("after its last day has the price of today, and says when it ended; where that is no more, nothing", async () => {
    const { app, link } = await raised();
    app.advance({ hours: 24 * 20 });
    const { text } = await app.get(link);
    expect([totalIn(text), lineIn(text)]).toEqual(["$700", "Your quote of $599 ended on Dec 5. Today: $700."]);
    app.setCatalog(catalogWith({}));
    expect(lineIn((await app.get(link)).text)).toBeUndefined();
  });
});

test("a price raised under the page stays through other choices and back to the first", async () => {
  const app = testApp();
  const fields = fieldsOf((await app.get(CHOSEN.replace(START, ""))).text, '<form class="options" id="choose"');
  app.setCatalog(RAISED);
  fields.set("film_type", "standard");
  const other = (await app.get(`/book?${fields}`)).text;
  expect(totalIn(other)).toBe("$349");
  const back = fieldsOf(other, '<form class="options" id="choose"');
  back.set("film_type", "ceramic");
  const { text } = await app.get(`/book?${back}${START}`);
  expect(totalIn(text)).toBe("$599");
  expect(fieldsOf(text, BOOKING_FORM).get("estimate_id")).toBe(fieldsOf(text, BOOKING_FORM).get("priced"));
});

test("while no price was raised, another film on the page takes the place of the estimate without a word", async () => {
  const app = testApp();
  const fields = fieldsOf((await app.get(CHOSEN.replace(START, ""))).text, '<form class="options" id="choose"');
  const before = fields.get("estimate_id");
  fields.set("film_type", "standard");
  const { text } = await app.get(`/book?${fields}`);
  expect(lineIn(text)).toBeUndefined();
  expect(fieldsOf(text, '<form class="options" id="choose"').get("estimate_id")).not.toBe(before);
});

describe("the ballpark for glass", () => {
  const GLASS = "/book/glass?site_type=residential&primary_concern=heat&width=36&height=60&quantity=8";
  const DEARER = catalogWith({ "flat_glass.minimum_job_charge": 5000 });

  async function raised() {
    const app = testApp();
    const { text } = await app.get(GLASS);
    const link = (/href="(\/book\/glass\?[^"]+)" data-share/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&");
    app.setCatalog(DEARER);
    return { app, link, id: new URL(link, "http://localhost").searchParams.get("estimate_id") ?? "" };
  }

  test("of the link holds after prices rose, and goes with the request", async () => {
    const { app, link, id } = await raised();
    const { text } = await app.get(link);
    expect(lineIn(text)).toMatch(
      /^Your quote of \$[\d,]+(\.\d\d)? – \$[\d,]+(\.\d\d)? holds until Dec \d+, although prices rose\.$/,
    );
    expect(fieldsOf(text, BOOKING_FORM).getAll("estimate_id")).toEqual([id]);
    app.advance({ hours: 24 * 60 });
    expect(lineIn((await app.get(link)).text)).toMatch(/^Your quote of .* ended on .* Today: /);
  });

  test("of other windows, or cut off, is today's, and the page says so; not while the page itself goes on", async () => {
    const { app, link } = await raised();
    expect(lineIn((await app.get(link.replace("=60", "=72"))).text)).toMatch(/is for other work/);
    expect(lineIn((await app.get(`${link.replace("=60", "=72")}&own=1`)).text)).toBeUndefined();
    expect(lineIn((await app.get(`${GLASS}&estimate_id=made-up`)).text)).toMatch(/could not be confirmed/);
  });
});
