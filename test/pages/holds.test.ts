/** A time is held on the last step of the page, and booked on the page that the hold leads to, without a script. */
import { describe, expect, test } from "bun:test";
import { catalogWith, type TestApp, testApp } from "../helpers.ts";
import { actionOf, fieldsOf, filled, send } from "./form.ts";

/** The page of the time that is held for Pat. */
async function held(app: TestApp = testApp()) {
  const { fields, action } = await filled(app);
  fields.set("do", "book_hold");
  const sent = await send(app, action, fields);
  expect(sent.status).toBe(303);
  const page = await app.get(sent.headers.get("location") ?? "");
  const press = (start: string) => send(app, actionOf(page.text, start), fieldsOf(page.text, start));
  return { app, fields, action, page, press };
}
const CONFIRM = '<form class="sheet" method="post" action="/book/manage/confirm"';
const CANCEL = '<form method="post" action="/book/manage/cancel"';

describe("the page", () => {
  test("holds a time, says until when, and books it by the link alone", async () => {
    expect((await filled(testApp())).page.text).toContain(">Hold it for an hour<");
    const { app, page, press } = await held();
    expect(page.text).toContain("This time is held for you");
    expect(page.text).toContain("It is held until 11:00 AM today");
    expect(page.text).not.toContain('id="times"');
    app.advance({ minutes: 59 });
    const booked = await press(CONFIRM);
    expect(booked.status).toBe(303);
    const last = await app.get(booked.headers.get("location") ?? "");
    expect(last.text).toContain("You are booked");
  });

  test("cancels what is held; what is over is said, and cannot be booked any more", async () => {
    const { app, press } = await held();
    const cancelled = await press(CANCEL);
    expect((await app.get(cancelled.headers.get("location") ?? "")).text).toContain("Your booking is cancelled");

    const late = await held();
    late.app.advance({ minutes: 60 });
    const refused = await late.press(CONFIRM);
    expect([refused.status, refused.text.includes("No longer held")]).toEqual([409, true]);
  });

  test("leads a browser that comes back to the form to what it holds", async () => {
    const { app, fields, action } = await held();
    fields.set("do", "book");
    const again = await send(app, action, fields);
    expect([again.status, (await app.get(again.headers.get("location") ?? "")).text]).toEqual([
      303,
      expect.stringContaining("This time is held for you"),
    ]);
  });

  test.each([{ "bookings.hold_minutes": 0 }, { "bookings.self_service.enabled": false }])(
    "offers no hold where the shop has none, or changes bookings by phone: %p",
    async (edits) => {
      const { page } = await filled(testApp({ catalog: catalogWith(edits) }));
      expect(page.text).toContain('value="book"');
      expect(page.text).not.toContain("book_hold");
    },
  );
});
