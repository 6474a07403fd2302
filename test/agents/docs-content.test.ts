/** What the documentation says: requests that run, answers of the program, every field and word, sections by themselves. */
import { describe, expect, test } from "bun:test";
import { nextAction, WARNINGS } from "../../src/capabilities/core/envelope.ts";
import { SIDE_EFFECTS } from "../../src/capabilities/core/operations.ts";
import { SAMPLE_CODE } from "../../src/capabilities/core/samples.ts";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { ERRORS } from "../../src/errors.ts";
import { releasesIn } from "../../src/pages/docs/changelog.ts";
import { excerpt } from "../../src/pages/docs/samples.ts";
import { type JsonSchema, jsonSchema } from "../../src/schema/json-schema.ts";
import { API, appWith, BOOKING, CATALOG, catalogWith, manyCallers, testApp } from "../helpers.ts";
import { neededPath } from "../needs.ts";
import { CALIFORNIA } from "../shops.ts";
import { listen } from "./listen.ts";

const APP = manyCallers();
const app = appWith({ "rate_limits.anonymous_per_minute": 10_000 });
const page = (await app.get(`${API}/docs`)).text;
const markdown = (await app.get(`${API}/docs-md`)).text;
const parts = new Map<string, string>();
for (const { id } of CAPABILITIES) parts.set(id, (await app.get(`${API}/docs-md?section=${id}`)).text);
const sectionOf = (id: string) => parts.get(id) ?? "";
const fences = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)\\n\`\`\`$`, "gms"))].map(([, code = ""]) => code);

test.each([
  ["the stock shop", {}],
  ["a shop that takes deposits", { "deposit.amount": 50, "deposit.services": ["automotive"] }],
])("the Markdown of %s has at most 60,000 bytes, the full text 80,000", async (_, edits) => {
  const shop = appWith(edits);
  expect((await shop.get(`${API}/docs-md`)).bytes.length).toBeLessThanOrEqual(60_000);
  expect((await shop.get("/llms-full.txt")).bytes.length).toBeLessThanOrEqual(80_000);
});

test("what may change within a version is said in the words of the contract", async () => {
  const contract = await Bun.file(new URL("../../docs/contract.md", import.meta.url)).text();
  const rule = /Within `\/api\/v1` [^.]+ a new version\./.exec(contract.replaceAll("\n", " "))?.[0] ?? "none";
  expect(markdown).toContain(rule);
  expect((await APP.get(`${API}/openapi.json`)).json.info.description).toContain(rule);
});

test.each([
  ["any", "any website", 200],
  ["listed", "a website that the shop lists", 200],
  ["none", "no other website", 404],
])("site.cors: %s lets %s call the API, and the docs say so", async (cors, sites, widget) => {
  const shop = appWith({ "site.cors": cors });
  const said = (await shop.get(`${API}/docs-md?section=answers`)).text;
  expect(said).toContain(`**CORS**: ${sites} may call the API from a browser;`);
  const guide = await shop.get(`${API}/docs-md?section=guide-widget`);
  expect([guide.status, guide.text.includes(sites)]).toEqual([widget, widget === 200]);
});

describe("each section by itself", () => {
  test("is there under the ids that the page has", async () => {
    const ids = [...page.matchAll(/<h[23] id="([^"]+)"/g)].map(([, id = ""]) => id);
    expect(ids).toEqual(expect.arrayContaining(["quick-start", "errors", "guide-embed", "mcp-claude", "list_faq"]));
    for (const id of ids) {
      const { status, headers, text } = await app.get(`${API}/docs-md?section=${id}`);
      expect([id, status, headers.get("content-type")]).toEqual([id, 200, "text/markdown; charset=utf-8"]);
      expect(text).toMatch(/^# \S/);
      expect(headers.get("etag")).toStartWith('"');
      // It is a part of the whole, with another level of headings.
      const [, ...lines] = text.trimEnd().split("\n");
      expect(markdown.replace(/^#+/gm, "")).toContain(lines.join("\n").replace(/^#+/gm, ""));
    }
    const { text, headers } = await app.get(`${API}/docs?section=errors`, { headers: { Accept: "text/markdown" } });
    expect(text).toStartWith("# Errors\n");
    expect(headers.get("vary")).toContain("Accept");
  });

  test("is found where it once was", async () => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await app.send(method, `${API}/docs-md/errors`);
      expect([status, headers.get("location")]).toEqual([301, `${API}/docs-md?section=errors`]);
    }
  });

  test("an unknown one, or one that this shop has not, is 404 with the list", async () => {
    const { status, json } = await app.get(`${API}/docs-md?section=nonsense`);
    expect([status, json.error_code]).toEqual([404, "NOT_FOUND"]);
    expect(json.invalid_fields[0]).toMatchObject({ field: "section", allowed: expect.arrayContaining(["limits"]) });
    for (const { id } of CAPABILITIES) expect(json.agent_instruction).toContain(id);
    const carsOnly = testApp({ catalog: CALIFORNIA });
    const statusOf = async (section: string) => (await carsOnly.get(`${API}/docs-md?section=${section}`)).status;
    expect([await statusOf("list_services"), await statusOf("flat_glass_estimate")]).toEqual([200, 404]);
  });
});

describe("requests", () => {
  test("each has one sample, and the answer of the program to it", async () => {
    for (const { id, method, sideEffect } of CAPABILITIES) {
      const [command = "", ...more] = fences(sectionOf(id), "sh");
      expect([id, more]).toEqual([id, []]);
      const path = /https:\/\/marlowridge\.example([^\s']+)/.exec(command)?.[1] ?? "";
      const body = /-d '(.*)'$/s.exec(command)?.[1]?.replaceAll("'\\''", "'");
      const { status, json } = await app.send(method, path, body === undefined ? {} : { body });
      const isOwn = sectionOf(id).includes("confirmation_code");
      // The code of the sample names no booking.
      if (status === 404 && isOwn) expect(json.error_code).toBe("BOOKING_NOT_FOUND");
      else expect([id, status]).toEqual([id, Number(/^Answer, (\d+)/m.exec(sectionOf(id))?.[1])]);
      // An answer that is the same as one before is shown once.
      if (/^\*\*`data`\*\* as in `\w+`\.$/m.test(sectionOf(id))) continue;
      const [answer = "", ...others] = fences(sectionOf(id), "json");
      expect([id, others]).toEqual([id, []]);
      const shown = JSON.parse(answer);
      expect(shown.success).toBe(true);
      const isBooking = ["books_appointment", "changes_appointment"].includes(sideEffect);
      if (isBooking && body?.includes("dry_run")) expect([id, shown.data.status]).toEqual([id, "dry_run"]);
      if (id === "book_appointment") expect(shown.data).toMatchObject({ start: json.data.start, status: "dry_run" });
    }
  });

  test("it is said which refuse unknown fields, and they do", async () => {
    const rule = /An unknown field is refused by ([^.]*), passed on/.exec(markdown)?.[1] ?? "";
    const { description } = (await app.get(`${API}/openapi.json`)).json.info;
    expect(description).toContain("An unknown field is refused where a booking is made, found or changed");
    for (const capability of CAPABILITIES.filter(({ method }) => method === "POST")) {
      const { id, path } = capability;
      const { json } = await app.post(API + path, { colour: "red" });
      const isRefused = JSON.stringify(json.invalid_fields ?? []).includes("colour");
      expect([id, rule.includes(`\`${id}\``)]).toEqual([id, isRefused]);
      expect([id, sectionOf(id).includes("**Fields**; others are refused")]).toEqual([id, isRefused]);
    }
  });

  test("the answers about a booking name the code of the request", () => {
    for (const id of ["booking_status", "find_booking", "reschedule_booking", "cancel_booking"]) {
      const codes = new Set(sectionOf(id).match(/"confirmation_code": "(\w+)"|bookings\/([A-Z0-9]{8})/g));
      expect([id, [...codes].filter((code) => !code.includes(SAMPLE_CODE))]).toEqual([id, []]);
    }
  });
});

describe("programs", () => {
  /** Runs a program as its readers do, and gives what it printed. */
  async function run(command: string, code: string): Promise<{ printed: string; failed: string; status: number }> {
    const program = Bun.spawn([command, "-"], { stdin: Buffer.from(code), stdout: "pipe", stderr: "pipe" });
    const [printed, failed] = await Promise.all([
      new Response(program.stdout).text(),
      new Response(program.stderr).text(),
    ]);
    return { printed, failed, status: await program.exited };
  }

  test.each([
    ["JavaScript", "js", process.execPath],
    ["Python", "python", neededPath("Python")],
  ])("%s: the three calls of the quick start print price, time and booking, and store nothing", async (...given) => {
    const [, language, command] = given;
    await using server = listen();
    const [code = ""] = fences(await textAt(server.url, "quick-start"), language);
    const { printed, failed, status } = await run(command, code);
    expect([status, failed]).toEqual([0, ""]);
    expect(printed.split("\n")).toEqual([
      "Price: 599 USD",
      expect.stringMatching(/^First open time: \d{4}-\d\d-\d\d \d\d:\d\d$/),
      expect.stringMatching(/^Booking: dry_run \d{4}-\d\d-\d\d \d\d:\d\d 599$/),
      "",
    ]);
    // Of a failure it says what the API says.
    const broken = await run(command, code.replace("suv", "boat"));
    expect([broken.status, broken.failed]).toEqual([1, expect.stringContaining("vehicle_type")]);
  });

  test("where bookings need a key, the programs and the command that book say where to put it", async () => {
    await using server = listen({ edits: { "bookings.require_api_key": true } });
    const body = JSON.stringify({ name: "Example", email: "agent@example.com" });
    const registered = await fetch(`${server.url}${API}/register`, { method: "POST", body });
    const key = Object(await registered.json()).data.api_key;
    const [quick, booking, guide] = await Promise.all(
      ["quick-start", "book_appointment", "guide-refusals"].map((id) => textAt(server.url, id)),
    );
    const codes = [
      [process.execPath, fences(quick ?? "", "js")[0]],
      [neededPath("Python"), fences(quick ?? "", "python")[0]],
      [process.execPath, fences(guide ?? "", "js")[0]],
      ["sh", fences(booking ?? "", "sh")[0]],
    ] as const;
    // The status of the answer, not the field of the request.
    const isBooked = /\bdry_run(?!":)/;
    for (const [command, code = ""] of codes) {
      expect((await run(command, code)).printed).not.toMatch(isBooked);
      const { printed, status } = await run(command, code.replaceAll("YOUR_API_KEY", key));
      expect([command, status, isBooked.test(printed)]).toEqual([command, 0, true]);
    }
  });

  test("the price widget prints the price with the sentence about tax, and where to go on", async () => {
    await using server = listen();
    const [code = ""] = fences(await textAt(server.url, "guide-widget"), "js");
    const { printed, failed } = await run(process.execPath, code);
    expect(failed).toBe("");
    expect(printed).toContain(`$349.00. ${CATALOG.tax.note}`);
    expect(printed).toContain(`${server.url}/book`);
  });

  test("the booking of the guides asks again when the time is taken, and prints what became of it", async () => {
    await using server = listen({ edits: { "scheduling.bays": 1, "rate_limits.bookings_per_10_minutes": 50 } });
    const [code = ""] = fences(await textAt(server.url, "guide-refusals"), "js");
    const first = await run(process.execPath, code);
    expect([first.failed, first.printed]).toEqual(["", expect.stringContaining('"dry_run"')]);
    const { date, time } = JSON.parse(/const request = (\{.*\});/.exec(code)?.[1] ?? "{}");
    const taken = { ...BOOKING, date, time };
    const body = JSON.stringify(taken);
    const headers = { "Content-Type": "application/json" };
    expect((await fetch(`${server.url}${API}/bookings`, { method: "POST", headers, body })).status).toBe(201);
    const { printed } = await run(process.execPath, code);
    expect(printed).toContain('"dry_run"');
    expect(printed).not.toContain(`time: "${time}"`);
  });

  async function textAt(url: string, section: string): Promise<string> {
    return (await fetch(`${url}${API}/docs-md?section=${section}`)).text();
  }
});

describe("answers", () => {
  test("are JSON that leaves nothing out without a sign", () => {
    expect(JSON.parse(excerpt({ rows: [{ a: 1 }, { a: 2 }, { a: 3 }] }))).toEqual({ rows: [{ a: 1 }, "… 2 more"] });
    const expected = { words: ["a", "b"], none: [], deep: { empty: {} } };
    expect(JSON.parse(excerpt({ words: ["a", "b"], none: [], deep: { empty: {} } }))).toEqual(expected);
    expect(JSON.parse(excerpt({ text: "y".repeat(100) })).text).toEndWith("y…");
    const wide = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`field_${i}`, i]));
    expect(JSON.parse(excerpt({ data: wide })).data).toHaveProperty("…", expect.stringMatching(/^\d+ more$/));
    expect(JSON.parse(excerpt({ next_actions: [{ action: "a" }, { action: "b" }] })).next_actions).toEqual(["… 2"]);
  });

  test("every piece of JSON can be read, and every list that is shorter than the real one says so", async () => {
    const shown = fences(markdown, "json").map((text) => JSON.parse(text));
    expect(shown.length).toBeGreaterThan(13);
    const { json } = await app.get(`${API}/services`);
    const [services] = fences(sectionOf("list_services"), "json").map((text) => JSON.parse(text));
    expect(services.data.services.at(-1)).toBe(`… ${json.data.services.length - 1} more`);
    const films = json.data.automotive.films.length;
    expect(services.data.automotive.films.at(-1)).toBe(`… ${films - 1} more`);
  });
});

/** Every word that a field at any depth may hold. */
function wordsIn(schema: JsonSchema): [word: string, line: string | undefined][] {
  const { properties = {}, items, anyOf = [], enum: words = [], "x-values": lines = {} } = schema;
  const own = words
    .filter((word) => typeof word === "string")
    .map((word): [string, string] => [word, lines[word] ?? ""]);
  return [...own, ...[...Object.values(properties), ...(items ? [items] : []), ...anyOf].flatMap(wordsIn)];
}

/** Every name of a field at any depth. */
function namesIn({ properties = {}, items, anyOf = [] }: JsonSchema): string[] {
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf];
  return [...Object.keys(properties), ...inner.flatMap(namesIn)];
}

describe("fields and words", () => {
  test("each field of a request has its line, with what it needs", () => {
    for (const { id, input } of CAPABILITIES) {
      const { properties = {}, required = [] } = jsonSchema(input(CATALOG), "input");
      for (const name of Object.keys(properties)) {
        const line = sectionOf(id)
          .split("\n")
          .find((one) => one.startsWith("- `") && one.split(":")[0]?.includes(`\`${name}\``));
        expect([id, name, line !== undefined]).toEqual([id, name, true]);
        if (required.includes(name))
          expect([id, name, line]).toEqual([id, name, expect.stringContaining("**required**")]);
      }
    }
    expect(sectionOf("flat_glass_estimate")).toContain("  - `width_in` (number, **required**)");
  });

  test("`data` of each answer has its line, and every field of it its name, here or where the section leads", () => {
    for (const { id, output } of CAPABILITIES) {
      const schema = jsonSchema(output(CATALOG), "output");
      const heads = [...sectionOf(id).matchAll(/^\*\*`data(?:\[\])?`\*\* (\S.*)$/gm)];
      expect([id, heads.length]).toEqual([id, (schema.anyOf ?? [schema]).length]);
      const led = new Set<string>([id]);
      // What stands there may in turn hold an object of a third answer.
      for (const one of led) for (const [, other = ""] of sectionOf(one).matchAll(/as in `(\w+)`/g)) led.add(other);
      const text = [...led].map(sectionOf).join("\n");
      for (const name of namesIn(schema)) expect([id, name, text.includes(`\`${name}`)]).toEqual([id, name, true]);
    }
  });

  test("every word of an enum is there, with its meaning", () => {
    const schemas = CAPABILITIES.flatMap(({ input, output }) => [
      jsonSchema(input(CATALOG), "input"),
      jsonSchema(output(CATALOG), "output"),
    ]);
    const words = [...schemas, jsonSchema(nextAction, "output")].flatMap(wordsIn);
    expect(words.length).toBeGreaterThan(300);
    const plain = markdown.replaceAll("`", "");
    for (const [word, line = ""] of words) {
      const says = line.toLowerCase() === `${word.replaceAll("_", " ")}.` || line === "" ? "" : `: ${line}`;
      expect([word, plain.includes(`${word}${says.replaceAll("`", "")}`)]).toEqual([word, true]);
    }
    for (const word of SIDE_EFFECTS) expect(markdown).toMatch(new RegExp(`\`${word}\`: [A-Z]`));
    for (const { id, sideEffect } of CAPABILITIES) expect(sectionOf(id)).toContain(`side effect \`${sideEffect}\``);
  });

  test("every warning and error code has its line; on the page a code leads to it", () => {
    for (const [code, line] of Object.entries(WARNINGS))
      expect(markdown.replaceAll("`", "")).toContain(`${code}: ${line}`);
    for (const [code, { status, when }] of Object.entries(ERRORS)) {
      expect(markdown).toContain(`- \`${code}\` (${status}, `);
      expect(markdown.replaceAll("`", "")).toContain(when);
      expect(page).toContain(`<li id="${code}">`);
    }
  });

  test("every request names its path, its id and its tool", () => {
    for (const { id, method, path, operationId } of CAPABILITIES) {
      expect(sectionOf(id)).toContain(`\`${method} ${path}\``);
      expect(markdown).toContain(`\`${id}\``);
      if (operationId === "estimate_price") expect(sectionOf(id)).toContain("tool `estimate_price`");
    }
    for (const path of ["/capabilities", "/docs-md", "/openapi.json"]) expect(markdown).toContain(API + path);
    expect(markdown).toContain(CATALOG.site.base_url);
  });
});

test("the address of the docs answers Markdown to those who prefer it", async () => {
  const ask = (accept?: string) => app.get(`${API}/docs`, accept === undefined ? {} : { headers: { Accept: accept } });
  for (const accept of [undefined, "*/*", "text/html,application/xhtml+xml,*/*;q=0.8", "image/png"]) {
    const { headers } = await ask(accept);
    expect([accept, headers.get("content-type")]).toEqual([accept, "text/html; charset=utf-8"]);
    expect(headers.get("vary")).toContain("Accept");
  }
  const { status, headers, text } = await ask("text/markdown, text/html;q=0.5");
  expect([status, headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
  expect(text).toBe(markdown);
});

test("what becomes of a shade that is not legal is what the shop decided", async () => {
  const said: string[] = [];
  for (const not_legal of ["ask", "refuse", "warn"]) {
    const shop = manyCallers({ catalog: catalogWith({ "tint_law.not_legal": not_legal }) });
    const { text } = await shop.get(`${API}/docs-md?section=tint-law`);
    said.push(/one that is not legal (.*?)\./.exec(text)?.[1] ?? "");
  }
  expect(said).toEqual(["is booked only with `accept_not_legal`", "is not booked", "is booked with a warning"]);
});

test.each(["https://www.example.com/tint", "none"])(
  "the customers' page is where the shop's links lead: %s",
  async (page) => {
    const shop = appWith({ "site.book_url": page });
    const quick = (await shop.get(`${API}/docs-md?section=quick-start`)).text;
    const widget = (await shop.get(`${API}/docs-md?section=guide-widget`)).text;
    expect(/`book_url` of an estimate is .* like (.*)\. Opening/.exec(quick)?.[1] ?? "none").toBe(page);
    expect(widget.includes("book_url")).toBe(page !== "none");
    const [, data = ""] = /ld\+json">(.*?)<\/script>/s.exec((await shop.get(`${API}/docs`)).text) ?? [];
    expect(JSON.parse(data).potentialAction?.target ?? "none").toBe(page);
    expect(quick + widget).not.toContain(`${CATALOG.site.url}/book`);
  },
);

test.each([
  [60, "Holds the time for a while; it is booked once confirmed."],
  [0, "This shop holds no times: leave it out."],
])("a shop that holds times for %i minutes says so of the field", async (minutes, said) => {
  const shop = appWith({ "bookings.hold_minutes": minutes });
  const { text } = await shop.get(`${API}/docs-md?section=book_appointment`);
  expect(/^- `hold` .*?: (.*)$/m.exec(text)?.[1]).toBe(said);
});

test("limits are the catalog's numbers", async () => {
  const catalog = catalogWith({ "rate_limits.anonymous_per_minute": 61, "rate_limits.api_key_per_minute": 307 });
  const other = testApp({ catalog });
  for (const path of ["/docs", "/docs-md"]) {
    const { text } = await other.get(API + path);
    for (const words of ["61 requests a minute", "307 requests a minute", "A 429 is not counted"])
      expect(text).toContain(words);
  }
});

test("names lead to where they are explained: every link within the page has its target, every id is there once", () => {
  const all = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  const ids = new Set(all);
  expect(all.length).toBe(ids.size);
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id = ""]) => id);
  expect(targets.length).toBeGreaterThan(120);
  expect(targets.filter((id) => !ids.has(id))).toEqual([]);
  expect(page).toContain('<link rel="canonical" href="https://marlowridge.example/api/v1/docs">');
  expect(page).toContain('<meta property="og:title" content="Marlow Ridge Window Film API">');
});

describe("the changelog", () => {
  test("is read from the file", () => {
    const text = `# Changelog\n\nWords.\n\n## [Unreleased]\n\n### API added\n\n- One\n  thing, see [a page](docs/page.md).\n- \`Two\`\n\n### The desk\n\n- For owners\n\n### API fixed\n\n- Three\n\n## [1.0.0] - 2026-11-21\n`;
    expect(releasesIn(text)).toEqual([
      {
        version: "Unreleased",
        date: undefined,
        changes: "### API added\n\n- One\n  thing, see a page.\n- `Two`\n\n### API fixed\n\n- Three",
      },
      { version: "1.0.0", date: "2026-11-21", changes: "" },
    ]);
  });

  test("is a page of its own, to which the docs lead", async () => {
    const { status, headers, text } = await app.get(`${API}/docs/changelog`);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("content-security-policy")).not.toMatch(/unsafe|script-src/);
    expect(text).toContain('<h2 id="v1.0.0">');
    expect(text).toContain("<h3>API</h3>");
    expect(text).not.toMatch(/The desk|PostgreSQL|tint book/);
    for (const document of [page, markdown]) expect(document).toContain(`${API}/docs/changelog`);
  });
});

describe("the page", () => {
  test("loads no other file and runs no script", async () => {
    const { status, headers, text } = await APP.get(`${API}/docs`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toStartWith("text/html");
    const policy = Object.fromEntries(
      (headers.get("content-security-policy") ?? "").split(";").map((part) => {
        const [name = "", ...values] = part.trim().split(/\s+/);
        return [name, values.join(" ")];
      }),
    );
    expect(policy["default-src"]).toBe("'none'");
    expect(policy["frame-ancestors"]).toBe("'none'");
    expect(policy).not.toHaveProperty("script-src");
    expect(JSON.stringify(policy)).not.toMatch(/unsafe|https?:|\*/);
    expect(text).not.toMatch(/<(iframe|img|object|embed|base)\b|<script[^>]+src|rel="(stylesheet|preload|import)"/i);
    // Listings are text: the one of the guide to embedding names a script.
    expect(text.replace(/<pre.*?<\/pre>/gs, "")).not.toMatch(/\bsrc\s*=|@import|\burl\(|\son\w+\s*=/i);
  });

  test("its policy allows its style", async () => {
    const { headers, text } = await APP.get(`${API}/docs`);
    const hash = new Bun.CryptoHasher("sha256").update(/<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? "");
    expect(headers.get("content-security-policy")).toContain(`'sha256-${hash.digest("base64")}'`);
  });
});
