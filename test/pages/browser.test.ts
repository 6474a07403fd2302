/** The booking pages in a browser: accessible, usable in every way, light, and at home in another site. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, FrameLocator, Page, Response } from "playwright-core";
import { axeIssues, BY_LOOK, openBrowser, visit, visitAgain } from "../agents/browser.ts";
import { type Listening, listen } from "../agents/listen.ts";
import { API, BOOKING, freshPhone } from "../helpers.ts";
import { CHOSEN } from "./form.ts";

/** The button that books, not the one that holds the time. */
const BOOK = ".details .act:not([value=book_hold])";

setDefaultTimeout(60_000);

const ROOMY = {
  "rate_limits.anonymous_per_minute": 10_000,
  "rate_limits.pages_per_minute": 10_000,
  "rate_limits.bookings_per_10_minutes": 1000,
  "rate_limits.bookings_per_phone_per_day": 1000,
  "bookings.open_per_customer": 1000,
  "scheduling.bays": 20,
};
const GLASS = "/book/glass?site_type=residential&width=36&height=60&quantity=8&width=24&height=48&quantity=4";

const LOOKS = [
  [390, "dark", "none"],
  [1440, "light", "active"],
  [1440, "light", "none"],
] as const;

let browser: Browser;
/** For visits without wishes about the browser. */
let plain: Page;
let server: Listening;
beforeAll(async () => {
  browser = await openBrowser();
  plain = await browser.newPage();
  server = listen({ edits: ROOMY });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const at = (path: string) => server.url + path;

/** A booking made over the API, and its code. */
async function bookedCode(): Promise<string> {
  const body = JSON.stringify({ ...BOOKING, customer_phone: freshPhone() });
  const response = await fetch(at(`${API}/bookings`), { method: "POST", body });
  return /"confirmation_code":"(\w+)"/.exec(await response.text())?.[1] ?? "";
}

const bookings = async () => (await server.store.bookings({ from: "2026-11-01", to: "2027-01-31" }, 1000)).length;

/** A time on a day of those that are shown. */
async function pickTime(page: Page | FrameLocator, day: string, time: string): Promise<void> {
  await page.locator(".day", { hasText: day.replace(", ", "") }).click();
  await page.getByRole("button", { name: `${day}, ${time}` }).click();
}

async function fillIn(page: Page, phone = freshPhone()): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill("Pat Example");
  await page.getByLabel("Phone", { exact: true }).fill(phone);
  await page.getByLabel("E-mail", { exact: true }).fill("pat@example.com");
}

describe("for everybody", () => {
  test("axe finds no fault, narrow and wide, light, dark and in forced colors; nothing is wider than the screen", async () => {
    const code = await bookedCode();
    // The pages' policy would block axe as well.
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, bypassCSP: true });
    const small = ["/book/manage", `/book/booked/${code}`, "/book/terms"];
    for (const path of ["/book", CHOSEN, GLASS, ...small]) {
      await page.goto(at(path));
      for (const width of [320, 390, 768, 1440]) {
        await page.setViewportSize({ width, height: 844 });
        expect([path, width, await page.evaluate("document.documentElement.scrollWidth - innerWidth")]).toEqual([
          path,
          width,
          0,
        ]);
      }
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      // The pages with everything on them in every size and scheme, the small ones in two.
      const looks = [CHOSEN, GLASS].includes(path) ? LOOKS : LOOKS.slice(0, 2);
      for (const [i, [width, colorScheme, forcedColors]] of looks.entries()) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme, forcedColors });
        // In the later looks only colors and widths differ; a wide page with everything on it has other parts.
        const found = await axeIssues(page, i === 0 || (i === 1 && path === CHOSEN) ? undefined : BY_LOOK);
        const look = [path, width, colorScheme, forcedColors];
        expect([...look, found]).toEqual([...look, []]);
      }
    }
    await page.close();
  });

  test("with text of twice the size on a phone, nothing is wider than the screen, and each fact keeps a readable column", async () => {
    await using phone = await browser.newContext({ viewport: { width: 320, height: 844 } });
    const page = await phone.newPage();
    await page.goto(at(CHOSEN.replace("11-24", "12-21")));
    await fillIn(page);
    await page.locator(BOOK).click();
    await page.getByRole("heading", { name: "You are booked" }).waitFor();
    const booked = page.url().replace(server.url, "");
    await page.goto(at("/book/manage"));
    await page.getByLabel("Code").fill(/booked\/(\w+)/.exec(booked)?.[1] ?? "");
    await page.getByLabel("Phone or e-mail").fill("pat@example.com");
    await page.getByRole("button", { name: "Find my booking" }).click();
    await page.getByRole("heading", { name: "Move it to" }).waitFor();
    const managed = page.url().replace(server.url, "");
    const sent = "/book/glass/sent?reference=Q-ABC123&by=2026-11-24T10:00&site_type=residential&width=36&height=60";
    const month = "/book?vehicle_type=suv&month=2026-11-21";
    const small = ["/book/manage", "/book/terms", "/book/privacy", "/book/nothing"];
    for (const path of ["/book", CHOSEN, month, GLASS, ...small, booked, managed, sent]) {
      await page.goto(at(path));
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      const seen = await page.evaluate(`[
        document.documentElement.scrollWidth - innerWidth,
        [...document.querySelectorAll('header.top *')].filter((one) => one.getBoundingClientRect().right > innerWidth).length,
        [...document.querySelectorAll('dd')].filter((one) => one.clientWidth < 150).length,
      ]`);
      expect([path, seen]).toEqual([path, [0, 0, 0]]);
    }
  });

  test("a screen reader is told what each part is", async () => {
    const { page } = await visitAgain(plain, at(CHOSEN));
    await page.evaluate("for (const part of document.querySelectorAll('details.part')) part.open = true");
    for (const name of ["Your vehicle", "Windows", "Film", "Darkness", "Extras", "Time"]) {
      const group = page.getByRole("group", { name, exact: true });
      expect(await page.locator("fieldset").and(group).count()).toBe(1);
    }
    const tree = await page.locator("main").ariaSnapshot();
    expect(tree).toContain('img "SUV from the side: front windows at 50%, rear windows at 15%"');
    expect(tree).toContain('radio "50% light legal in Georgia" [checked]');
    expect(tree).toContain('button "Tue, Nov 24, 9 AM" [pressed]');
  });
});

describe("a person books", () => {
  test("with a few clicks; a double click, a reload, and back and sent again as it was book once", async () => {
    const before = await bookings();
    const { page, violations } = await visitAgain(plain, at("/book"));
    await page.getByText("SUV", { exact: true }).click();
    await page.getByText("Ceramic IR film", { exact: true }).click();
    await page.locator(".total", { hasText: "$599" }).waitFor();
    await page.locator("label:has(#front_shade-50)").click();
    await page.getByText("Legal in Georgia on the front side windows.").first().waitFor();
    expect(await page.locator('[data-glass="front_side"]').getAttribute("data-glass")).toBe("front_side");
    await pickTime(page, "Wed, Nov 25", "9 AM");
    await fillIn(page);
    await page.locator(BOOK).dblclick();
    await page.getByRole("heading", { name: "You are booked" }).waitFor();
    const booked = page.url();
    expect(booked).not.toContain("Pat");
    await page.reload();
    await page.goBack();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Pat Example");
    await page.locator(BOOK).click();
    await page.getByRole("heading", { name: "You are booked" }).waitFor();
    expect([page.url(), violations]).toEqual([booked, []]);
    expect(await bookings()).toBe(before + 1);
  });

  test("a refused form comes back at its first fault", async () => {
    const { page } = await visitAgain(plain, at(CHOSEN));
    await fillIn(page);
    await page.getByLabel("Phone", { exact: true }).fill("555");
    await page.locator(BOOK).click();
    await page.getByText("This must be a phone number with area code").waitFor();
    await page.waitForLoadState("load");
    await page.waitForFunction("document.activeElement.id === 'customer_phone'", null, { timeout: 5_000 });
  });

  test("without scripts, with buttons", async () => {
    const options = { javaScriptEnabled: false, viewport: { width: 390, height: 844 } };
    const { page } = await visit(browser, at("/book"), options);
    await page.getByText("Van", { exact: true }).click();
    await page.getByRole("button", { name: "Show price and times" }).click();
    await page.getByText("Ceramic IR film", { exact: true }).click();
    await page.locator("#film").getByRole("button", { name: "Update the price" }).click();
    expect(await page.locator(".total").textContent()).toBe("$649");
    await page.getByRole("button", { name: "Mon, Nov 23, 10 AM" }).click();
    await fillIn(page);
    await page.getByRole("button", { name: "Book Mon, Nov 23, 10:00 AM for $649" }).click();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("You are booked");
    await page.close();
  });

  test("with the keyboard alone, in at most 20 stops", async () => {
    const { page } = await visitAgain(plain, at("/book"));
    const focused = () =>
      page.evaluate("document.activeElement.id || document.activeElement.getAttribute('aria-label')");
    let stops = 0;
    const tabTo = async (target: string) => {
      for (let i = 0; i < 20 && (await focused()) !== target; i++) {
        await page.keyboard.press("Tab");
        stops += 1;
      }
      expect(await focused()).toBe(target);
    };
    await page.keyboard.press("Tab");
    stops += 1;
    await page.keyboard.press("Enter");
    await tabTo("vehicle_type-sedan");
    await page.keyboard.press("Space");
    await page.locator(".total", { hasText: "$289" }).waitFor();
    expect(await focused()).toBe("vehicle_type-sedan");
    await tabTo("film_type-standard");
    await page.keyboard.press("ArrowRight");
    await page.locator(".total", { hasText: "$499" }).waitFor();
    expect(await focused()).toBe("film_type-ceramic");
    await tabTo("day-2026-11-21");
    for (const _ of ["Sun", "Mon"]) await page.keyboard.press("ArrowRight");
    await tabTo("Mon, Nov 23, 9 AM");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe("Mon, Nov 23, 1 PM");
    await page.keyboard.press("Enter");
    await page.locator("#customer_name").waitFor();
    expect(await focused()).toBe("details-title");
    for (const [field, text] of [
      ["customer_name", "Kim Example"],
      ["customer_phone", freshPhone()],
      ["customer_email", "kim@example.com"],
    ] as const) {
      await tabTo(field);
      await page.keyboard.type(text);
    }
    // Enter in a field presses the button that books, not the first of the form.
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "You are booked" }).waitFor();
    // Who goes on to the button passes the note.
    expect(stops + 2).toBeLessThanOrEqual(20);
  });

  test("a button pressed with the keyboard keeps the place, also where it is gone afterwards", async () => {
    const { page } = await visitAgain(plain, at("/book?vehicle_type=suv&film_type=ceramic&front_shade=5&rear_shade=5"));
    const focused = () => page.evaluate("document.activeElement.id");
    await page.locator(".verdict button").press("Enter");
    await page.locator(".verdict.good").waitFor();
    expect(await focused()).toBe("darkness-title");
    await page.goto(at("/book/glass"));
    for (const [id, rows] of [
      ["rows", 2],
      ["preset-1", 2],
      ["rows", 3],
    ] as const) {
      await page.locator(`#${id}`).press("Enter");
      await page.locator(".configurator:not([data-waiting])").waitFor();
      expect([await focused(), await page.locator(".window").count()]).toEqual([id, rows]);
    }
  });

  test("what was typed stays while choices change", async () => {
    const { page } = await visitAgain(plain, at(CHOSEN));
    await fillIn(page);
    await page.locator("#film summary").click();
    await page.getByText("Standard film", { exact: true }).click();
    await page.locator(".total", { hasText: "$349" }).waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Pat Example");
    expect(await page.locator(BOOK).textContent()).toContain("$349");
  });
});

test("on a phone the first screen asks for the vehicle; then car, price and law stay in sight", async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(at("/book"));
  const van = await page.getByText("Van", { exact: true }).boundingBox();
  expect((van?.y ?? 844) + (van?.height ?? 0)).toBeLessThan(844);
  // One row each.
  for (const [part, height] of [
    ["header", 60],
    ["h1", 40],
    [".intro p", 30],
  ] as const)
    expect([part, Number((await page.locator(part).first().boundingBox())?.height) < height]).toEqual([part, true]);
  expect((await page.locator(".picture").boundingBox())?.width).toBe(390);
  for (const told of ["from $249", "Pay at the shop", "Directions"])
    expect(await page.getByText(told).first().isVisible()).toBe(true);
  // Of several kinds of work, the one that is shown is named in sight.
  await page.goto(at("/book?service_type=clearplex"));
  const kind = await page.getByText("Clear windshield protective film").first().boundingBox();
  expect(Number(kind?.x) + Number(kind?.width)).toBeLessThanOrEqual(390);
  await page.goto(at("/book?vehicle_type=suv&film_type=ceramic"));
  await page.locator("label:has(#front_shade-32)").click();
  const said = page.locator("#darkness .verdict");
  await said.filter({ hasText: "Not legal in Georgia on the front side windows" }).waitFor();
  await page.evaluate("scrollTo(0, 400)");
  const strip = await page.locator(".strip").boundingBox();
  expect(strip?.y).toBe(0);
  expect(strip?.height).toBeLessThanOrEqual(71);
  await page.getByRole("button", { name: "Use 50%" }).click();
  await said.filter({ hasText: /^Legal in Georgia/ }).waitFor();
  expect(await page.locator("#front_shade-50").isChecked()).toBe(true);
  // What is focused is never under the strip or the bar at the foot.
  await page.evaluate("scrollTo(0, 0); document.activeElement.blur()");
  const covered = `(() => {
    const { activeElement: one, body } = document;
    if (one === body) return false;
    const box = (one.closest("label") ?? one).getBoundingClientRect();
    const bars = [...document.querySelectorAll(".strip, .bar")].filter((bar) => !bar.contains(one)).map((bar) => bar.getBoundingClientRect());
    return bars.some(({ top, bottom }) => box.top < bottom - 1 && box.bottom > top + 1) && (one.id || one.textContent);
  })()`;
  const under: unknown[] = [];
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press("Tab");
    under.push(await page.evaluate(covered));
  }
  expect(under.filter((one) => one !== false)).toEqual([]);
  // With everything chosen the page is short.
  await page.goto(at(`${CHOSEN}&addons=windshield_strip&remove_old_film=true`));
  expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(3000);
  expect(await page.locator("details.part[open]").count()).toBe(0);
  await page.close();
});

test("the glass of the first screen follows the slider; a suggestion is taken at once; large text breaks no header", async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(at("/book"));
  const dark = () => page.locator('[data-glass="front_side"]').getAttribute("fill-opacity").then(Number);
  await page.locator("#look").fill("5");
  expect(await dark()).toBeGreaterThan(0.85);
  await page.locator("#look").fill("50");
  expect(await dark()).toBeLessThan(0.6);
  await page.evaluate("document.documentElement.style.fontSize = '32px'");
  expect((await page.locator(".shop").boundingBox())?.height).toBeLessThan(140);
  await page.locator("#car").fill("Honda Pilot");
  await page.locator("#car").dispatchEvent("input", { inputType: "insertReplacementText" });
  await page.locator("#price").waitFor();
  await page.close();
});

test("on the desk car and price stay in sight while everything below is chosen", async () => {
  await plain.setViewportSize({ width: 1280, height: 720 });
  await visitAgain(plain, at("/book?vehicle_type=suv&film_type=ceramic"));
  await plain.locator("#times").scrollIntoViewIfNeeded();
  await plain.evaluate("scrollTo(0, 700)");
  const [picture, total] = [await plain.locator(".picture").boundingBox(), await plain.locator(".total").boundingBox()];
  expect([Number(picture?.y) >= 0, Number(total?.y) < 720]).toEqual([true, true]);
});

test("with the system's own colors, what is chosen has an edge", async () => {
  await plain.emulateMedia({ forcedColors: "active" });
  await visitAgain(plain, at(`${CHOSEN}&addons=windshield_strip`));
  await plain.evaluate("for (const part of document.querySelectorAll('details.part')) part.open = true");
  const edges = await plain.evaluate(`[".pill", ".film", ".swatch", ".extra", ".day"].map((kind) => {
    const edge = (chosen) => {
      const one = document.querySelector(kind + (chosen ? ":has(:checked)" : ":not(:has(:checked))"));
      return getComputedStyle(one.querySelector(".pill-text") ?? one).outlineStyle;
    };
    return [kind, edge(true), edge(false)];
  })`);
  expect(edges).toEqual([".pill", ".film", ".swatch", ".extra", ".day"].map((kind) => [kind, "solid", "none"]));
  await plain.emulateMedia({ forcedColors: "none" });
});

test("long names, warranties and prices fit, on the smallest phone too", async () => {
  const long = "Unzerbrechlichkeitsgarantieerklärung";
  server.setCatalog({
    tax: { status: "added", rate_pct: 8.875, label: "Sales tax" },
    "automotive.films.ceramic.name": `${long} with a name that goes on and on`,
    "automotive.films.ceramic.warranty": `${long}, limited to the lifetime of the first owner`,
    "automotive.addons.sunroof.name": long,
    "automotive.vehicle_types.suv.ceramic.full": 123456.75,
    "business.name": `${long} and Sons`,
  });
  await plain.setViewportSize({ width: 320, height: 700 });
  const storefront = "/book/glass?site_type=commercial&width=360&height=180&quantity=40&floors=3";
  for (const path of ["/book?vehicle_type=suv&film_type=ceramic", CHOSEN, storefront]) {
    await visitAgain(plain, at(path));
    await plain.evaluate("for (const part of document.querySelectorAll('details.part')) part.open = true");
    const wide = await plain.evaluate(
      "[...document.querySelectorAll('body, body *:not(svg *, .hidden, .configurator)')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')).map((one) => one.className || one.localName)",
    );
    expect([path, wide]).toEqual([path, []]);
  }
  for (const path of ["/book?vehicle_type=suv&film_type=ceramic", storefront]) {
    await plain.goto(at(path));
    await plain.evaluate("document.documentElement.style.fontSize = '200%'");
    expect(await plain.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  }
  // The amounts of a storefront have six digits, and each stays in one line.
  const lines = await plain.evaluate(`[...document.querySelectorAll(".total, .price")].flatMap((one) => {
    const words = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const found = [];
    while (words.nextNode())
      for (const { index, 0: amount } of words.currentNode.data.matchAll(/\\$\\S+/g)) {
        range.setStart(words.currentNode, index);
        range.setEnd(words.currentNode, index + amount.length);
        found.push([amount.length, range.getClientRects().length]);
      }
    return found;
  })`);
  expect(lines).toEqual(Array(4).fill(["$337,500".length, 1]));
  await plain.goto(at(CHOSEN));
  await fillIn(plain);
  await plain.getByLabel("E-mail", { exact: true }).fill(`${"w".repeat(60)}@gmial.com`);
  await plain.locator(BOOK).click();
  await plain.getByText("Did you mean").waitFor();
  expect(await plain.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  server.setCatalog({});
  await plain.setViewportSize({ width: 1280, height: 720 });
});

describe("a slow line, a used-up limit, a moment offline", () => {
  const CHOICES = /\/book\?/;

  test("book pressed while a choice is on its way waits for its price", async () => {
    const before = await bookings();
    const { page } = await visitAgain(plain, at(CHOSEN.replace("11-24", "12-08")));
    await fillIn(page);
    await page.locator("#film summary").click();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(CHOICES, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByText("Standard film", { exact: true }).click();
    // Pressed at once; the price alone is unsure.
    expect(await page.locator("#film_type-standard").isChecked()).toBe(true);
    await page.locator(".configurator[data-waiting]").waitFor();
    expect(await page.evaluate("getComputedStyle(document.querySelector('.total')).opacity")).toBe("0.4");
    expect(await page.evaluate("getComputedStyle(document.querySelector('.films')).opacity")).toBe("1");
    await page.locator(BOOK).click();
    await page.getByText("One moment, the price is being worked out.").waitFor();
    expect(await bookings()).toBe(before);
    answer();
    await page.locator(BOOK, { hasText: "for $349" }).click();
    await page.getByRole("heading", { name: "You are booked" }).waitFor();
    expect(await page.locator(".ticket").textContent()).toContain("Standard film");
    await page.unroute(CHOICES);
  });

  test.each(["late", "never"])("choices count where the script comes %s", async (when) => {
    const page = await browser.newPage();
    const asked = Promise.withResolvers<void>();
    await page.route("**/book.js*", async (route) => {
      await asked.promise;
      await (when === "late" ? route.continue() : route.abort());
    });
    await page.goto(at("/book?vehicle_type=suv&film_type=ceramic"), { waitUntil: "commit" });
    await page.getByText("Standard film", { exact: true }).click();
    asked.resolve();
    if (when === "never") await page.locator("#film").getByRole("button", { name: "Update the price" }).click();
    await page.locator(".total", { hasText: "$349" }).waitFor();
    await page.close();
  });

  test("56 quick choices make few requests, and the last one counts", async () => {
    const { page } = await visitAgain(plain, at("/book?vehicle_type=suv&film_type=ceramic"));
    let asked = 0;
    page.on("request", (request) => {
      asked += CHOICES.test(request.url()) ? 1 : 0;
    });
    await page.locator("#front_shade-5").focus();
    for (let i = 0; i < 56; i++) await page.keyboard.press("ArrowRight");
    await page.locator(".configurator:not([data-waiting])").waitFor();
    expect(asked).toBeLessThan(20);
    const chosen = await page.locator(".swatch :checked").first().getAttribute("id");
    expect(page.url()).toContain(String(chosen).replace("-", "=").replace(/=$/, ""));
  });

  test.each([
    ["offline", "You seem to be offline"],
    ["over its limit", "That was very fast"],
    ["an error", "could not be worked out just now"],
  ])("%s, the page stays with all that was typed, says so, and goes on by itself", async (how, said) => {
    const { page } = await visitAgain(plain, at(CHOSEN.replace("11-24", "12-09")));
    await fillIn(page);
    await page.locator("#film summary").click();
    await page.route(CHOICES, (route) =>
      how === "offline"
        ? route.abort()
        : route.fulfill({ status: how === "an error" ? 503 : 429, headers: { "Retry-After": "1" }, body: "" }),
    );
    await page.getByText("Standard film", { exact: true }).click();
    await page.getByText(said).waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Pat Example");
    expect(await page.locator("#film_type-standard").isChecked()).toBe(true);
    await page.unroute(CHOICES);
    if (how === "offline") await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(BOOK, { hasText: "for $349" }).waitFor();
    expect(await page.getByText(said).isVisible()).toBe(false);
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Pat Example");
  });

  test("a booking that cannot be sent keeps the form; sent again, it is booked once", async () => {
    const before = await bookings();
    const { page } = await visitAgain(plain, at(CHOSEN.replace("11-24", "12-10")));
    await fillIn(page);
    let tries = 0;
    // The first answer is lost after the shop has booked.
    await page.route(/\/book$/, async (route) => {
      tries += 1;
      if (tries > 1) return route.continue();
      await route.fetch({ maxRedirects: 0 });
      return route.abort();
    });
    await page.locator(BOOK).click();
    await page.getByText("This could not be sent. Everything you typed is kept").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Pat Example");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "You are booked" }).waitFor();
    expect([tries, await bookings()]).toEqual([2, before + 1]);
    await page.unroute(/\/book$/);
  });

  test("the page for buildings says so, too, and its price comes by itself", async () => {
    const { page } = await visitAgain(plain, at("/book/glass?site_type=residential&width=36&height=60"));
    await page.context().setOffline(true);
    await page.getByLabel("How many").fill("8");
    await page.keyboard.press("Tab");
    await page.getByText("You seem to be offline").waitFor();
    await page.context().setOffline(false);
    await page.locator(".total", { hasText: "about $2,040" }).waitFor();
    expect(await page.locator("#trouble").isVisible()).toBe(false);
  });
});

test("back, another time, and book: the page asks before it books a second one, whatever the phone", async () => {
  const before = await bookings();
  await plain.setViewportSize({ width: 390, height: 700 });
  const { page } = await visitAgain(plain, at(CHOSEN.replace("11-24", "12-14")));
  await fillIn(page);
  await page.locator(BOOK).click();
  await page.getByRole("heading", { name: "You are booked" }).waitFor();
  await page.goBack();
  await page.locator("#times summary").click();
  await pickTime(page, "Wed, Dec 16", "1 PM");
  await page.waitForURL(/13%3A00/);
  await fillIn(page);
  await page.locator(BOOK).click();
  const problem = page.getByText("You already have Mon, Dec 14, 9:00 AM.");
  await problem.waitFor();
  const { y = -1 } = (await problem.boundingBox()) ?? {};
  expect([y > 70, y < 700]).toEqual([true, true]);
  await plain.setViewportSize({ width: 1280, height: 720 });
  expect(await page.getByRole("link", { name: "Move it" }).getAttribute("href")).toContain("start=2026-12-16T13:00");
  expect(await bookings()).toBe(before + 1);
  await page.locator(BOOK).click();
  await page.getByRole("heading", { name: "You are booked" }).waitFor();
  expect(await bookings()).toBe(before + 2);
});

test("a size that was pasted whole becomes width and height, also while the cursor is in the next field", async () => {
  const { page } = await visitAgain(plain, at("/book/glass?site_type=residential"));
  await page.getByLabel("Width").fill("4 ft x 6 ft");
  await page.keyboard.press("Tab");
  await page.locator(".total", { hasText: "about $408" }).waitFor();
  expect(await page.getByLabel("Width").inputValue()).toBe("4 ft");
  expect(await page.getByLabel("Height").inputValue()).toBe("6 ft");
  await page.getByLabel("How many").fill("two");
  await page.keyboard.press("Tab");
  await page.locator(".total", { hasText: "about $816" }).waitFor();
});

test("glass by the window: the options follow what is typed", async () => {
  const { page, violations } = await visitAgain(plain, at("/book/glass"));
  await page.getByText("Commercial window film", { exact: true }).click();
  await page.locator("#width-0").fill("36");
  await page.locator("#height-0").fill("60");
  await page.locator("#quantity-0").fill("8");
  await page.locator("#floors").click();
  // The options of the fields before stand there until those of the last field come.
  await page.locator(".tiers .price", { hasText: "$1,920" }).waitFor();
  const expected = ["about $1,920", "about $2,010", "about $2,100"];
  expect(await page.locator(".tiers .price").allTextContents()).toEqual(expected);
  await page.getByText("Best", { exact: true }).click();
  await page.getByRole("button", { name: "+ window" }).click();
  await page.locator("#width-1").fill("24");
  await page.locator("#height-1").fill("48");
  await page.locator("#quantity-1").fill("4");
  // An empty number in the first row is one pane of the first row, and leaves the second row alone.
  await page.locator("#quantity-0").fill("");
  await page.locator("#floors").click();
  await page.locator(".tiers .price", { hasText: "about $752" }).waitFor();
  expect(await page.locator("#quantity-1").inputValue()).toBe("4");
  expect(await page.getByRole("radio", { name: /^Best/ }).isChecked()).toBe(true);
  // Enter shows the options. It once pressed the button for another row.
  await page.locator("#width-0").fill('48"');
  await page.keyboard.press("Enter");
  await page.locator(".tiers .price", { hasText: "about $832" }).waitFor();
  expect(await page.locator(".window").count()).toBe(2);
  expect(violations).toEqual([]);
});

describe("in another site", () => {
  const withFrame = (book: string) =>
    `<!doctype html><title>A shop</title><h1>Our shop</h1><script>addEventListener("tintdesk:booked", () => document.title += " booked")</script><script src="${book}/book/embed.js" defer data-shop></script><p>Below`;
  const inHead = (book: string) =>
    `<!doctype html><head><title>A shop</title><script src="${book}/book/embed.js" type="module" data-shop="manage" data-into="#here"></script></head><body><h1>Our shop</h1><div id="here"></div>`;

  /** A site of its own origin that shows the page in a frame. */
  function site(page = withFrame) {
    return Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new globalThis.Response(page(server.url), { headers: { "Content-Type": "text/html" } }),
    });
  }

  test("the page fits itself into a frame, as high as its content, and books there", async () => {
    await using host = site();
    const origin = `http://127.0.0.1:${host.port}`;
    server.setCatalog({ "site.embed_origins": [origin] });
    const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
    await page.goto(origin);
    const frame = page.frameLocator("iframe");
    await frame.getByText("SUV", { exact: true }).click();
    await frame.locator(".total", { hasText: "$349" }).waitFor();
    await page.waitForFunction("document.querySelector('iframe').clientHeight > 1500");
    expect(await frame.locator("header.top").count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await pickTime(frame, "Tue, Nov 24", "10 AM");
    await frame.getByLabel("Name", { exact: true }).fill("Pat Example");
    await frame.getByLabel("Phone", { exact: true }).fill(freshPhone());
    await frame.getByLabel("E-mail", { exact: true }).fill("pat@example.com");
    // What goes wrong is told beside the form: the lower edge of the frame may be out of sight.
    await page.route(/\/book$/, (route) => route.abort());
    await frame.locator(BOOK).click();
    await frame.locator("#details + .trouble", { hasText: "This could not be sent" }).waitFor();
    await page.unroute(/\/book$/);
    await frame.locator(BOOK).click();
    await frame.getByRole("heading", { name: "You are booked" }).waitFor();
    await page.waitForFunction("document.querySelector('iframe').clientHeight < 1200");
    // Once, however often the page in the frame tells its height.
    await page.setViewportSize({ width: 500, height: 600 });
    expect(await page.title()).toBe("A shop booked");
    server.setCatalog({});
    await page.close();
  });

  test("the script may be a module in the head", async () => {
    await using host = site(inHead);
    const origin = `http://127.0.0.1:${host.port}`;
    server.setCatalog({ "site.embed_origins": [origin] });
    const page = await browser.newPage();
    await page.goto(origin);
    await page.frameLocator("#here > iframe").getByRole("button", { name: "Find my booking" }).waitFor();
    server.setCatalog({});
    await page.close();
  });

  test("a site that the catalog does not name shows a link instead", async () => {
    await using host = site();
    const page = await browser.newPage();
    const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
    await page.goto(`http://127.0.0.1:${host.port}`);
    expect((await refused).type()).toBe("error");
    expect(await page.frameLocator("iframe").getByText("Book your window tint").count()).toBe(0);
    const link = page.getByRole("link", { name: "Book an appointment" });
    expect(await link.getAttribute("href")).toBe(`${server.url}/book`);
    await page.close();
  });
});

test("the price is in the address at once, and the button hands out a link that keeps it", async () => {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  await page.goto(at("/book?vehicle_type=sedan&film_type=ceramic"));
  await page.waitForURL(/estimate_id=/);
  await page.locator("label:has(#film_type-standard)").click();
  await page.getByText("Standard film, Sedan").first().waitFor();
  await page.getByRole("link", { name: "Send me this price" }).click();
  await page.getByText("Link copied").waitFor();
  const link = String(await page.evaluate("navigator.clipboard.readText()"));
  expect(link).toMatch(/film_type=standard.*estimate_id=/);
  expect(link).not.toContain("own=");
  await page.goto(link);
  expect(await page.locator(".quote").count()).toBe(0);
  await context.close();
});

test("on a phone, all that is left to do after a time was chosen is in sight; where the shade is not legal, the way out is, too", async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 700 } });
  await page.goto(at("/book?car=2022+Camry&vehicle_type=sedan&film_type=ceramic&front_shade=5&rear_shade=5"));
  await pickTime(page, "Tue, Nov 24", "9 AM");
  const use = page.locator(".not-legal").getByRole("button", { name: "Use 50%, legal" });
  await use.waitFor();
  const inSight = async (part: ReturnType<Page["locator"]>) => {
    const box = await part.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= 700;
  };
  expect(await inSight(use)).toBe(true);
  await page.getByRole("button", { name: "Book 5% anyway" }).click();
  expect(await page.locator("#customer_name:invalid").count()).toBe(1);
  await use.click();
  const book = page.getByRole("button", { name: /^Book Tue, Nov 24/ });
  await book.waitFor();
  for (const part of [page.locator(".at"), page.locator("#customer_name"), page.locator("#customer_email"), book])
    expect(await inSight(part)).toBe(true);
  await page.close();
});

test("work that no longer fits into the chosen time says so", async () => {
  const { page } = await visitAgain(plain, at("/book?vehicle_type=suv&film_type=ceramic&start=2026-11-24T14:00"));
  await page.locator("#extras summary").first().click();
  await page.locator("label:has(#remove_old_film-true)").click();
  const told = "Tue, Nov 24, 2:00 PM is not free for this work. Please pick another time.";
  await page.locator("#said", { hasText: told }).waitFor({ state: "attached" });
  expect(await page.locator("#times .notice").textContent()).toBe(told);
});

test("light: weight, requests and layout shift", async () => {
  for (const [name, path] of [
    ["vehicle", "/book"],
    ["chosen", CHOSEN],
    ["building", GLASS],
    ["manage", "/book/manage"],
  ] as const) {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const responses: Response[] = [];
    page.on("response", (response) => responses.push(response));
    await page.addInitScript(
      "window.shift = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value; }).observe({type: 'layout-shift', buffered: true})",
    );
    await page.goto(at(path), { waitUntil: "networkidle" });
    const shift = Number(await page.evaluate("window.shift"));
    const bodies = await Promise.all(responses.map((response) => response.body()));
    const bytes = bodies.reduce((sum, body) => sum + body.byteLength, 0);
    expect(responses.filter((response) => !response.url().startsWith(`${server.url}/`))).toEqual([]);
    expect([name, bytes <= 80 * 1024, responses.length <= 5, shift < 0.02]).toEqual([name, true, true, true]);
    await page.close();
  }
});
