/** The field `film_goals` of flat-glass estimates and quote requests. It takes any text (contract 1). */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { CONCERNS, FILM_GOALS } from "../../constants.ts";
import { concernName, isKnownGoal } from "../../domain/flat-glass.ts";
import { capitalised } from "../../lib/text.ts";
import { joinWithAnd } from "../../schema/explain.ts";
import { line, linesFor, optional } from "../../schema/fields.ts";
import { wordForm } from "../../schema/names.ts";
import type { Warning } from "../core/envelope.ts";

/** What a customer wants of film on a building. */
export const concern = (catalog: Shop) =>
  z.enum(CONCERNS).meta({
    description: "What the film is for.",
    ...linesFor(Object.fromEntries(CONCERNS.map((one) => [one, `${capitalised(concernName(one, catalog))}.`]))),
  });

const KNOWN = [...new Set<string>([...FILM_GOALS, ...CONCERNS])].join(", ");

export const filmGoals = (purpose: string) =>
  optional(z.array(line().min(1).refine(isInItsForm)).max(20)).meta({
    description: `${purpose} Known: ${KNOWN}; other words are passed on.`,
    example: ["heat_reduction"],
  });

/** False for a known goal in another letter case or notation, which `readLenientValues` then corrects. */
function isInItsForm(goal: string): boolean {
  return isKnownGoal(goal) || !isKnownGoal(wordForm(goal));
}

export function goalWarnings(goals: readonly string[] = [], view: "full" | "brief" = "full"): Warning[] {
  const unknown = [...new Set(goals)].filter((goal) => !isKnownGoal(goal)).map((goal) => `"${goal}"`);
  if (unknown.length === 0) return [];
  const kept = unknown.length === 1 ? "is kept as it stands, but picks" : "are kept as they stand, but pick";
  return [
    {
      code: "UNKNOWN_GOAL",
      field: "film_goals",
      message: `${joinWithAnd(unknown)} ${kept} no film.${view === "full" ? ` Known goals: ${KNOWN}.` : ""}`,
    },
  ];
}
