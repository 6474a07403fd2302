/** The page of a quote or receipt, which its signed link alone opens. */
import { expect, test } from "bun:test";
import { createSigningSecret } from "../../src/capabilities/core/signing-secret.ts";
import { type PaperKind, paperUrl } from "../../src/capabilities/desk/paper.ts";
import { API, BOOKING, CATALOG, NOW, QUOTE, testApp } from "../helpers.ts";

/** An application with a booking and a lead, and the paths of their paper. */
async function shop() {
  const app = testApp();
  const { confirmation_code: code } = (await app.post(`${API}/bookings`, BOOKING)).json.data;
  const { reference } = (await app.post(`${API}/quote-request`, QUOTE)).json.data;
  const ctx = { store: app.store, signing: createSigningSecret(app.store), catalog: CATALOG, now: NOW };
  const pathOf = async (kind: PaperKind, name: string) => new URL((await paperUrl(kind, name, ctx)) ?? "").pathname;
  return { app, code, reference, pathOf };
}

test("a link opens its page, which nobody keeps, lists or scripts", async () => {
  const { app, code, reference, pathOf } = await shop();
  await app.store.addPayments(
    (await app.store.findBooking(code))?.lead.id ?? "",
    [{ amount: 10_000, by: "cash", kind: "deposit", paidAt: NOW.epochMilliseconds, note: "haggles", takenBy: "me" }],
    NOW.epochMilliseconds,
  );
  const { status, text, headers } = await app.get(await pathOf("receipt", code));
  expect(status).toBe(200);
  for (const said of [
    "<h1>Receipt</h1>",
    "Pat Example",
    "Ceramic IR film",
    "$599.00",
    "Deposit, Sat Nov 21",
    "$499.00",
  ])
    expect(text).toContain(said);
  expect(text).not.toMatch(/haggles|<script|https?:|555-0111/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-robots-tag")).toBe("noindex");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect((await app.get(await pathOf("quote", code))).text).toContain("<h1>Quote</h1>");
  expect((await app.get(await pathOf("quote", reference))).text).toContain(reference);
});

test("a link that is broken, made up, of another shop, or of somebody erased is a page that is not there", async () => {
  const { app, code, pathOf } = await shop();
  const path = await pathOf("receipt", code);
  const other = await (await shop()).pathOf("receipt", code);
  const flipped = path.slice(0, -1) + (path.endsWith("A") ? "B" : "A");
  const bare = `/book/receipt/${Buffer.from(`p.r.${code}`).toString("base64url")}`;
  for (const wrong of [
    path.slice(0, -4),
    flipped,
    other,
    bare,
    `/book/receipt/${code}`,
    "/book/receipt",
    `${path}/x`,
  ]) {
    const { status, text } = await app.get(wrong, { headers: { accept: "text/html" } });
    expect([wrong, status]).toEqual([wrong, 404]);
    expect(text).not.toContain("Pat Example");
  }
  await app.store.rotateLockSecret("x".repeat(43), NOW.epochMilliseconds);
  expect((await app.get(path)).status).toBe(404);
});
