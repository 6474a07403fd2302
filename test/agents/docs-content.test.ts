/** What the documentation says: requests that run, answers of the program, fields inside fields, the changelog. */
import { describe, expect, test } from "bun:test";
import { WARNINGS } from "../../src/capabilities/core/envelope.ts";
import { SAMPLE_CODE } from "../../src/capabilities/core/sample-person.ts";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { ERRORS } from "../../src/errors.ts";
import { excerpt, snippets } from "../../src/pages/docs/content/blocks.ts";
import { releasesIn } from "../../src/pages/docs/content/content.ts";
import { jsonSchema } from "../../src/schema/json-schema.ts";
import { type Answer, API, BOOKING, CATALOG, catalogWith, testApp } from "../helpers.ts";

const app = testApp({ catalog: catalogWith({ "rate_limits.anonymous_per_minute": 10_000 }) });
const page = (await app.get(`${API}/docs`)).text;
const markdown = (await app.get(`${API}/docs-md`)).text;
const asText = (html: string) =>
  html
    .replace(/<[^>]+>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
/** The part of the page about one capability. */
const articleOf = (id: string) =>
  page.slice(page.indexOf(`<article aria-labelledby="${id}">`)).split("</article>")[0] ?? "";

describe("requests", () => {
  const JAVASCRIPT = [...page.matchAll(/aria-label="([^"]+): request, JavaScript"><code>(.*?)<\/code>/gs)].map(
    ([, title = "", code = ""]) => [title, asText(code)] as const,
  );

  test("there is one for each operation, in three languages", () => {
    expect(JAVASCRIPT.length).toBeGreaterThan(13);
    for (const language of ["curl", "Python"]) {
      expect(page.split(`: request, ${language}"`).length - 1).toBe(JAVASCRIPT.length);
    }
  });

  test.each(JAVASCRIPT)("%s: the JavaScript runs as it stands", async (_, code) => {
    let answer: Answer | undefined;
    const fetch = async (url: string, { method = "GET", body }: { method?: string; body?: string } = {}) => {
      const path = url.slice(CATALOG.site.url.length);
      answer = await app.send(method, path, body === undefined ? {} : { body: JSON.parse(body) });
      return { ok: answer.status < 300, json: async () => answer?.json };
    };
    const running = new Function("fetch", `return (async () => {${code}\nreturn data;})()`)(fetch);
    // The sample of a code names no booking of this shop, and says so.
    const failure = await running.then(
      () => "",
      ({ message }: Error) => message,
    );
    expect([200, 404]).toContain(answer?.status ?? 0);
    if (answer?.status === 404) expect(failure).toContain("It is the sample's: put in the one of the booking.");
    else expect(failure).toBe("");
  });

  /** The code of a listing, run against the app, with what it leaves behind. */
  const runCode = (title: string, result: string) => {
    const code = asText(new RegExp(`aria-label="${title}"><code>(.*?)</code>`, "s").exec(page)?.[1] ?? "");
    const fetch = async (url: string, { method = "GET", body }: { method?: string; body?: string } = {}) => {
      const path = url.slice(CATALOG.site.url.length);
      const { status, json } = await app.send(method, path, body === undefined ? {} : { body: JSON.parse(body) });
      return { ok: status < 300, json: async () => json };
    };
    return new Function("fetch", `return (async () => {${code}\nreturn ${result};})()`)(fetch);
  };

  test("the three calls of the quick start lock the price", async () => {
    const { estimate, booking } = await runCode("Three calls that lock the price", "{ estimate, booking }");
    expect(booking).toMatchObject({ status: "dry_run", estimate_id: estimate.estimate_id, estimate: { locked: true } });
    expect(booking.estimate.total).toBe(estimate.total);
  });

  test("the price widget of the guides shows the price with the sentence about tax, and where to go on", async () => {
    const { text, href } = await runCode("A price in words", "data");
    expect(text).toBe(`$349.00. ${CATALOG.tax.note}`);
    expect(href).toStartWith(`${CATALOG.site.url}/book`);
  });

  test("the booking of the guides asks again when the time is taken or the price has changed", async () => {
    const own = testApp({ catalog: catalogWith({ "scheduling.bays": 1 }) });
    const asked: string[] = [];
    const fetch = async (url: string, { body = "" }: { body?: string } = {}) => {
      const { status, json } = await own.post(url.slice(CATALOG.site.url.length), JSON.parse(body));
      return { ok: status < 300, json: async () => json };
    };
    const code = asText(/aria-label="A booking that asks again"><code>(.*?)<\/code>/s.exec(page)?.[1] ?? "");
    const book = await new Function("fetch", `${code}\nreturn book;`)(fetch);
    const ask = async (question: string, [first]: [object]) => {
      asked.push(question);
      return first;
    };
    await book({ ...BOOKING, booking_request_id: "one" }, ask);
    const second = await book({ ...BOOKING, customer_phone: "+1-404-555-0117", customer_email: "b@example.com" }, ask);
    expect([second.status, asked]).toEqual(["confirmed", ["Another time?"]]);
    expect([second.date, second.time]).not.toEqual([BOOKING.date, BOOKING.time]);
  });

  test("Python writes the same values in its own words", () => {
    const sample = { dry_run: true, shade: null, windows: [{ width_in: 36 }], name: 'O"Hara', none: {} };
    const [, , python] = snippets({ title: "", method: "POST", path: "/p", sample }, "https://shop.example");
    expect(python?.text).toBe(`import requests

response = requests.post(
    "https://shop.example/p",
    json={
        "dry_run": True,
        "shade": None,
        "windows": [{
            "width_in": 36,
        }],
        "name": "O\\"Hara",
        "none": {},
    },
)
answer = response.json()
if not response.ok:
    raise SystemExit(answer["message"])
data = answer["data"]`);
    const [, , get] = snippets({ title: "", method: "GET", path: "/p", sample: {} }, "https://shop.example");
    expect(get?.text).toContain('requests.get(\n    "https://shop.example/p",\n)');
  });
});

describe("answers", () => {
  test("stand beside each request, one for each status of success", () => {
    const statuses = [...articleOf("book_appointment").matchAll(/data-name="(\d+ [^"]+)"/g)].map(([, name]) => name);
    expect(statuses).toEqual(["200 dry run", "201 without dry_run"]);
    for (const id of ["list_services", "automotive_estimate", "find_booking", "cancel_booking"]) {
      expect([id, articleOf(id).includes('data-name="200 success"')]).toEqual([id, true]);
    }
  });

  test("are those of the program to the very request shown", async () => {
    const article = asText(articleOf("book_appointment"));
    const sent = JSON.parse(/-d '(\{.*?\n\})'/s.exec(article)?.[1] ?? "");
    const { json } = await app.post(`${API}/bookings`, sent);
    for (const part of [
      json.data.start,
      json.data.end,
      `"total": ${json.data.estimate.total}`,
      '"status": "dry_run"',
    ]) {
      expect(article).toContain(part);
    }
  });

  test("are JSON, and of long lists the first entries", () => {
    expect(excerpt({ words: ["a", "b"], none: [], deep: { empty: {} } })).toBe(
      '{ "words": ["a", "b"], "none": [], "deep": { "empty": {} } }',
    );
    const row = { name: "x".repeat(60), price: null };
    expect(JSON.parse(excerpt({ rows: [row, row, row, row] }))).toEqual({ rows: [row, row] });
    expect(excerpt("y".repeat(100))).toBe(`"${"y".repeat(100)}"`);
  });

  test("every piece of JSON on the page and in Markdown can be read", () => {
    const fences = [...markdown.matchAll(/```json\n(.*?)\n```/gs)].map(([, text = ""]) => text);
    const answers = [...page.matchAll(/class="code tabs answers".*?<\/div><\/div>/gs)].flatMap(([block]) =>
      [...block.matchAll(/<code>(.*?)<\/code>/gs)].map(([, text = ""]) => asText(text)),
    );
    expect(fences.length).toBeGreaterThan(13);
    expect(answers.length).toBeGreaterThan(13);
    for (const text of [...fences, ...answers.filter((text) => text.startsWith("{\n"))]) JSON.parse(text);
  });

  test("about a booking name the code of the request beside them", () => {
    for (const id of ["booking_status", "find_booking", "reschedule_booking", "cancel_booking"]) {
      const codes = new Set(asText(articleOf(id)).match(/"confirmation_code": "(\w+)"|bookings\/([A-Z0-9]{8})/g));
      expect([id, [...codes].filter((code) => !code.includes(SAMPLE_CODE))]).toEqual([id, []]);
    }
  });

  test("have a table of their fields in every form, and a line for each word and warning", () => {
    for (const { id, output } of CAPABILITIES) {
      const schema = jsonSchema(output(CATALOG), "output");
      for (const [i, form] of (schema.anyOf ?? [schema]).entries()) {
        const fields = Object.keys((form.items ?? form).properties ?? {});
        expect(fields.length).toBeGreaterThan(2);
        for (const field of fields) expect(page).toContain(`id="${id}.data${i === 0 ? "" : i + 1}.${field}"`);
      }
    }
    expect(page).toContain("<code>too_soon</code> The shop needs more notice.");
    expect(markdown).toContain("`too_soon`: The shop needs more notice.");
    for (const [code, line] of Object.entries(WARNINGS)) {
      expect(page).toContain(`<div id="${code}">`);
      expect(markdown).toContain(`| \`${code}\` |  | ${line.replaceAll(/\b([a-z]+_[a-z_]+)\b/g, "`$1`")} |`);
    }
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

describe("fields", () => {
  test("inside a field are listed, with what they need", () => {
    for (const row of [
      "| `consent.confirmed_by_user` | boolean, required |",
      "| `shade.front_side` |",
      "| `windows[].width_in` | number, required |",
    ]) {
      expect(markdown).toContain(row);
    }
    for (const id of ["book_appointment.consent.statement", "flat_glass_estimate.windows.quantity"]) {
      expect(page).toContain(`id="${id}"`);
    }
  });
});

test("limits are the catalog's numbers", async () => {
  const catalog = catalogWith({ "rate_limits.anonymous_per_minute": 61, "rate_limits.api_key_per_minute": 307 });
  const other = testApp({ catalog });
  for (const path of ["/docs", "/docs-md"]) {
    const { text } = await other.get(API + path);
    for (const words of ["61 requests a minute", "307 requests a minute"]) expect(text).toContain(words);
  }
});

test("facts lead to where they are explained: every link within the page has its target", () => {
  const ids = new Set([...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id = ""]) => id);
  expect(targets.length).toBeGreaterThan(200);
  expect(targets.filter((id) => !ids.has(id))).toEqual([]);
  expect(page).not.toMatch(/side effect <code>none/);
  expect(page).toContain('<link rel="canonical" href="https://marlowridge.example/api/v1/docs">');
  expect(page).toContain('<meta property="og:title" content="Marlow Ridge Window Film API">');
});

describe("the changelog", () => {
  test("is read from the file", () => {
    const text = `# Changelog\n\nWords.\n\n## [Unreleased]\n\n### API added\n\n- One\n  thing, see [a page](docs/page.md).\n- \`Two\`\n\n### The desk\n\n- For owners\n\n### API fixed\n\n- Three\n\n## [1.0.0] - 2026-11-21\n`;
    expect(releasesIn(text)).toEqual([
      {
        version: "Unreleased",
        changes: [
          { kind: "API added", items: ["One thing, see a page.", "`Two`"] },
          { kind: "API fixed", items: ["Three"] },
        ],
      },
      { version: "1.0.0", date: "2026-11-21", changes: [] },
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

describe("page and Markdown", () => {
  test("the page loads no other file", async () => {
    const { status, headers, text } = await testApp().get(`${API}/docs`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toStartWith("text/html");
    const policy = Object.fromEntries(
      (headers.get("content-security-policy") ?? "").split(";").map((part) => {
        const [name = "", ...values] = part.trim().split(/\s+/);
        return [name, values.join(" ")];
      }),
    );
    expect(policy["default-src"]).toMatch(/^'(none|self)'$/);
    expect(policy["frame-ancestors"]).toBe("'none'");
    expect(JSON.stringify(policy)).not.toMatch(/unsafe|https?:|\*/);
    expect(text).not.toMatch(/<(iframe|img|object|embed|base)\b|<script[^>]+src|rel="(stylesheet|preload|import)"/i);
    // Listings are text: the one of the guide to embedding names a script.
    expect(text.replace(/<pre.*?<\/pre>/gs, "")).not.toMatch(/\bsrc\s*=|@import|\burl\(|\son\w+\s*=/i);
  });

  test("the policy of the page allows the style and the script of the page", async () => {
    const { headers, text } = await testApp().get(`${API}/docs`);
    for (const part of [/<style>([\s\S]*?)<\/style>/, /<script type="module">([\s\S]*?)<\/script>/]) {
      const hash = new Bun.CryptoHasher("sha256").update(part.exec(text)?.[1] ?? "").digest("base64");
      expect(headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
    }
  });

  test("the Markdown mentions every path, field and error code", async () => {
    const { status, headers, text } = await testApp().get(`${API}/docs-md`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toStartWith("text/markdown");
    for (const { method, path, id, input } of CAPABILITIES) {
      expect(text).toContain(`${method} ${path}`);
      expect(text).toContain(id);
      for (const field of Object.keys(jsonSchema(input(CATALOG), "input").properties ?? {}))
        expect(text).toContain(field);
    }
    for (const path of ["/capabilities", "/docs-md", "/openapi.json"]) expect(text).toContain(API + path);
    for (const [code, { status }] of Object.entries(ERRORS)) {
      expect(text).toContain(`| \`${code}\` | ${status}, `);
    }
    expect(text).toContain(CATALOG.site.base_url);
  });

  test("each section stands alone in Markdown, where its headline links to", async () => {
    const app = testApp();
    const { text } = await app.get(`${API}/docs`);
    const links = [...text.matchAll(/<a class="as-markdown" href="([^"]+)"/g)].map(([, href = ""]) => href);
    expect(links.length).toBeGreaterThan(20);
    const whole = (await app.get(`${API}/docs-md`)).text;
    for (const link of links) {
      const { status, headers, text: part } = await app.get(link);
      expect([link, status, headers.get("content-type")]).toEqual([link, 200, "text/markdown; charset=utf-8"]);
      expect(part).toMatch(/^# \S/);
      expect(whole.length).toBeGreaterThan(part.length);
    }
  });
});
