/** Managing a booking on its page: found with code and contact, moved, cancelled; and the calendar file. */

import { describe, expect, test } from "bun:test";
import { derive } from "../../src/catalog/shop.ts";
import { API, appWith, BOOKING, CATALOG, type TestApp, testApp } from "../helpers.ts";
import { APP, fieldsOf, filled, send } from "./form.ts";

const MANAGE = "/book/manage";

async function booked(app: TestApp = testApp()) {
  const { json } = await app.post(`${API}/bookings`, BOOKING);
  return { app, code: String(json.data.confirmation_code) };
}

function proof(code: string, contact = "(404) 555-0111"): URLSearchParams {
  return new URLSearchParams({ confirmation_code: code, contact });
}

/** The page that a form leads to, by default that which looks a booking up. */
async function found(app: TestApp, fields: URLSearchParams, rest = "") {
  const { status, headers } = await send(app, MANAGE + rest, fields);
  expect(status).toBe(303);
  return app.get(headers.get("location") ?? "");
}

describe("finding", () => {
  test("search engines may list the empty form, and nothing with a code or a pass", async () => {
    const app = testApp();
    const empty = await app.get(MANAGE);
    expect(empty.text).toMatch(/<meta name="description" content="Move or cancel your appointment at Marlow Ridge/);
    expect(empty.headers.get("x-robots-tag")).toBeNull();
    for (const query of ["code=ABCDEFGH", "pass=m.ABCDEFGH.1"])
      expect((await app.get(`${MANAGE}?${query}`)).headers.get("x-robots-tag")).toBe("noindex");
  });

  test.each(["(404) 555-0111", "PAT@example.com"])(
    "with %s: the whole booking, which nobody keeps",
    async (contact) => {
      const { app, code } = await booked();
      const { status, text, headers } = await found(app, proof(code.toLowerCase(), contact));
      expect(status).toBe(200);
      for (const said of ["Pat Example", "Tuesday, November 24, 9:00 AM", "Ceramic IR film, SUV", "$599", code])
        expect(text).toContain(said);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-robots-tag")).toBe("noindex");
    },
  );

  test("with a wrong contact: told beside the form, and what was typed stays", async () => {
    const { app, code } = await booked();
    const { status, text } = await send(app, MANAGE, proof(code, "nobody@example.com"));
    expect(status).toBe(404);
    expect(text).toContain("No booking was found");
    expect(text).toContain('value="nobody@example.com"');
    expect(text).not.toContain("Pat Example");
  });

  test("the address of the form can hold the code, as text", async () => {
    const { text } = await APP.get(`${MANAGE}?code=${encodeURIComponent('"><img src=x>')}`);
    expect(text).not.toContain("<img");
    expect(text).toContain('value="&quot;&gt;&lt;img');
  });

  test("a booking of an extra that was given up since can be moved all the same", async () => {
    const app = testApp();
    const { json } = await app.post(`${API}/bookings`, { ...BOOKING, addons: ["sunroof"] });
    const { sunroof: _, ...addons } = CATALOG.automotive.addons;
    app.setCatalog(derive({ ...CATALOG, automotive: { ...CATALOG.automotive, addons } }));
    const { status, text } = await found(app, proof(json.data.confirmation_code));
    expect([status, text.includes('name="start"')]).toEqual([200, true]);
  });
});

/** A token whose text is another one, with the signature of before. */
function rewritten(token: string, change: (text: string) => string): string {
  const changed = Buffer.from(change(Buffer.from(token, "base64url").toString("latin1")), "latin1").toString(
    "base64url",
  );
  expect(changed).not.toBe(token);
  return changed;
}

describe("the pass of the page", () => {
  test("holds nothing about the person, opens its own booking, and ends after half an hour", async () => {
    const { app, code } = await booked();
    const { headers } = await send(app, MANAGE, proof(code));
    const address = headers.get("location") ?? "";
    const { searchParams } = new URL(address, "http://localhost");
    const pass = Buffer.from(searchParams.get("pass") ?? "", "base64url").toString();
    expect(pass).toStartWith(`m.${code}.`);
    // Short words can be in a signature by chance.
    expect(address + pass).not.toMatch(/404555|example/i);
    expect((await app.get(address)).text).toContain("Pat Example");
    app.advance({ minutes: 31 });
    const late = await app.get(address);
    // So does a form of it, which keeps the time that was picked.
    const fields = new URLSearchParams({ pass: searchParams.get("pass") ?? "", start: "2026-11-25T10:00" });
    const moved = await send(app, `${MANAGE}/move`, fields);
    expect(moved.text).toContain(`action="${MANAGE}?start=2026-11-25T10:00"`);
    for (const { text } of [late, moved]) {
      for (const said of ["open too long", `value="${code}"`]) expect(text).toContain(said);
      expect(text).not.toMatch(/Pat Example|fill this in/);
    }
  });

  test.each([
    (pass: string) => pass.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    (pass: string) => rewritten(pass, (text) => text.replace(/^m\.\w{8}/, "m.ZZZZZZZZ")),
    (pass: string) => rewritten(pass, (text) => text.replace(/^(m\.\w{8})\.\w{8}/, "$1.zzzzzzzz")),
    () => "",
    () => "m..",
    () => '"><img src=x>',
  ])("changed or made up, it opens nothing and moves nothing", async (forge) => {
    const { app, code } = await booked();
    const { headers } = await send(app, MANAGE, proof(code));
    const pass = forge(new URL(headers.get("location") ?? "", "http://localhost").searchParams.get("pass") ?? "");
    const { text } = await app.get(`${MANAGE}?${new URLSearchParams({ pass })}`);
    expect([text.includes("Pat Example"), text.includes("<img")]).toEqual([false, false]);
    const { status } = await send(app, `${MANAGE}/cancel`, new URLSearchParams({ pass }));
    expect(status).toBe(400);
    expect((await app.get(`/book/booked/${code}`)).text).toContain("You are booked");
  });

  test("an estimate of the shop is no pass", async () => {
    const { app } = await booked();
    const { json } = await app.post(`${API}/estimates`, { vehicle_type: "suv" });
    expect((await app.get(`${MANAGE}?pass=${json.data.estimate_id}`)).text).not.toContain("Pat Example");
  });
});

describe("changing", () => {
  test("more often than the shop allows on one day: the page says the limit, and when there is room", async () => {
    const app = appWith({ "bookings.self_service.changes_per_day": 1 });
    const { code } = await booked(app);
    const move = { confirmation_code: code, phone: BOOKING.customer_phone, date: "2026-11-25", time: "10:00" };
    expect((await app.post(`${API}/bookings/reschedule`, move)).status).toBe(200);
    const form = new URLSearchParams({ ...Object.fromEntries(proof(code)), start: "2026-11-25T13:00" });
    const { status, text, headers } = await send(app, `${MANAGE}/move`, form);
    expect(status).toBe(429);
    expect(text).toContain("An appointment can be changed online 1 time a day.");
    expect(text).toContain("Please change it tomorrow");
    const names = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after"];
    expect(names.map((name) => headers.get(name))).toEqual(["1", "0", "50400", "50400"]);
  });

  test("to another time: the new one stands on the page that follows, and in the calendar file", async () => {
    const { app, code } = await booked();
    const page = await found(app, proof(code));
    expect(page.text).toContain('name="start" value="2026-11-25T10:00" aria-label="Wed, Nov 25, 10 AM"');
    const pass = fieldsOf(page.text, '<form class="part" id="times"').get("pass") ?? "";
    const picked = await app.get(`${MANAGE}?${new URLSearchParams({ pass, start: "2026-11-25T10:00" })}`);
    expect(picked.text).toContain(
      "<s>Tuesday, November 24, 9:00 AM</s></dd></div><div><dt>New</dt><dd>Wednesday, November 25, 10:00 AM",
    );
    expect(picked.text).toMatch(/<button class="act"[^>]*>Move to Wed, Nov 25, 10:00 AM</);
    expect(picked.text).not.toContain("<dt>Now");
    const fields = fieldsOf(picked.text, '<form class="sheet" id="confirm"');
    expect(fields.get("start")).toBe("2026-11-25T10:00");
    const moved = await found(app, fields, "/move");
    for (const said of [
      "Your booking is moved",
      "<s>Tuesday, November 24, 9:00 AM</s></dd></div><div><dt>Now</dt>",
      "Wednesday, November 25, 10:00 AM",
      "Ceramic IR film, SUV",
      "$599",
    ])
      expect([said, moved.text.includes(said)]).toEqual([said, true]);
    expect((await app.get(`/book/booked/${code}`)).text).toContain("Wednesday, November 25, 10:00 AM");
    const file = await app.get(`/book/booked/${code}/calendar.ics`);
    expect(file.headers.get("content-type")).toStartWith("text/calendar");
    expect(file.headers.get("content-disposition")).toContain(`appointment-${code}.ics`);
    expect(file.text).toContain("DTSTART:20261125T150000Z");
    expect(file.text).toContain("SEQUENCE:1");
    expect(file.text).not.toContain("Pat");
    const lines = file.text.replaceAll("\r\n ", "");
    for (const said of [
      "SUMMARY:Automotive window tinting (Ceramic IR film) at",
      "Price: $599. Your code is",
      `https://marlowridge.example/book/manage?code=${code}`,
      "TRIGGER:-P1D",
      "(404) 555-0142",
    ])
      expect([said, lines.includes(said)]).toEqual([said, true]);
  });

  test("the days near the booking come first", async () => {
    const app = testApp();
    const { json } = await app.post(`${API}/bookings`, { ...BOOKING, date: "2026-12-09" });
    const { text } = await found(app, proof(json.data.confirmation_code));
    expect(text).toContain('name="start" value="2026-12-10T09:00"');
  });

  test("to any day that the shop can be booked on", async () => {
    const { app, code } = await booked();
    const { text } = await found(app, proof(code));
    const turn = /name="month" value="([\d-]+)" formaction="\/book\/manage#times"/.exec(text)?.[1];
    expect(turn).toBe("2026-11-21");
    const pass = fieldsOf(text, '<form class="part" id="times"').get("pass") ?? "";
    const last = await app.get(`${MANAGE}?${new URLSearchParams({ pass, from: "2027-01-18" })}`);
    expect(last.text).toContain('name="start" value="2027-01-19T09:00"');
    const month = await app.get(`${MANAGE}?${new URLSearchParams({ pass, month: "2026-12-19" })}`);
    expect(month.text).toContain('name="from" value="2027-01-12" formaction="/book/manage#times"');
  });

  test.each(["2026-11-26T09:00", "2026-11-25T03:00", "2020-01-01T09:00", "2026-11-25T10:07"])(
    "a time that is not free is not chosen: %s",
    async (start) => {
      const { app, code } = await booked();
      const { text } = await found(app, proof(code), `?start=${start}`);
      expect([text.includes("is not free for this work"), text.includes('id="confirm"')]).toEqual([true, false]);
    },
  );

  test("to a time that was taken meanwhile: the nearest are offered, each a button", async () => {
    const { app, code } = await booked(appWith({ "scheduling.bays": 1 }));
    const body = { ...BOOKING, date: "2026-11-25", customer_phone: "+14045550112", customer_email: "q@example.com" };
    await app.post(`${API}/bookings`, body);
    const fields = proof(code);
    fields.set("start", "2026-11-25T09:00");
    const { status, text } = await send(app, `${MANAGE}/move`, fields);
    expect(status).toBe(409);
    expect(text).toContain("This time is no longer free");
    const offered =
      /<form class="pills" method="post" action="\/book\/manage\/move">.*?<\/form>/s.exec(text)?.[0] ?? "";
    expect([...offered.matchAll(/name="start" value="/g)]).toHaveLength(3);
  });

  test("cancelled: it says so, and so does a second time", async () => {
    const { app, code } = await booked();
    const fields = proof(code);
    fields.set("reason", "Sold the car");
    for (const _ of [1, 2]) {
      const { text } = await found(app, fields, "/cancel");
      expect(text).toContain("<title>Your booking is cancelled · ");
      expect(text).toContain("<h1>Your booking is cancelled</h1>");
      expect(text).toContain('<a class="button" href="/book" data-anew>Book another time</a>');
    }
    expect((await app.get(`/book/booked/${code}`)).text).toContain("This appointment is cancelled");
  });

  test("too late: the phone number instead of a form", async () => {
    const { app, code } = await booked();
    app.advance({ hours: 60 });
    const { status, text } = await send(app, `${MANAGE}/cancel`, proof(code));
    expect(status).toBe(409);
    expect(text).toContain("can no longer be changed online");
    expect(text).not.toContain(`action="${MANAGE}/cancel"`);
    expect(text).not.toContain("Book another time");
  });

  test("from another website nothing is changed", async () => {
    const { app, code } = await booked();
    const headers = { "Sec-Fetch-Site": "cross-site" };
    expect((await send(app, `${MANAGE}/cancel`, proof(code), { headers })).status).toBe(403);
    expect((await app.get(`/book/booked/${code}`)).text).toContain("You are booked");
  });
});

test("what was booked here keeps its work and price on the page after a move", async () => {
  const { app, fields, action } = await filled();
  const booked = await send(app, action, fields);
  const [, code = ""] = /booked\/(\w{8})\?estimate=/.exec(booked.headers.get("location") ?? "") ?? [];
  const moving = proof(code);
  moving.set("start", "2026-11-25T10:00");
  const { text } = await found(app, moving, "/move");
  for (const said of ["Wednesday, November 25, 10:00 AM", "Ceramic IR film, SUV", "$599"]) expect(text).toContain(said);
});

test.each(["/book/nope", "/book/nope/at-all", "/book/booked"])("%s is no page, in words", async (path) => {
  const { status, text, headers } = await APP.get(path);
  expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(text).toContain("<h1>There is no such page</h1>");
});

test.each(["move", "cancel"])("the address of %s, opened again, leads to the form", async (form) => {
  const { status, headers } = await APP.get(`${MANAGE}/${form}`);
  expect([status, headers.get("location")]).toEqual([303, MANAGE]);
});

test.each(["/book/booked/ZZZZZZZZ", "/book/booked/ZZZZZZZZ/calendar.ics"])(
  "%s is a page that says so",
  async (path) => {
    const { status, text, headers } = await APP.get(path);
    expect(status).toBe(404);
    expect(text).toContain("No booking was found");
    expect(headers.get("content-type")).toStartWith("text/html");
  },
);

test("an estimate in the address is shown only when it is the booking's own", async () => {
  const app = testApp();
  const estimateOf = async (film_type: string): Promise<string> =>
    (await app.post(`${API}/estimates`, { vehicle_type: "suv", film_type })).json.data.estimate_id;
  const [own, other] = [await estimateOf("ceramic"), await estimateOf("standard")];
  const { vehicle_type: _, film_type: __, ...person } = BOOKING;
  const { confirmation_code, customer_phone } = {
    ...person,
    ...(await app.post(`${API}/bookings`, { ...person, estimate_id: own })).json.data,
  };
  const shown = async (token: string) => (await app.get(`/book/booked/${confirmation_code}?estimate=${token}`)).text;
  expect(await shown(own)).toContain("$599");
  for (const token of [other, rewritten(own, (text) => text.replace("ceramic", "dyedish")), `${own}0`, ""]) {
    const text = await shown(token);
    expect(text).toContain("You are booked");
    expect(text).not.toContain("<dt>Price</dt>");
  }
  const change = async (fields: object) => {
    const proof = { confirmation_code, phone: customer_phone };
    expect((await app.post(`${API}/bookings/reschedule`, { ...proof, ...fields })).status).toBe(200);
    return shown(own);
  };
  // Another shade keeps the price, other work has another one.
  expect(await change({ shade: { front_side: 50, rear: 20 } })).toContain("front 50%, rear 20%");
  expect(await change({ film_type: "standard" })).not.toContain("<dt>Price</dt>");
});

test("each form is a tool for an assistant in the browser, which the person sends", async () => {
  const { app, code } = await booked();
  const pages = [
    await app.get("/book?vehicle_type=suv"),
    await app.get("/book/glass"),
    await app.get(MANAGE),
    await found(app, proof(code), "?start=2026-11-25T10:00"),
  ];
  const names = pages.flatMap(({ text }) => [
    ...text.matchAll(/<form[^>]* toolname="(\w+)" tooldescription="[^"]{20,}"/g),
  ]);
  expect(names.map(([, name]) => name)).toEqual([
    ...["book_appointment", "request_quote", "find_booking", "reschedule_booking", "cancel_booking"],
  ]);
  for (const { text } of pages) expect(text).not.toContain("toolautosubmit");
  expect(pages[2]?.text).toContain('toolparamdescription="Code, 8 letters and digits, from your confirmation"');
});
