/** Makes the catalog of a new shop: the project's own catalog.yaml with all notes, and with the new shop's facts. */
import { itemsRemoved, listOrGroupSet, scalarSet } from "../../src/catalog/edit/changes.ts";
import {
  applyChanges,
  lineEnd,
  lineStart,
  nodeAt,
  nodeSpan,
  type Splice,
  type TextChange,
} from "../../src/catalog/edit/layout.ts";
import { removeServices } from "../../src/catalog/edit/services.ts";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import { type Layout, readLayout } from "../../src/catalog/load/values.ts";
import type { Path, ScalarValue } from "../../src/catalog/path.ts";
import type { Jurisdiction, TintRule } from "../../src/catalog/schema.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { VEHICLE_CLASSES, WEEKDAYS } from "../../src/constants.ts";
import { capitalized } from "../../src/lib/text.ts";
import type { NewShop } from "./init-questions.ts";
import toConfirm from "./questions-to-confirm.json" with { type: "json" };
import { everyPlace, raisedPrices } from "./reprice.ts";
import { readTemplate, TEMPLATE } from "./terms.ts";

export interface NewCatalog {
  text: string;
  catalog: Shop;
  /** Questions of the template that are not true of the new shop. */
  questionsLeftOut: string[];
  /** Questions that the owner must read: they say how the shop works, or what its state's law is. */
  questionsToRead: string[];
}

/** @throws CatalogError when an answer is not allowed in a catalog */
export function newCatalog(shop: NewShop, file: string, today: string): NewCatalog {
  const { services } = readTemplate();
  const unsold = services.map(({ key }) => key).filter((key) => shop.services?.includes(key) === false);
  const sold = removeServices(TEMPLATE, unsold);
  const layout = readLayout(sold);
  // Every price, to whole dollars; one rule for all keeps ranges in order.
  const by = { share: (shop.priceLevel - 100) * 1000, step: 100 };
  const scaled = raisedPrices(layout.source, everyPlace(layout.source), by);
  const { answers, leftOut } = questions(shop, parseCatalog(Buffer.from(sold), file));
  const changes = [
    ...facts(shop, today).map(([path, value]) => putValue(layout, path, value)),
    ...scaled.map(({ path, new: now }) => scalarSet(layout, path, now)),
    itemsRemoved(layout, ["business", "credentials"], () => true),
    itemsRemoved(layout, ["business", "special_hours"], () => true),
    ...[...answers].flatMap(([i, { question, answer }]) => [
      putValue(layout, ["faq", i, "question"], question),
      putValue(layout, ["faq", i, "answer"], answer),
    ]),
    itemsRemoved(layout, ["faq"], (i) => leftOut.has(i)),
    lineRemoved(layout, ["business", "legal_note"]),
    lineRemoved(layout, ["business", "links"]),
  ];
  const inPlace = changes.map((change) => withNotesInPlace(layout, change));
  const text = applyChanges(layout, inPlace);
  const catalog = parseCatalog(Buffer.from(text), file);
  const made = [...answers.values()].map(({ question }) => question);
  return {
    text,
    catalog,
    questionsLeftOut: [...leftOut.values()],
    questionsToRead: catalog.faq
      .map(({ question }) => question)
      .filter((question) => made.includes(question) || toConfirm.includes(question)),
  };
}

/** Stands where a web address is not known yet. `tint doctor` finds it. */
const NO_WEBSITE = "https://example.com";

function facts(shop: NewShop, today: string): [Path, ScalarValue | object][] {
  const { website = NO_WEBSITE, geo = { latitude: 0, longitude: 0 } } = shop;
  return [
    [["reviewed_on"], today],
    [["business", "name"], shop.name],
    // As customers read it on every page.
    [["business", "phone"], shop.phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "+1-$1-$2-$3")],
    [["business", "email"], shop.email],
    [["business", "address", "street"], shop.street],
    [["business", "address", "locality"], shop.city],
    [["business", "address", "region"], shop.state],
    [["business", "address", "postal_code"], shop.zip],
    [["business", "geo", "latitude"], geo.latitude],
    [["business", "geo", "longitude"], geo.longitude],
    [["business", "timezone"], shop.timezone],
    [["business", "service_area", "label"], `${shop.city} and around`],
    [["business", "service_area", "counties"], []],
    [["business", "service_area", "postal_prefixes"], []],
    ...WEEKDAYS.map((day): [Path, object] => [["business", "hours", day], shop.hours[day]]),
    [["alerts", "to"], shop.alertsTo ?? [shop.phone]],
    [["scheduling", "bays"], shop.bays ?? 1],
    [["tint_law", "home"], `US-${shop.state}`],
    [["site", "facts"], shop.facts ?? []],
    [["site", "photos"], []],
    ...(shop.tax ? [[["tax"], shop.tax] as [Path, object]] : []),
    [["site", "reviews"], shop.reviews ? { ...shop.reviews, reviewed_on: today } : null],
    [["business", "url"], website],
    [["site", "url"], website],
    [["site", "base_url"], `${website}/api/v1`],
    [["site", "agent_proxy_url"], `${website}/api/v1`],
    [["site", "mcp_url"], `${website}/mcp`],
  ];
}

function putValue(layout: Layout, path: Path, value: ScalarValue | object): TextChange {
  const isGroup = typeof value === "object" && value !== null;
  return isGroup ? listOrGroupSet(layout, path, value) : scalarSet(layout, path, value);
}

/** A note behind a changed value stays in its column, as far as there is room. */
function withNotesInPlace({ text }: Layout, change: TextChange): TextChange {
  const padded = ({ from, to, insert }: Splice): Splice => {
    const gap = /^ +(?=#)/.exec(text.slice(to))?.[0].length ?? 0;
    if (gap === 0) return { from, to, insert };
    return { from, to: to + gap, insert: insert + " ".repeat(Math.max(1, gap + to - from - insert.length)) };
  };
  return { ...change, splices: change.splices.map((splice) => (splice.insert === "" ? splice : padded(splice))) };
}

function lineRemoved(layout: Layout, path: Path): TextChange {
  const { text } = layout;
  const node = nodeAt(layout, path);
  if (!node) throw new Error(`the template has no ${path.join(".")}`);
  const { start } = nodeSpan(layout, node);
  const splices = [{ from: lineStart(text, start), to: lineEnd(text, start) + 1, insert: "" }];
  return { path, splices, update: () => undefined };
}

/** By index the questions that name the state of the template: those about the law of the new state take their places. */
function questions({ state }: NewShop, { business: { address }, tint_law, faq }: Shop) {
  const law = tint_law.jurisdictions[`US-${state}`];
  const names = [tint_law.jurisdictions[tint_law.home]?.name ?? tint_law.home, tint_law.home].map(RegExp.escape);
  const home = new RegExp(`\\b(?:${names.join("|")})\\b`);
  const places = [...faq.entries()].filter(([, { question, answer }]) => home.test(`${question}\n${answer}`));
  const ofLaw = state === address.region ? [] : places;
  const made = law ? lawQuestions(`US-${state}`, law) : [];
  return {
    answers: new Map(made.slice(0, ofLaw.length).map((one, i) => [ofLaw[i]?.[0] ?? 0, one])),
    leftOut: new Map(ofLaw.slice(made.length).map(([i, { question }]) => [i, question])),
  };
}

type Position = keyof Jurisdiction["classes"]["passenger"][number];

/** @param key of the jurisdiction, like `US-TX` */
export function lawQuestions(key: string, law: Jurisdiction): { question: string; answer: string }[] {
  const place = `tint_law.jurisdictions.${key}`;
  const of = `the tint law of ${law.name}`;
  return [
    { question: `How dark can the front side windows be under ${of}?`, answer: ofPosition(law, place, "front_side") },
    { question: `How dark can the rear windows be under ${of}?`, answer: ofRear(law, place) },
    { question: `Is film allowed on the windshield under ${of}?`, answer: ofPosition(law, place, "windshield") },
    ...exemption(law, place).map((answer) => ({ question: `Is there a medical exemption from ${of}?`, answer })),
    { question: `What else should I know about ${of}?`, answer: whatElse(law, place) },
  ];
}

function ofRear(law: Jurisdiction, place: string): string {
  const lines = Object.values(law.classes).flat();
  const [side, window] = [ofPosition(law, place, "rear_side"), ofPosition(law, place, "rear_window")];
  const isOneRule = lines.every((one) => JSON.stringify(one.rear_side) === JSON.stringify(one.rear_window));
  return isOneRule ? side : `Rear side windows: ${side} Rear window: ${window}`;
}

const CLASSES = {
  passenger: "On a passenger car",
  multipurpose: "On a multipurpose vehicle (the label on the door jamb says so)",
};

function ofPosition(law: Jurisdiction, place: string, position: Position): string {
  const sentences = VEHICLE_CLASSES.flatMap((name) => {
    const [line, ...more] = law.classes[name] ?? [];
    if (!line) return [];
    const isChoice = more.some((other) => JSON.stringify(other[position]) !== JSON.stringify(line[position]));
    const words = isChoice
      ? "the law gives a choice, and an estimate checks your shade against it"
      : ruleInWords(line[position], `${place}.classes.${name}.0.${position}`, law.measure);
    return [{ name, words, rule: isChoice ? "choice" : JSON.stringify(line[position]) }];
  });
  const [first, second] = sentences;
  if (!first) return "";
  if (!second || first.rule === second.rule) return `${capitalized(first.words)}.`;
  return sentences.map(({ name, words }) => `${CLASSES[name]} ${words}.`).join(" ");
}

function ruleInWords(rule: TintRule, place: string, measure: Jurisdiction["measure"]): string {
  if (rule.rule === "any") return "any darkness is allowed";
  if (rule.rule === "prohibited") return "film is not allowed";
  const inches = rule.inches !== undefined && `at most {${place}.inches} inches`;
  // Empty where the law names no depth.
  const depth = [inches, rule.as1 && "down to the AS-1 line marked on the glass"].filter(Boolean).join(" or ");
  if (rule.rule === "strip") return `only a strip at the top is allowed${depth && `, ${depth}`}`;
  const strip = depth && `; above it a strip of any shade is allowed, ${depth}`;
  return `at least {${place}.vlt}% of light must pass through ${THROUGH[measure]}${strip}`;
}

const THROUGH: Record<Jurisdiction["measure"], string> = {
  net: "glass and film together",
  film: "the film",
  unclear: "glass and film together (it is not certain whether the law means the film alone)",
};

function exemption({ exemptions = [] }: Jurisdiction, place: string): string[] {
  const at = exemptions.findIndex(({ kind }) => kind === "medical");
  const found = exemptions[at];
  if (!found) return [];
  const named = `{${place}.exemptions.${at}`;
  const ask = found.authority ? `You apply to ${named}.authority}.` : "Ask the authority how to apply.";
  return [`Yes. ${ask}${found.fee === undefined ? "" : ` The fee is ${named}.fee}.`}`];
}

function whatElse({ note, tolerance, confidence }: Jurisdiction, place: string): string {
  const said = [
    note && `{${place}.note}`,
    tolerance !== null && `A reading may be off by {${place}.tolerance} points.`,
    confidence === "disputed" && "Sources disagree about this law.",
    "An estimate checks your shade and names its source. {tint_law.disclaimer}",
  ];
  return said.filter(Boolean).join(" ");
}
