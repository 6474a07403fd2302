/** Walks through the booking pages as a browser without scripts does: links, fields as they are, one button. */
import { expect, test } from "bun:test";
import { type Answer, appWith, manyCallers, type SendOptions, type TestApp, testApp } from "../helpers.ts";

/** The fields of a form as a browser would send them untouched. */
export function fieldsOf(text: string, start: string): URLSearchParams {
  const from = text.indexOf(start);
  if (from < 0) throw new Error(`no ${start}`);
  const form = text.slice(from, text.indexOf("</form>", from));
  const fields = new URLSearchParams();
  for (const [tag] of form.matchAll(/<(input|textarea)\b[^>]*>/g)) {
    const at = (name: string) => unescaped(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
    const isOff = /type="(radio|checkbox)"/.test(tag) && !/\schecked/.test(tag);
    const isElsewhere = /\sform="/.test(tag);
    if (!isOff && !isElsewhere && at("name")) fields.append(at("name"), tag.startsWith("<textarea") ? "" : at("value"));
  }
  return fields;
}

/** Where a form is sent. */
export function actionOf(text: string, start: string): string {
  const action = /action="([^"]*)"/.exec(text.slice(text.indexOf(start)))?.[1] ?? "";
  return unescaped(action).replace(/#.*/, "");
}

function unescaped(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** What a browser says of a form of the same site. */
export const OWN = { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" };

export function send(
  app: TestApp,
  path: string,
  fields: URLSearchParams,
  options: Omit<SendOptions, "body"> = {},
): Promise<Answer> {
  return app.post(path, fields.toString(), { ...options, headers: { ...OWN, ...options.headers } });
}

/** The booking that a form led to, as it is stored. */
export async function bookedBy({ headers }: Answer, { store }: TestApp) {
  const code = /booked\/(\w+)/.exec(headers.get("location") ?? "")?.[1] ?? "";
  return Object((await store.findBooking(code))?.answer);
}

export const CHOSEN = "/book?vehicle_type=suv&film_type=ceramic&front_shade=50&rear_shade=15&start=2026-11-24T09:00";
/** The form with the choices and, once a time is chosen, the details. */
export const BOOKING_FORM = '<form class="options" id="choose" method="post"';

/** The form with the details of Pat, and the button that books. */
export async function filled(app: TestApp = testApp(), path = CHOSEN) {
  const page = await app.get(path);
  const fields = fieldsOf(page.text, BOOKING_FORM);
  fields.set("customer_name", "Pat Example");
  fields.set("customer_phone", "(404) 555-0111");
  fields.set("customer_email", "pat@example.com");
  fields.set("do", "book");
  return { app, page, fields, action: actionOf(page.text, BOOKING_FORM) };
}

export const APP = manyCallers();

/** A page, what it says and what it does not, and the edits of its shop. */
export type Page = [path: string, says: (string | RegExp)[], unsaid?: (string | RegExp)[], edits?: object];

export function say(pages: readonly Page[]): void {
  test.each(pages)("%# %s says %p", async (path, says, unsaid = [], edits) => {
    const { status, text } = await (edits ? appWith({ ...edits }) : APP).get(path);
    expect(status).toBe(200);
    for (const one of says) expect(text).toMatch(one);
    for (const one of unsaid) expect(text).not.toMatch(one);
  });
}
