/** Faulty catalogs: each fault is reported at its line and column, with a caret under the position. */
import { describe, expect, test } from "bun:test";
import { unknownName } from "../../src/catalog/checks/rule.ts";
import { fileSource } from "../../src/catalog/file/file-source.ts";
import { CatalogError } from "../../src/catalog/load/document.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import { catalogSchema } from "../../src/catalog/schema.ts";
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

/**
 * A catalog with pieces of text replaced; each piece must be there exactly once. The small shop's, which is read in a third of
 * the time, where it has them all; else the stock catalog.
 */
function edited(...edits: [from: string, to: string][]): string {
  const text = [SMALL_TEXT, CATALOG_TEXT].find((one) => edits.every(([from]) => one.split(from).length === 2));
  if (!text) throw new Error(`in no catalog once: ${edits.map(([from]) => from).join("; ")}`);
  return edits.reduce((before, [from, to]) => before.replace(from, () => to), text);
}

/** The offset of the character behind the caret of a mark like `bays: ^two`. */
function offsetOf(text: string, mark: string): number {
  const plain = mark.replace("^", "");
  expect([plain, text.split(plain).length - 1]).toEqual([plain, 1]);
  return text.indexOf(plain) + mark.indexOf("^");
}

function expectIssue(issue: string | undefined, text: string, mark: string, message: string): void {
  const offset = offsetOf(text, mark);
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

type Edit = [from: string, to: string];
/** The mark says where the caret must be; the message must contain the given words. */
type Case = [name: string, edit: Edit, mark: string, message: string, ...also: Edit[]];

const SUNROOF = "    sunroof:          {name: Sunroof film, price: {standard: 79, ceramic: 129},";
const priced = (price: string) => SUNROOF.replace("79", price);

const CASES: Case[] = [
  ["minus nothing", [SUNROOF, priced("-0")], "{standard: ^-0,", "-0 is no amount: write 0"],
  ["cents behind a comma, in a group", [SUNROOF, priced("629,50")], "{standard: 629,^50,", "like 629.50."],
  ["thousands behind a comma, in a group", [SUNROOF, priced("1,200")], "{standard: 1,^200,", "like 1200."],
  ["cents behind a comma", [SUNROOF, priced("'629,50'")], "{standard: ^'629,50'", "; write 629.50, without quotes"],
  ["both", [SUNROOF, priced("'1.629,50'")], "{standard: ^'1.629,50'", "; write 1629.50, without quotes"],
  [
    "a name in a group that is cut at its #",
    [SUNROOF, SUNROOF.replace("Sunroof film", "Sunroof #1")],
    "{name: Sunroof ^#1,",
    "put quotes around the whole text",
  ],
  [
    "an add-on with two of its keys",
    [SUNROOF, `    brow: {name: Brow, price: 60}\n${SUNROOF}`],
    "    ^brow: {name",
    "automotive.addons.brow lacks applies_to, minutes; a whole one is like windshield_strip: {name: Windshield strip, price: {standard: 59, ceramic: 99}, applies_to: [automotive], minutes: 30, position: windshield_strip}.",
  ],
  ...(
    [
      ["\u00a0\u00a0name:", "^\u00a0\u00a0name:"],
      ["  name:\u00a0", "name:^\u00a0"],
      ["  name：", "name^："],
    ] as const
  ).map(([written, mark]): Case => {
    const edit: Edit = ["  name: Marlow Ridge Window Film ", `${written} Marlow Ridge Window Film `];
    return [`what only looks like YAML: ${mark}`, edit, `${mark} Marlow`, "only looks like one"];
  }),
  [
    "a line end of an old Mac",
    ["  name: Marlow Ridge Window Film ", "  name: Marlow Ridge\r  legal: x"],
    "  name: Marlow Ridge^\r",
    "this line ends with a lone carriage return",
  ],
  [
    "a word of an agent that is in every browser's name",
    ["microsoft: [Bingbot,", "microsoft: [Mozilla,"],
    "microsoft: [^Mozilla,",
    "rate_limits.agent_classes.microsoft.0 is in the name of every browser or of a common one",
  ],
  [
    "a mail domain that is an address",
    ["mail_domains: [gmail.com,", "mail_domains: [pat@gmail.com,"],
    "mail_domains: [^pat@gmail.com,",
    "mail_domains.0 must be a mail domain in small letters, like gmail.com",
  ],
  [
    "a film that costs nothing",
    ["ceramic: {full: 599, front2: 239}", "ceramic: {full: 0, front2: 239}"],
    "ceramic: {full: ^0, front2: 239}",
    "automotive.vehicle_types.suv.ceramic.full must be above 0; write free: true at the service automotive if customers pay nothing",
  ],
  [
    "a service that costs nothing",
    ["clearplex: 475}", "clearplex: 0}"],
    "clearplex: ^0}",
    "automotive.vehicle_types.suv.clearplex must be above 0; write free: true at the service clearplex if",
  ],
  [
    "glass that costs nothing",
    ["best: 17.50}", "best: 0}"],
    "best: ^0}",
    "flat_glass.rates_per_sqft.commercial.best must be above 0; write free: true at the service commercial if",
    ["low: 16, high: 18", "low: 0, high: 18"],
  ],
  ...["%YAML 1.1\n---", "# Prices of spring\n \n%YAML 1.2\n---", "%TAG ! tag:x,2026:\n---", "%spring"].map(
    (line): Case => [
      `a first line that changes how the rest is read: ${line.match(/%.*/)}`,
      ["# catalog.yaml - everything", `${line}\n# catalog.yaml - everything`],
      line.replace("%", "^%"),
      "a line that begins with % changes how the whole file is read: remove it, and the line of --- below it",
    ],
  ),
  [
    "a phone in the quotes of a word processor",
    ['phone: "+1-404-555-0142" ', "phone: “+1-404-555-0142” "],
    "phone: ^“+1",
    'business.phone must be a number with its country code, like "+1-404-555-0142": write "+14045550142"',
  ],
  [
    "a phone without its country code",
    ['phone: "+1-404-555-0142" ', 'phone: "(404) 555-0142" '],
    'phone: ^"(404)',
    'business.phone must be a number with its country code, like "+1-404-555-0142": write "+14045550142"',
  ],
  [
    "a phone that nobody can call",
    ['phone: "+1-404-555-0142" ', "phone: +1-404-TINT "],
    "phone: ^+1-404-TINT",
    'business.phone must be a number with its country code, like "+1-404-555-0142".',
  ],
  [
    "a make and model under two vehicle types",
    ["Ford Mustang, Chevrolet Camaro", "Ford Mustang, honda crv, Chevrolet Camaro"],
    "Toyota Venza, Toyota bZ4X, ^Honda CR-V",
    "is under coupe already: Honda CR-V",
  ],
  [
    "tax that is added, without a label",
    ["tax: {status: none}", "tax: {status: added, rate_pct: 8.875}"],
    "^tax: {status: added",
    "tax.label must have a label, like Sales tax, because tax is included or added",
  ],
  [
    "usual glass that lets no light through",
    [
      "usual_rear_glass: 20\n      examples: [\n        Toyota Highlander",
      "usual_rear_glass: 0\n      examples: [\n        Toyota Highlander",
    ],
    "usual_rear_glass: ^0\n",
    "automotive.vehicle_facts.suv.usual_rear_glass must be 1 or more",
  ],
  [
    "assumed glass that lets more than all light through",
    ["glass_vlt: {passenger: {front_side: 75", "glass_vlt: {passenger: {front_side: 101"],
    "glass_vlt: {passenger: {front_side: ^101",
    "tint_law.glass_vlt.passenger.front_side must be 100 or less",
  ],
  [
    "an unknown film in recommend",
    ["heat:     {good: ceramic_40, better", "heat:     {good: ceramic_4, better"],
    "heat:     {good: ^ceramic_4,",
    "flat_glass.recommend.heat.good must be a film of flat_glass.films, and ceramic_4 is not; did you mean ceramic_40?",
  ],
  [
    "an unknown film after the blanks that line up the columns",
    ["better: dual_10,     best: frosted}", "better: dual_10,     best: frost}"],
    "better: dual_10,     best: ^frost}",
    "flat_glass.recommend.privacy.best must be a film of flat_glass.films, and frost is not; did you mean frosted?",
  ],
  [
    "a rate outside the ballpark",
    ["best: 17.50}", "best: 18.50}"],
    "best: ^18.50}",
    "flat_glass.rates_per_sqft.commercial.best must lie between 16 and 18",
  ],
  [
    "a tier that does worse than the one before it",
    ["best: dual_10}\n    privacy", "best: clear_85}\n    privacy"],
    "best: ^clear_85}",
    "flat_glass.recommend.glare.best must not do worse at glare than the step before it (glare 9 after 76)",
  ],
  [
    "closing before opening",
    ['saturday:  [{opens: "09:00", closes: "15:00"}]', 'saturday:  [{opens: "09:00", closes: "08:00"}]'],
    'closes: ^"08:00"',
    "business.hours.saturday.0.closes must be later than opens",
  ],
  [
    "openings that overlap",
    [
      'tuesday:   [{opens: "09:00", closes: "18:00"}]',
      'tuesday:   [{opens: "09:00", closes: "13:00"}, {opens: "12:00", closes: "18:00"}]',
    ],
    'tuesday:   ^[{opens: "09:00"',
    "business.hours.tuesday must list opening times in order, without overlap",
  ],
  [
    "an hour that does not exist",
    ['saturday:  [{opens: "09:00"', 'saturday:  [{opens: "9:00"'],
    'opens: ^"9:00"',
    "business.hours.saturday.0.opens must be a time of day written HH:MM",
  ],
  [
    "an unknown time zone",
    ["timezone: America/New_York", "timezone: America/New_Yrok"],
    "timezone: ^America/New_Yrok",
    "business.timezone must be a time zone of the IANA list",
  ],
  [
    "three decimals",
    ["standard: {full: 249,", "standard: {full: 249.999,"],
    "full: ^249.999",
    "automotive.vehicle_types.coupe.standard.full must have at most 2 decimals",
  ],
  [
    "a missing vehicle price",
    ["film_removal: {full: 150, front2: 70}, clearplex: 395}", "film_removal: {full: 150, front2: 70}}"],
    "    ^coupe:     {standard",
    "automotive.vehicle_types.coupe.clearplex is missing",
  ],
  ["a key twice", ["  geo:", "  name: Other\n  geo:"], "  ^name: Other", "this key is there twice in the same group"],
  [
    "a missing colon",
    ["currency: USD  ", "currency USD  "],
    "^currency USD",
    "a character is missing here: a closing quote, bracket, brace, colon or comma",
  ],
  ...(
    [
      [
        "a deposit of nothing",
        "deposit: {services: [automotive]}",
        "deposit: ^{services",
        "deposit must have either amount or percent",
      ],
      [
        "a deposit of two kinds",
        "deposit: {amount: 50, percent: 20, services: [automotive]}",
        "deposit: ^{amount",
        "deposit must have either amount or percent",
      ],
      [
        "a deposit of a service that nobody books",
        "deposit: {amount: 50, services: [automotiv]}",
        "[^automotiv]",
        "deposit.services.0 must be the key of a bookable service, and automotiv is not",
      ],
      [
        "a page of Stripe's that would live too long",
        "deposit: {amount: 50, services: [automotive], minutes_to_pay: 1440}",
        "minutes_to_pay: ^1440",
        "deposit.minutes_to_pay must be 1380 or less",
      ],
    ] as const
  ).map(
    ([name, line, mark, message]): Case => [
      name,
      ["retention_days: null", `${line}\nretention_days: null`],
      mark,
      message,
    ],
  ),
  ["a wrong type", ["bays: 2", "bays: two"], "bays: ^two", "scheduling.bays must be a whole number"],
  ["a number in quotes", ["bays: 2", 'bays: "2"'], 'bays: ^"2"', "scheduling.bays must be a whole number"],
  ["part of a bay", ["bays: 2", "bays: 2.5"], "bays: ^2.5", "scheduling.bays must be a whole number"],
  ["no bays", ["bays: 2", "bays: 0"], "bays: ^0 ", "scheduling.bays must be 1 or more"],
  [
    "thousands with a comma",
    ["standard: {full: 249,", "standard: {full: 1,249,"],
    "full: 1,^249",
    "automotive.vehicle_types.coupe.standard.249 is a number where a word is expected: write amounts without a comma inside, like 1249",
  ],
  [
    "no space after a colon, first in its group",
    ["bays: 2", "bays:2"],
    "bays:^2",
    "a space is missing after the colon",
  ],
  [
    "no space after a colon, further down",
    ["  horizon_days: 60", "  horizon_days:60"],
    "horizon_days:^60",
    "a space is missing after the colon",
  ],
  [
    "a group without its comma",
    ["full: 249, front2", "full: 249 front2"],
    "full: ^249 front2",
    "a comma may be missing here",
  ],
  [
    "text after an alias",
    ["label: Metro Atlanta\n", 'label: "Metro" Atlanta\n'],
    '"Metro" ^Atlanta',
    "this comes after a value",
  ],
  ["text that begins with &", ["label: Metro Atlanta", "label: & Atlanta"], "label: ^& Atlanta", "must be in quotes"],
  [
    "a ZIP code without quotes",
    ['postal_code: "30060"', "postal_code: 30060"],
    "postal_code: ^30060",
    "must be text; put it in quotes",
  ],
  [
    "text that is a note",
    ["label: Metro Atlanta\n", "label: #1 in Atlanta\n"],
    "label: ^#1",
    "one that begins with # or & needs quotes",
  ],
  ["hours in words", ["sunday: []", "sunday: closed"], "sunday: ^closed", "must be a list of times, like"],
  [
    "a price with its sign",
    ["blocked_window_each: 35", 'blocked_window_each: "$1,035"'],
    'each: ^"$1,035"',
    "must be a number; write 1035, without quotes, commas and signs",
  ],
  ["money in words", ["blocked_window_each: 35", "blocked_window_each: $35"], "each: ^$35", "must be a number"],
  [
    "an unknown word, close to a known one",
    ["default_concern: heat", "default_concern: heet"],
    "default_concern: ^heet",
    "must be one of heat, glare, privacy, security, uv, leed or energy (did you mean heat?)",
  ],
  [
    "an impossible date",
    ['date: "2026-11-26"', 'date: "2027-02-30"'],
    'date: ^"2027-02-30"',
    "business.special_hours.0.date is not a date of the calendar",
  ],
  [
    "an impossible blocked date",
    ["blocked_dates: []", 'blocked_dates: ["2027-02-29"]'],
    '[^"2027-02-29"]',
    "scheduling.blocked_dates.0 is not a date of the calendar",
  ],
  [
    "a special day both closed and with hours",
    ["closed: true, reason: Thanks", 'closed: true, hours: [{opens: "09:00", closes: "12:00"}], reason: Thanks'],
    '- ^{date: "2026-11-26"',
    "business.special_hours.0 must be either closed or have hours, not both",
  ],
  [
    "a special day neither closed nor with hours",
    ["closed: true, reason: Thanksgiving", "reason: Thanksgiving"],
    '- ^{date: "2026-11-26"',
    "business.special_hours.0 must have hours, or closed: true",
  ],
  [
    "a special day twice",
    ['- {date: "2026-12-25", closed', '- {date: "2026-12-24", closed'],
    '- ^{date: "2026-12-24", closed',
    "business.special_hours.2 is a second entry for 2026-12-24",
  ],
  [
    "default_minutes shorter than the longest job",
    ["default_minutes: {1: 270,", "default_minutes: {1: 269,"],
    "1: ^269,",
    "scheduling.default_minutes.1 must be at least 270, the longest tint job",
  ],
  [
    "no default_minutes for a bookable service",
    ["{1: 270, 2: 60, 3: 60, 4: 60, 5: 120, 6: 150}", "{1: 270, 2: 60, 3: 60, 4: 60, 5: 120}"],
    "default_minutes: ^{1: 270, 2: 60, 3: 60, 4: 60, 5: 120}",
    "must have an entry for service 6 (Clear windshield protective film)",
    ["about {scheduling.default_minutes.6}", "a morning"],
  ],
  [
    "no default_minutes for a service that is priced but not booked online",
    [
      'bookable: true\n    estimate: automotive\n    faq_category: automotive\n    description: "Removal',
      'bookable: false\n    estimate: automotive\n    faq_category: automotive\n    description: "Removal',
    ],
    "default_minutes: ^{1: 270, 2: 60, 3: 60, 4: 60, 6: 150}",
    "must have an entry for service 5 (Film removal): an estimate says how long the service takes",
    ["{1: 270, 2: 60, 3: 60, 4: 60, 5: 120, 6: 150}", "{1: 270, 2: 60, 3: 60, 4: 60, 6: 150}"],
    ["up to {scheduling.default_minutes.5}", "a morning"],
  ],
  [
    "a bookable service without a list price",
    ["bookable: false\n    estimate: quote_only", "bookable: true\n    estimate: quote_only"],
    "bookable: ^true\n    estimate: quote_only",
    "services.6.bookable must be false: ceramic_coating has no price to book at (the estimate is quote_only)",
  ],
  [
    "work that stays over night although customers cannot book it",
    ["bookable: false\n    estimate: quote_only", "bookable: false\n    over_night: true\n    estimate: quote_only"],
    "over_night: ^true\n    estimate: quote_only",
    "services.6.over_night must be false: customers cannot book ceramic_coating (bookable is false)",
  ],
  [
    "a bookable service that is quoted by the square foot",
    [
      "bookable: false\n    estimate: flat_glass\n    faq_category: commercial",
      "bookable: true\n    estimate: flat_glass\n    faq_category: commercial",
    ],
    "bookable: ^true\n    estimate: flat_glass",
    "services.2.bookable must be false: commercial has no price to book at (the estimate is flat_glass)",
  ],
  [
    "a vehicle price for a key that has none",
    ["estimate: quote_only", "estimate: automotive"],
    "estimate: ^automotive\n    faq_category: general",
    "services.6.estimate needs prices: ceramic_coating has none in automotive.vehicle_types",
    ["{1: 270, 2: 60", "{1: 270, 7: 10, 2: 60"],
  ],
  [
    "a shade that a film lists twice",
    ["{label: 20, vlt: 20}, {label: 35, vlt: 35}, {label: 50, vlt: 50}]", "{label: 5, vlt: 20}, {label: 35, vlt: 35}]"],
    "{label: ^5, vlt: 20}",
    "automotive.films.standard.shades.1.label is listed twice: 5",
  ],
  [
    "a shade word with a capital",
    ["shade_words: {limo: 5", "shade_words: {Limo: 5"],
    "shade_words: {^Limo: 5",
    "must be a word in small letters, like limo",
    ["{automotive.shade_words.limo} is limo dark", "Limo is limo dark"],
  ],
  [
    "a place named in an answer that is not there",
    ["costs {automotive.vehicle_types.coupe.clearplex} for", "costs {automotive.vehicle_types.cope.clearplex} for"],
    'answer: ^"A clear film that protects the windshield.',
    "answer names a place in braces that is not there. There is no automotive.vehicle_types.cope.clearplex in the catalog. Did you mean automotive.vehicle_types.coupe.clearplex?",
  ],
  [
    "a group named in an answer",
    ["costs {automotive.vehicle_types.coupe.clearplex} for", "costs {automotive.vehicle_types.coupe} for"],
    'answer: ^"A clear film that protects the windshield.',
    "answer names {automotive.vehicle_types.coupe}, which is neither a number nor a text",
  ],
  [
    "a key named in an answer that is not set",
    ["costs {automotive.vehicle_types.coupe.clearplex} for", "costs {flat_glass.recommended_tier} for"],
    'answer: ^"A clear film that protects the windshield.',
    "answer names {flat_glass.recommended_tier}, which is not set",
  ],
  [
    "an unknown rule for shades that are not legal",
    ["not_legal: ask ", "not_legal: maybe "],
    "not_legal: ^maybe",
    "tint_law.not_legal must be one of ask, refuse or warn",
  ],
  [
    "an unknown home of the law",
    ["home: US-GA", "home: Georgia"],
    "home: ^Georgia",
    "tint_law.home must be a key of tint_law.jurisdictions, and Georgia is not",
  ],
  [
    "an unknown rule",
    [
      'class_notes: {multipurpose: "The law is vague for SUVs, trucks and vans: have the rear shade confirmed first."}\n      measure: unclear',
      "measure: clear",
    ],
    "measure: ^clear",
    "tint_law.jurisdictions.US-IN.measure must be one of net, film or unclear",
  ],
  [
    "a service's key twice",
    ["    key: ceramic_coating", "    key: clearplex"],
    "  - id: 7\n    key: ^clearplex",
    "services.6.key is used twice: clearplex",
  ],
  [
    "a bad network",
    ["blocked_networks: []", "blocked_networks: [203.0.113.0/24, 10.0.0.0/33]"],
    ", ^10.0.0.0/33]",
    "access.blocked_networks.1 must be an address range, like 203.0.113.0/24",
  ],
  [
    "a country in small letters",
    ["blocked_countries: []", "blocked_countries: [fr]"],
    "[^fr]",
    "access.blocked_countries.0 must be a two-letter country code, like US",
  ],
  [
    "a country of texts that is no code",
    ["sms_countries: [US]", "sms_countries: [US, Canada]"],
    "[US, ^Canada]",
    "messages.sms_countries.1 must be a two-letter country code, like US",
  ],
  [
    "no country of texts at all",
    ["sms_countries: [US]", "sms_countries: []"],
    "sms_countries: ^[]",
    "messages.sms_countries must have at least 1",
  ],
  [
    "personal data kept for no day",
    ["retention_days: null", "retention_days: 0"],
    "retention_days: ^0",
    "retention_days must be 1 or more",
  ],
  [
    "a time span in words",
    ["after: 4h", "after: 4 hours"],
    "after: ^4 hours",
    "follow_up.2.after must be a time span, like 30m, 4h or 2d",
  ],
  [
    "a base address without its ending",
    ["base_url: https://marlowridge.example/api/v1  ", "base_url: https://marlowridge.example/api  "],
    "base_url: ^https://marlowridge.example/api  ",
    "site.base_url must end with /api/v1",
  ],
  [
    "a tool that is none",
    ["confirm_booking, reschedule_booking", "confirm_booking, book_appointmnt"],
    "confirm_booking, ^book_appointmnt",
    "mcp.tools.9 must be one of",
  ],
  [
    "a tool listed twice",
    ["confirm_booking, reschedule_booking", "confirm_booking, get_faq"],
    "tools: ^[get_services",
    "mcp.tools must list each tool once",
  ],
  ["another layout", ["version: 1  ", "version: 2  "], "version: ^2  ", "version must be 1"],
  [
    "an alias to nothing",
    ["label: Metro Atlanta", "label: *metro"],
    "label: ^*metro",
    "this alias (*name) points to nothing",
  ],
  [
    "a percentage over 100",
    ["ir_rejection_pct: 93", "ir_rejection_pct: 930"],
    "ir_rejection_pct: ^930",
    "automotive.films.ceramic.ir_rejection_pct must be 100 or less",
  ],
  [
    "a phrase where there must be a list",
    ["counties: [Cobb, Fulton, DeKalb, Gwinnett, Cherokee, Douglas, Paulding]", "counties: Cobb"],
    "counties: ^Cobb",
    "business.service_area.counties must be a list",
  ],
  [
    "a fault far to the right of a long line",
    ["reason: Christmas Eve}", `reason: ${"Christmas ".repeat(20)}Eve, closed: maybe}`],
    "Eve, closed: ^maybe",
    "business.special_hours.1.closed must be true or false",
  ],
  [
    "a key with a typing mistake: the caret is under the key",
    ["  cure: {", "  cure: {full_cure_day: 28, "],
    "{^full_cure_day: 28,",
    "scheduling.cure.full_cure_day is not a key of the catalog; did you mean full_cure_days?",
  ],
  [
    "minutes for a service that does not exist: the caret is under its id",
    ["{1: 270, 2: 60", "{1: 270, 9: 10, 2: 60"],
    ", ^9: 10,",
    "scheduling.default_minutes.9 is not the id of a service",
  ],
  [
    "minutes for something that is no id",
    ["{1: 270, 2: 60", "{1: 270, automotive: 10, 2: 60"],
    ", ^automotive: 10,",
    "must be the id of a service",
  ],
  [
    "a negative price: one fault",
    ["blocked_window_each: 35", "blocked_window_each: -35"],
    "blocked_window_each: ^-35",
    "flat_glass.blocked_window_each must be 0 or more",
  ],
  [
    "a ballpark upside down: one fault",
    ["ballpark_per_sqft: {low: 16, high: 18}", "ballpark_per_sqft: {low: 19, high: 18}"],
    "low: 19, high: ^18}",
    "flat_glass.ballpark_per_sqft.high must not be less than low",
  ],
  [
    "a service's id twice: one fault",
    ["  - id: 7", "  - id: 6"],
    "- id: ^6\n    key: ceramic_coating",
    "services.6.id is used twice: 6",
  ],
  [
    "a tab: one fault, at the tab",
    ["  grid_minutes: 60", "\tgrid_minutes: 60"],
    "^\tgrid_minutes: 60",
    "this line is indented with a tab; use spaces",
  ],
];

describe("one fault", () => {
  for (const [name, edit, mark, message, ...also] of CASES) {
    test(name, () => {
      const text = edited(edit, ...also);
      const issues = issuesOf(text);
      expectIssue(issues[0], text, mark, message);
      expect(issues).toHaveLength(1);
    });
  }

  test("a colon without its space in braces is named", () => {
    const issues = issuesOf(edited(["standard: {full: 249,", "standard: {full:249,"]));
    expect(issues.map((issue) => issue.split("\n", 1)[0])).toEqual([
      expect.stringContaining("coupe.standard.full:249 needs a space after its colon"),
    ]);
  });

  test("lines below one that is indented differently are not named again", () => {
    const issues = issuesOf(edited(["  grid_minutes: 60", " grid_minutes: 60"]));
    expect(issues.filter((issue) => issue.includes("indented differently"))).toHaveLength(1);
  });

  test("a service with a fault is no fault of the add-ons that go with it", () => {
    const issues = issuesOf(edited(["tinting a vehicle\n    bookable: true", "tinting a vehicle\n    bookable: yes"]));
    expect(issues).toEqual([expect.stringContaining("services.0.bookable must be true or false")]);
  });

  test("a date in another form is one fault", () => {
    const issues = issuesOf(edited(['date: "2026-11-26"', "date: 11/26/2026"]));
    expect(issues).toEqual([expect.stringContaining("must be a date written YYYY-MM-DD")]);
  });

  test("a bracket left open is named as the fault", () => {
    const issues = issuesOf(edited(["Douglas, Paulding]", "Douglas, Paulding"]));
    expect(issues[0]).toMatch(/^catalog\.yaml:\d+:\d+: .*bracket/);
  });

  test("a quote left open is refused with a place", () => {
    const issues = issuesOf(edited(['"How do I book an appointment?"', '"How do I book an appointment?']));
    expect(issues[0]).toMatch(/^catalog\.yaml:\d+:\d+: /);
  });
});

describe("the file as a whole", () => {
  const WHOLE: [name: string, content: string | Uint8Array, issue: RegExp][] = [
    ["empty", "", /^catalog\.yaml:1:1: the file is empty; tint init makes/],
    ["only a comment", "# nothing yet\n", /^catalog\.yaml:1:1: the file is empty; tint init makes/],
    ["a text with a colon", "name: Tom: the tinter\n", /^catalog\.yaml:1:7: put quotes around a text with a colon/],
    ["a quote inside quotes", "name: 'it's'\n", /^catalog\.yaml:1:11: the text in quotes ends before the line does/],
    ["a key too far right", "name: Tom\n  phone: 1\n", /^catalog\.yaml:1:7: the line below is indented further/],
    ["a single word", "hello", /^catalog\.yaml:1:1: the file must be a group of keys/],
    ["a list", "- a\n- b\n", /^catalog\.yaml:1:1: the file must be a group of keys/],
    ["two documents", `${CATALOG_TEXT}\n---\nversion: 1\n`, /^catalog\.yaml:\d+:1: (?!.*parseAllDocuments)/],
    ["not UTF-8", Buffer.concat([Buffer.from(CATALOG_TEXT), Buffer.from([0xff, 0xfe])]), /is not UTF-8 text/],
    ["Latin-1", Buffer.from(CATALOG_TEXT.replace("Marlow", "Märlow"), "latin1"), /is not UTF-8 text/],
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

  test("no such file, and a folder", () => {
    expect(() => loadCatalog(fileSource("no-such-file.yaml"))).toThrow(/^There is no file no-such-file\.yaml\./);
    expect(() => loadCatalog(fileSource(import.meta.dir))).toThrow(/cannot be read: it is a folder/);
  });

  test("a byte-order mark and CR LF change neither the catalog nor the place of a fault", () => {
    const windows = (text: string) => `\ufeff${text.replaceAll("\n", "\r\n")}`;
    expect(parseCatalog(Buffer.from(windows(CATALOG_TEXT)), FILE)).toEqual(CATALOG);
    const text = edited(["bays: 2", "bays: two"]);
    expect(issuesOf(windows(text))).toEqual(issuesOf(text));
  });
});

test("several faults are reported at once, in the order of the file, and counted; how values go together, once each is good", () => {
  const together: [string, string][] = [
    ["heat:     {good: ceramic_40, better", "heat:     {good: ceramic_4, better"],
    ["home: US-GA", "home: Georgia"],
  ];
  const each: [string, string][] = [
    ["timezone: America/New_York", "timezone: Nowhere/At_All"],
    ["standard: {full: 249,", "standard: {full: 249.999,"],
    ["bays: 2", "bays: two"],
  ];
  for (const [changes, marks] of [
    [
      [...each, ...together],
      ["timezone: ^Nowhere", "full: ^249.999", "bays: ^two"],
    ],
    [together, ["heat:     {good: ^ceramic_4,", "home: ^Georgia"]],
  ] as const) {
    const text = edited(...changes);
    const issues = issuesOf(text);
    expect(issues).toHaveLength(marks.length);
    marks.forEach((mark, i) => {
      expectIssue(issues[i], text, mark, "must");
    });
  }
  expect(() => parseCatalog(Buffer.from(edited(...each)), FILE)).toThrow(/^catalog\.yaml has 3 mistakes:\n\n/);
  expect(() => parseCatalog(Buffer.from(edited(["bays: 2", "bays: two"])), FILE)).toThrow(/has 1 mistake:\n\n/);
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

  test("at the line ends is refused: before each section and in it", () => {
    const cuts = lines.flatMap((_, i) =>
      [i, i + 1].some((at) => /^[a-z_]+:/.test(lines[at] ?? "")) || i % 9 === 0 ? [i] : [],
    );
    expect(acceptedOf([...cuts, lines.length - 3].map(prefix))).toEqual([]);
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
    expect(acceptedOf([...Array(whole - from).keys()].map((more) => SMALL_TEXT.slice(0, from + more)))).toEqual([]);
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
  const end = CATALOG_TEXT.indexOf("\n  vehicle_class:");
  const law = CATALOG_TEXT.indexOf("\ntint_law:");
  const faq = CATALOG_TEXT.indexOf("\nfaq:");
  for (const at of [law, law * 0.3, law * 0.7, faq, faq + 200, CATALOG_TEXT.indexOf("{rule:", end * 0.9) + 5]) {
    const text = CATALOG_TEXT.slice(0, Math.floor(at));
    const issues = issuesOf(text);
    expect([at, issues.length]).toEqual([at, 1]);
    expect(issues[0]).toStartWith(`${FILE}:${text.split("\n").length}:`);
    expect(issues[0]).toContain("the file is cut off: the last section is missing");
  }
});

test("a whole file with the line ends of an old Mac, or of Windows", () => {
  const issues = issuesOf(CATALOG_TEXT.replaceAll("\n", "\r"));
  expect(issues).toHaveLength(1);
  expect(issues[0]).toContain("save the file with line ends of Unix (LF) or Windows (CRLF)");
  expect(issuesOf(CATALOG_TEXT.replaceAll("\n", "\r\n"))).toEqual([]);
});
