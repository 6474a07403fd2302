/** Faulty catalogs: each fault is reported at its line and column, with a caret under the position. */
import { describe, expect, onTestFinished, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unknownName } from "../../src/catalog/checks/rule.ts";
import { CatalogError } from "../../src/catalog/load/document.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import { catalogSchema } from "../../src/catalog/schema.ts";
import { fileSource } from "../../src/store/catalog/file-source.ts";
import { CATALOG, CATALOG_TEXT } from "../helpers.ts";
import { CATALOG_TEXT as SMALL_TEXT } from "../small-shop.ts";

const FILE = "catalog.yaml";

function issuesOf(text: string | Uint8Array): readonly string[] {
  try {
    parseCatalog(typeof text === "string" ? Buffer.from(text) : text, FILE);
  } catch (error) {
    if (error instanceof CatalogError) return error.issues;
    throw error;
  }
  return [];
}

/** What the message says, and edits of the text: what stands there once, with «old→new» where it changes and a ^ where the caret must be. */
type Fault = [message: string, ...edits: string[]];

const CHANGE = /«(.*?)→(.*?)»/gs;
const pairsOf = (edits: string[]) =>
  edits.map((edit) => [edit.replace(CHANGE, "$1").replace("^", ""), edit.replace(CHANGE, "$2")] as const);

/** The small shop's text, which is read in a third of the time, where it has all that the edits want once; else the stock catalog's. */
function textFor(edits: string[]): string {
  const text = [SMALL_TEXT, CATALOG_TEXT].find((one) => pairsOf(edits).every(([from]) => one.split(from).length === 2));
  if (!text) throw new Error(`in no catalog once: ${edits.join("; ")}`);
  return text;
}

/** The places of edits in a text. */
const splicesOf = (base: string, edits: string[]) =>
  pairsOf(edits).map(([from, to]) => ({ start: base.indexOf(from), end: base.indexOf(from) + from.length, to }));
type Splices = ReturnType<typeof splicesOf>;

const spliced = (base: string, splices: Splices) =>
  splices
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end, to }) => text.slice(0, start) + to + text.slice(end), base);
const edited = (...edits: string[]) => spliced(textFor(edits), splicesOf(textFor(edits), edits));

/** Several faults in one text, because reading it takes most of the time. */
interface Faulty {
  base: string;
  splices: Splices;
  faults: Fault[];
}

/** Puts as many faults as do not touch one another into one text. */
function textsWith(faults: readonly Fault[]): Faulty[] {
  const texts: Faulty[] = [];
  for (const fault of faults) {
    const [, ...edits] = fault;
    const base = textFor(edits);
    const splices = splicesOf(base, edits);
    const isFree = (text: Faulty) =>
      text.base === base &&
      splices.every(({ start, end }) => text.splices.every((other) => end <= other.start || start >= other.end));
    const text = texts.find(isFree) ?? { base, splices: [], faults: [] };
    if (!texts.includes(text)) texts.push(text);
    // A mark of its own for each caret, of characters that no catalog has.
    const mark = markOf(text.faults.length);
    text.splices.push(...splices.map((splice) => ({ ...splice, to: splice.to.replace("^", mark) })));
    text.faults.push(fault);
  }
  return texts;
}
const markOf = (nth: number) => String.fromCharCode(0xe000 + nth);
const MARKS = /[\ue000-\uf8ff]/g;

function expectFaults({ base, splices, faults }: Faulty): void {
  const marked = spliced(base, splices);
  const text = marked.replace(MARKS, "");
  const issues = issuesOf(text);
  const expected = faults.map(([message], nth) => {
    const offset = marked.slice(0, marked.indexOf(markOf(nth))).replace(MARKS, "").length;
    return { offset, message };
  });
  for (const [i, { offset, message }] of expected.sort((a, b) => a.offset - b.offset).entries())
    expectIssue(issues[i], text, offset, message);
  expect(issues).toHaveLength(faults.length);
}

function expectIssue(issue: string | undefined, text: string, offset: number, message: string): void {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  const column = offset - before.lastIndexOf("\n");
  const [head = "", source = "", caret = ""] = issue?.split("\n") ?? [];
  expect(head).toStartWith(`${FILE}:${line}:${column}: `);
  expect(head).toContain(message);
  expect(source).toStartWith(`  ${line} | `);
  expect(caret).toMatch(/^ +\| +\^$/);
  // The line shows the text of that place right above the caret.
  const above = source.slice(caret.indexOf("^"));
  const there = text.slice(offset, offset + 10).split("\n")[0] ?? "";
  expect(above).toStartWith(there.replaceAll("\t", " "));
}

/** After these nothing else is looked at, or the words of other faults change. */
const ALONE: Fault[] = [
  ["-0 is no amount: write 0", "Sunroof film, price: {standard: «79→^-0»,"],
  ["put quotes around the whole text", "Sunroof «film→^#1»,"],
  ["only looks like one", "«  →^\u00a0\u00a0»name: Marlow Ridge Window Film "],
  ["only looks like one", "  name«:→^：» Marlow Ridge Window Film "],
  ["this line ends with a lone carriage return", "  name: Marlow Ridge« Window Film →^\r  legal: x»"],
  [
    "a line that begins with % changes how the whole file is read: remove it",
    "# «→Prices of spring\n \n^%YAML 1.2\n---\n# »catalog.yaml - everything",
  ],
  [
    "a line that begins with % changes how the whole file is read: remove it",
    "«→^%TAG ! tag:x,2026:\n---\n»# catalog.yaml - everything",
  ],
  ["this key is there twice in the same group", "  «→^name: Other\n  »geo:"],
  ["a character is missing here: a closing quote, bracket, brace, colon or comma", "^currency«:→» USD  "],
  ["a space is missing after the colon", "bays:« →^»2"],
  ["a comma may be missing here", "full: ^249«,→» front2"],
  ["this comes after a value", 'label: «Metro→"Metro"» ^Atlanta\n'],
  ["must be in quotes", "label: «Metro→^&» Atlanta"],
  ["this alias (*name) points to nothing", "label: «Metro Atlanta→^*metro»"],
  ["this line is indented with a tab; use spaces", "«  →^\t»grid_minutes: 60"],
  ["services.6.key is used twice: clearplex", "    key: «ceramic_coating→^clearplex»"],
  ["flat_glass.ballpark_per_sqft.high must not be less than low", "ballpark_per_sqft: {low: «16→19», high: ^18}"],
];

/** A value by itself. */
const EACH: Fault[] = [
  ["like 629.50.", "Sunroof film, price: {standard: «79→629,^50»,"],
  ["; write 629.50, without quotes", "Sunroof film, price: {standard: «79→^'629,50'»,"],
  ["; write 1629.50, without quotes", "Sunroof film, price: {standard: «79→^'1.629,50'»,"],
  [
    "automotive.addons.brow lacks applies_to, minutes; a whole one is like windshield_strip: {name: Windshield strip, price: {standard: 59, ceramic: 99}, applies_to: [automotive], minutes: 30, position: windshield_strip}.",
    "    «→^brow: {name: Brow, price: 60}\n    »sunroof: ",
  ],
  [
    "rate_limits.agent_classes.microsoft.0 is in the name of every browser or of a common one",
    "microsoft: [«Bingbot→^Mozilla»,",
  ],
  ["mail_domains.0 must be a mail domain in small letters, like gmail.com", "mail_domains: [«→^pat@»gmail.com,"],
  [
    "tax.label must have a label, like Sales tax, because tax is included or added",
    "^tax: {status: «none→added, rate_pct: 8.875»}",
  ],
  ["business.hours.saturday.0.closes must be later than opens", 'saturday:  [{opens: "09:00", closes: ^"«15→08»:00"}]'],
  [
    "business.hours.tuesday must list opening times in order, without overlap",
    'tuesday:   ^[{opens: "09:00", closes: "«→13:00"}, {opens: "12:00", closes: "»18:00"}]',
  ],
  ["business.hours.saturday.0.opens must be a time of day written HH:MM", 'saturday:  [{opens: ^"«09→9»:00"'],
  ["business.timezone must be a time zone of the IANA list", "timezone: ^America/«New_York→New_Yrok»"],
  ["automotive.vehicle_types.coupe.standard.full must have at most 2 decimals", "standard: {full: ^249«→.999»,"],
  [
    "deposit.minutes_to_pay must be 1380 or less",
    "«→deposit: {amount: 50, services: [automotive], minutes_to_pay: ^1440}\n»retention_days: null",
  ],
  ["scheduling.bays must be a whole number", "bays: «2→^two»"],
  ["scheduling.bays must be 1 or more", "bays: «2→^0»"],
  [
    "automotive.vehicle_types.coupe.standard.249 is a number where a word is expected: write amounts without a comma inside, like 1249",
    "standard: {full: «→1,^»249,",
  ],
  ["must be text; put it in quotes", 'postal_code: «"30060"→^30060»'],
  ["one that begins with # or & needs quotes", "label: «Metro→^#1 in» Atlanta\n"],
  ["must be a list of times, like", "sunday: «[]→^closed»"],
  ["must be a number; write 1035, without quotes, commas and signs", 'blocked_window_each: «35→^"$1,035"»'],
  ["must be a number", "blocked_window_each: «→^$»35"],
  [
    "must be one of heat, glare, privacy, security, uv, leed or energy (did you mean heat?)",
    "default_concern: «heat→^heet»",
  ],
  ["scheduling.blocked_dates.0 is not a date of the calendar", 'blocked_dates: [«→^"2027-02-29"»]'],
  [
    "must be a word in small letters, like limo",
    "shade_words: {«limo→^Limo»: 5",
    "«{automotive.shade_words.limo}→Limo» is limo dark",
  ],
  ["tint_law.not_legal must be one of ask, refuse or warn", "not_legal: «ask→^maybe» "],
  [
    "tint_law.jurisdictions.US-IN.measure must be one of net, film or unclear",
    'the rear shade confirmed first."}\n      measure: «unclear→^clear»',
  ],
  [
    "access.blocked_networks.1 must be an address range, like 203.0.113.0/24",
    "blocked_networks: [«→203.0.113.0/24, ^10.0.0.0/33»]",
  ],
  ["access.blocked_countries.0 must be a two-letter country code, like US", "blocked_countries: [«→^fr»]"],
  ["messages.sms_countries must have at least 1", "sms_countries: ^[«US→»]"],
  ["follow_up.2.after must be a time span, like 30m, 4h or 2d", "after: «4h→^4 hours»"],
  ["site.base_url must end with /api/v1", "base_url: ^https://marlowridge.example/api«/v1→»  "],
  ["mcp.tools.9 must be one of", "confirm_booking, «reschedule_booking→^book_appointmnt»"],
  ["mcp.tools must list each tool once", "confirm_booking, «reschedule_booking→get_faq»", "tools: ^[get_services"],
  ["version must be 1", "version: «1→^2»  "],
  ["automotive.films.ceramic.ir_rejection_pct must be 100 or less", "ir_rejection_pct: «93→^930»"],
  [
    "business.service_area.counties must be a list",
    "counties: «[Cobb, Fulton, DeKalb, Gwinnett, Cherokee, Douglas, Paulding]→^Cobb»",
  ],
  [
    "business.special_hours.1.closed must be true or false",
    `reason: Christmas «Eve→Christmas Christmas Christmas Christmas Christmas Christmas Christmas Christmas Christmas Christmas Christmas Christmas Christmas Christmas Christmas Christmas Christmas Christmas Christmas Eve, closed: ^maybe»}`,
  ],
  [
    "scheduling.cure.full_cure_day is not a key of the catalog; did you mean full_cure_days?",
    "  cure: {«→^full_cure_day: 28, »",
  ],
  ["scheduling.byas is not a key of the catalog; did you mean bays?", "scheduling:\n  «→^byas: 3\n  »"],
  ["must be the id of a service", "{1: 270, «→^automotive: 10, »2: 60"],
];

/** Looked at once every value by itself is good. */
const TOGETHER: Fault[] = [
  [
    "automotive.vehicle_types.suv.ceramic.full must be above 0; write free: true at the service automotive if customers pay nothing",
    "ceramic: {full: «599→^0», front2: 239}",
  ],
  [
    "flat_glass.rates_per_sqft.commercial.best must be above 0; write free: true at the service commercial if",
    "best: «17.50→^0»}",
    "low: «16→0», high: 18",
  ],
  [
    'business.phone must be a number with its country code, like "+1-404-555-0142": write "+14045550142"',
    'phone: «"+1-404-555-0142"→^“+1-404-555-0142”» ',
  ],
  [
    'business.phone must be a number with its country code, like "+1-404-555-0142": write "+14045550142"',
    'phone: ^"«+1-404-→(404) »555-0142" ',
  ],
  ["is under coupe already: Honda CR-V", "Ford Mustang, «→honda crv, »Chevrolet Camaro", "Toyota bZ4X, ^Honda CR-V"],
  [
    "flat_glass.recommend.heat.good must be a film of flat_glass.films, and ceramic_4 is not; did you mean ceramic_40?",
    "heat:     {good: «ceramic_40→^ceramic_4», better",
  ],
  ["flat_glass.rates_per_sqft.commercial.best must lie between 16 and 18", "best: «17→^18».50}"],
  [
    "automotive.vehicle_types.coupe.clearplex is missing",
    "film_removal: {full: 150, front2: 70}«, clearplex: 395→»}",
    "    ^coupe:     {standard",
  ],
  ["deposit must have either amount or percent", "«→deposit: ^{services: [automotive]}\n»retention_days: null"],
  [
    "deposit must have either amount or percent",
    "«→deposit: ^{amount: 50, percent: 20, services: [automotive]}\n»retention_days: null",
  ],
  [
    "deposit.services.0 must be the key of a bookable service, and automotiv is not",
    "«→deposit: {amount: 50, services: [^automotiv]}\n»retention_days: null",
  ],
  [
    "business.special_hours.0 must be either closed or have hours, not both",
    '^{date: "2026-11-26", closed: true, «→hours: [{opens: "09:00", closes: "12:00"}], »reason: Thanks',
  ],
  [
    "business.special_hours.0 must have hours, or closed: true",
    '^{date: "2026-11-26", «closed: true, →»reason: Thanksgiving',
  ],
  ["business.special_hours.2 is a second entry for 2026-12-24", '- ^{date: "2026-12-«25→24»", closed'],
  ["scheduling.default_minutes.1 must be at least 270, the longest tint job", "default_minutes: {1: «270→^269»,"],
  [
    "must have an entry for service 6 (Clear windshield protective film)",
    "^{1: 270, 2: 60, 3: 60, 4: 60, 5: 120«, 6: 150→»}",
    "«about {scheduling.default_minutes.6}→a morning»",
  ],
  [
    "must have an entry for service 5 (Film removal): an estimate says how long the service takes",
    'bookable: «true→false»\n    estimate: automotive\n    faq_category: automotive\n    description: "Removal',
    "^{1: 270, 2: 60, 3: 60, 4: 60, «5: 120, →»6: 150}",
    "«up to {scheduling.default_minutes.5}→a morning»",
  ],
  [
    "services.6.bookable must be false: ceramic_coating has no price to book at (the estimate is quote_only)",
    "bookable: «false→^true»\n    estimate: quote_only",
  ],
  [
    "services.2.bookable must be false: commercial has no price to book at (the estimate is flat_glass)",
    "bookable: «false→^true»\n    estimate: flat_glass\n    faq_category: commercial",
  ],
  [
    "services.6.estimate needs prices: ceramic_coating has none in automotive.vehicle_types",
    "estimate: «quote_only→^automotive»",
    "{1: 270, «→7: 10, »2: 60",
  ],
  [
    "automotive.films.standard.shades.1.label is listed twice: 5",
    "{label: «20, vlt: 20}, {label: 35, vlt: 35}, {label: 50, vlt: 50→^5, vlt: 20}, {label: 35, vlt: 35»}]",
  ],
  [
    "answer names a place in braces that is not there. There is no automotive.vehicle_types.cope.clearplex in the catalog. Did you mean automotive.vehicle_types.coupe.clearplex?",
    "costs {automotive.vehicle_types.«coupe→cope».clearplex} for",
    'answer: ^"A clear film that protects',
  ],
  [
    "answer names {automotive.vehicle_types.coupe}, which is neither a number nor a text",
    "costs {automotive.vehicle_types.coupe«.clearplex→»} for",
    'answer: ^"A clear film that protects',
  ],
  [
    "answer names {flat_glass.recommended_tier}, which is not set",
    "costs {«automotive.vehicle_types.coupe.clearplex→flat_glass.recommended_tier»} for",
    'answer: ^"A clear film that protects',
  ],
  ["tint_law.home must be a key of tint_law.jurisdictions, and Georgia is not", "home: «US-GA→^Georgia»"],
  ["scheduling.default_minutes.9 is not the id of a service", "{1: 270, «→^9: 10, »2: 60"],
  ["services.6.id is used twice: 6", "  - id: «7→^6»"],
];

describe("each fault is told once, at its place", () => {
  const texts = [...ALONE.flatMap((fault) => textsWith([fault])), ...textsWith(EACH), ...textsWith(TOGETHER)];
  test.each(texts.map((text) => [text.faults.length, text.faults[0]?.[0], text] as const))("%d: %s", (_, __, text) =>
    expectFaults(text),
  );

  test("a colon without its space in braces is named", () => {
    const issues = issuesOf(edited("standard: {full:« →»249,"));
    expect(issues.map((issue) => issue.split("\n", 1)[0])).toEqual([
      expect.stringContaining("coupe.standard.full:249 needs a space after its colon"),
    ]);
  });

  test("lines below one that is indented differently are not named again", () => {
    const issues = issuesOf(edited("«  → »grid_minutes: 60"));
    expect(issues.filter((issue) => issue.includes("indented differently"))).toHaveLength(1);
  });

  test("a bracket left open is named as the fault", () => {
    const issues = issuesOf(edited("Douglas, Paulding«]→»"));
    expect(issues[0]).toMatch(/^catalog\.yaml:\d+:\d+: .*bracket/);
  });

  test("a quote left open is refused with a place", () => {
    const issues = issuesOf(edited('"How do I book an appointment?«"→»'));
    expect(issues[0]).toMatch(/^catalog\.yaml:\d+:\d+: /);
  });
});

describe("the file as a whole", () => {
  const WHOLE: [name: string, content: string | Uint8Array, issue: RegExp][] = [
    ["empty", "", /^catalog\.yaml:1:1: the file is empty; tint init makes/],
    ["a text with a colon", "name: Tom: the tinter\n", /^catalog\.yaml:1:7: put quotes around a text with a colon/],
    ["a quote inside quotes", "name: 'it's'\n", /^catalog\.yaml:1:11: the text in quotes ends before the line does/],
    ["a key too far right", "name: Tom\n  phone: 1\n", /^catalog\.yaml:1:7: the line below is indented further/],
    ["a list", "- a\n- b\n", /^catalog\.yaml:1:1: the file must be a group of keys/],
    ["two documents", `${SMALL_TEXT}\n---\nversion: 1\n`, /^catalog\.yaml:\d+:1: (?!.*parseAllDocuments)/],
    ["not UTF-8", Buffer.concat([Buffer.from(CATALOG_TEXT), Buffer.from([0xff, 0xfe])]), /is not UTF-8 text/],
    ["UTF-16", Buffer.from(`\ufeff${CATALOG_TEXT.slice(0, 60_000)}`, "utf16le"), /is not UTF-8 text/],
    ["over 256 KiB", `${CATALOG_TEXT}#${"x".repeat(256 * 1024)}`, /is larger than 256 KiB/],
    [
      "an alias bomb",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${["b", "c", "d", "e", "f", "g", "h"]
        .map((key, i) => `${key}: &${key} [${Array(9).fill(`*${"abcdefgh"[i]}`)}]`)
        .join("\n")}\n`,
      /too many aliases/,
    ],
  ];
  for (const [name, content, issue] of WHOLE) {
    test(name, () => {
      const issues = issuesOf(content);
      expect(issues).toHaveLength(1);
      expect(issues[0]).toMatch(issue);
    });
  }

  test("exactly 256 KiB is read", () => {
    const padding = 256 * 1024 - Buffer.byteLength(CATALOG_TEXT);
    expect(issuesOf(`${CATALOG_TEXT}${"#".padEnd(padding - 1, "x")}\n`)).toEqual([]);
  });

  test("no such file, a folder, and what has no end", () => {
    expect(() => loadCatalog(fileSource("no-such-file.yaml"))).toThrow(/^There is no file no-such-file\.yaml\./);
    expect(() => loadCatalog(fileSource(import.meta.dir))).toThrow(/cannot be read: it is a folder/);
    const folder = mkdtempSync(join(tmpdir(), "tintdesk-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [pipe, huge] = [join(folder, "pipe.yaml"), join(folder, "huge.yaml")];
    Bun.spawnSync(["mkfifo", pipe]);
    Bun.spawnSync(["truncate", "-s", "10G", huge]);
    for (const endless of [pipe, "/dev/zero"])
      expect(() => loadCatalog(fileSource(endless))).toThrow(`${endless} is a pipe or a device, and no file.`);
    expect(() => loadCatalog(fileSource(huge))).toThrow(`${huge} is larger than 256 KiB.`);
  });

  test("a byte-order mark and CR LF change neither the catalog nor the place of a fault", () => {
    const windows = (text: string) => `\ufeff${text.replaceAll("\n", "\r\n")}`;
    expect(parseCatalog(Buffer.from(windows(CATALOG_TEXT)), FILE)).toEqual(CATALOG);
    const text = edited("bays: «2→two»");
    expect(issuesOf(windows(text))).toEqual(issuesOf(text));
  });
});

test("how values go together is told once each is good; mistakes are counted", () => {
  const each = ["timezone: «America/New_York→Nowhere/At_All»", "bays: «2→two»"];
  expect(issuesOf(edited(...each, "home: «US-GA→Georgia»"))).toEqual([
    expect.stringContaining("business.timezone must"),
    expect.stringContaining("scheduling.bays must"),
  ]);
  expect(() => parseCatalog(Buffer.from(edited(...each)), FILE)).toThrow(/^catalog\.yaml has 2 mistakes:\n\n/);
  expect(() => parseCatalog(Buffer.from(edited("bays: «2→two»")), FILE)).toThrow(/has 1 mistake:\n\n/);
});

describe("a file cut short", () => {
  const sectionsOf = (text: string) => text.match(/^[a-z_]+(?=:)/gm) ?? [];
  /** The first lines of the small shop's file, whose last section is the law as in every catalog. */
  const lines = SMALL_TEXT.trimEnd().split("\n");
  const prefix = (count: number) => `${lines.slice(0, count).join("\n")}\n`;
  const acceptedOf = (texts: string[]) => texts.filter((text) => issuesOf(text).length === 0);

  test("the sections are those the catalog has", () => {
    // Off, a deposit stands there as a note.
    expect(CATALOG_TEXT).toContain("\n# deposit:\n");
    expect([...sectionsOf(CATALOG_TEXT), "deposit"].sort()).toEqual(Object.keys(catalogSchema.shape).sort());
    expect([sectionsOf(CATALOG_TEXT).at(-1), sectionsOf(SMALL_TEXT).at(-1)]).toEqual(["tint_law", "tint_law"]);
  });

  test("at the line ends is refused: before a section, after its first line and in it", () => {
    const cuts = lines.flatMap((line, i) => (/^[a-z_]+:/.test(line) || i % 40 === 0 ? [i] : []));
    expect(acceptedOf([...cuts.map((cut, nth) => cut + (nth % 2)), lines.length - 3].map(prefix))).toEqual([]);
  }, 60_000);

  test("without the last two keys is refused for the missing keys", () => {
    expect(lines.at(-2)).toStartWith("  vehicle_class:");
    const missing = ["vehicle_class", "confirm_class"].map((key) =>
      expect.stringContaining(`tint_law.${key} is missing.\n`),
    );
    expect(issuesOf(prefix(lines.length - 2))).toEqual(missing);
    expect(issuesOf(prefix(lines.length - 1))).toEqual(missing.slice(1));
  });

  test("within the last line is refused until the last value is complete", () => {
    const whole = SMALL_TEXT.lastIndexOf("]") + 1;
    const from = SMALL_TEXT.lastIndexOf("\n", whole - 1) + 1;
    // Inside a word one cut is like another.
    const cuts = [...Array(whole - from).keys()].filter(
      (more) => more % 8 === 0 || /\W/.test(SMALL_TEXT[from + more] ?? ""),
    );
    expect(acceptedOf(cuts.map((more) => SMALL_TEXT.slice(0, from + more)))).toEqual([]);
    expect(issuesOf(SMALL_TEXT.slice(0, whole))).toEqual([]);
  }, 60_000);
});

describe("a text is refused before its document is built", () => {
  const nested = (levels: number) => `${"{a: ".repeat(levels)}1${"}".repeat(levels)}`;
  test.each([
    ["braces", nested(51)],
    ["brackets", `${"[".repeat(51)}${"]".repeat(51)}`],
    ["indented keys", Array.from({ length: 51 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
    ["dashes", `${"- ".repeat(51)}1`],
    ["far deeper than the stack", "{a: ".repeat(60_000)],
  ])("above 50 levels: %s", (_, text) => {
    expect(issuesOf(text)).toEqual([expect.stringMatching(/^catalog\.yaml:\d+:\d+: .* more than 50 levels deep here/)]);
  });

  test("50 levels are read", () => {
    expect(issuesOf(nested(50)).join()).not.toContain("levels");
  });
});

test("of a mistake at every word, 200 are told", () => {
  const issues = issuesOf("!a ".repeat(1_500));
  expect(issues).toHaveLength(201);
  expect(issues.at(-1)).toMatch(/^catalog\.yaml: and \d+ more mistakes$/);
});

test("where no name is known, a mistake lists none", () => {
  expect(unknownName("a film", "carbon", [])).toBe("must be a film, and carbon is not");
  expect(unknownName("a film", "carbon", ["xr"])).toBe("must be a film, and carbon is not; known are xr");
});

test("a file that ends too early is told so at its end, and nothing else", () => {
  const law = SMALL_TEXT.indexOf("\ntint_law:");
  const faq = SMALL_TEXT.indexOf("\nfaq:");
  for (const at of [law, faq, faq + 200, SMALL_TEXT.indexOf("{rule:", law) + 5]) {
    const text = SMALL_TEXT.slice(0, at);
    const issues = issuesOf(text);
    expect([at, issues.length]).toEqual([at, 1]);
    expect(issues[0]).toStartWith(`${FILE}:${text.split("\n").length}:`);
    expect(issues[0]).toContain("the file is cut off: the last section is missing");
  }
});

test("a whole file with the line ends of an old Mac is one fault", () => {
  expect(issuesOf(SMALL_TEXT.replaceAll("\n", "\r"))).toEqual([
    expect.stringContaining("save the file with line ends of Unix (LF) or Windows (CRLF)"),
  ]);
});
