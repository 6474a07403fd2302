/**
 * Questions about the tint law of a shop's state, made from the rules in the catalog. The answers name the places of the
 * numbers, so they follow the catalog.
 */
import type { Jurisdiction, TintRule } from "../../src/catalog/schema.ts";
import { VEHICLE_CLASSES } from "../../src/constants.ts";
import { capitalised } from "../../src/lib/text.ts";

export interface QuestionAndAnswer {
  question: string;
  answer: string;
}

type Position = keyof Jurisdiction["classes"]["passenger"][number];

/** @param key of the jurisdiction, like `US-TX` */
export function lawQuestions(key: string, law: Jurisdiction): QuestionAndAnswer[] {
  const place = `tint_law.jurisdictions.${key}`;
  const of = `the tint law of ${law.name}`;
  return [
    { question: `How dark can the front side windows be under ${of}?`, answer: ofPosition(law, place, "front_side") },
    { question: `How dark can the rear windows be under ${of}?`, answer: ofRear(law, place) },
    { question: `Is film allowed on the windshield under ${of}?`, answer: ofPosition(law, place, "windshield") },
    ...exemption(law, place).map((answer) => ({
      question: `Is there a medical exemption from ${of}?`,
      answer,
    })),
    { question: `What else should I know about ${of}?`, answer: whatElse(law, place) },
  ];
}

function ofRear(law: Jurisdiction, place: string): string {
  const isOneRule = Object.values(law.classes)
    .flat()
    .every((line) => JSON.stringify(line.rear_side) === JSON.stringify(line.rear_window));
  if (isOneRule) return ofPosition(law, place, "rear_side");
  return `Rear side windows: ${ofPosition(law, place, "rear_side")} Rear window: ${ofPosition(law, place, "rear_window")}`;
}

function classInWords(name: (typeof VEHICLE_CLASSES)[number]): string {
  return name === "passenger" ? "On a passenger car" : "On a multipurpose vehicle (the label on the door jamb says so)";
}

/** One sentence, or one for each class of vehicles when their rules differ. */
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
  if (!second || first.rule === second.rule) return `${capitalised(first.words)}.`;
  return sentences.map(({ name, words }) => `${classInWords(name)} ${words}.`).join(" ");
}

function ruleInWords(rule: TintRule, place: string, measure: Jurisdiction["measure"]): string {
  switch (rule.rule) {
    case "min_vlt": {
      const depth = stripDepth(rule, place);
      const strip = depth === "" ? "" : `; above it a strip of any shade is allowed, ${depth}`;
      return `at least {${place}.vlt}% of light must pass through ${THROUGH[measure]}${strip}`;
    }
    case "any":
      return "any darkness is allowed";
    case "prohibited":
      return "film is not allowed";
    case "strip": {
      const depth = stripDepth(rule, place);
      return `only a strip at the top is allowed${depth && `, ${depth}`}`;
    }
  }
}

/** Empty where the law names no depth. */
function stripDepth({ inches, as1 }: Extract<TintRule, { rule: "strip" | "min_vlt" }>, place: string): string {
  return [
    ...(inches === undefined ? [] : [`at most {${place}.inches} inches`]),
    ...(as1 ? ["down to the AS-1 line marked on the glass"] : []),
  ].join(" or ");
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
  const ask = found.authority
    ? `You apply to {${place}.exemptions.${at}.authority}.`
    : "Ask the authority how to apply.";
  return [`Yes. ${ask}${found.fee === undefined ? "" : ` The fee is {${place}.exemptions.${at}.fee}.`}`];
}

function whatElse({ note, tolerance, confidence }: Jurisdiction, place: string): string {
  return [
    ...(note ? [`{${place}.note}`] : []),
    ...(tolerance === null ? [] : [`A reading may be off by {${place}.tolerance} points.`]),
    ...(confidence === "disputed" ? ["Sources disagree about this law."] : []),
    "An estimate checks your shade and names its source. {tint_law.disclaimer}",
  ].join(" ");
}
