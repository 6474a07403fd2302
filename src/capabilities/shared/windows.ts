/** Glass by the window: the field `windows` of flat-glass estimates and quote requests. Source: contract 14. */
import { z } from "zod";
import type { Catalog } from "../../catalog/schema.ts";
import { flatGlassOf } from "../../domain/flat-glass.ts";
import { hundredthsOf } from "../../domain/money.ts";
import { measure, type WindowRow } from "../../domain/window-area.ts";
import { line, MOST_SQFT, optional } from "../../schema/fields.ts";
import type { FieldIssue } from "../core/capability.ts";

const MOST_ROWS = 200;
/** A pane of an inch by an inch still counts as a hundredth of a square foot. */
const inches = () => z.number().min(1).max(1200);

export const windowRows = () =>
  z
    .array(
      z
        .object({
          width_in: inches().meta({ description: "Width of a pane in inches.", example: 36 }),
          height_in: inches().meta({ description: "Height of a pane in inches.", example: 60 }),
          quantity: z.int().min(1).max(10_000).meta({ description: "Panes of this size.", example: 8 }),
          label: optional(line()).meta({ description: "Name of these windows.", example: "Lobby" }),
          blocked: optional(z.boolean()).meta({ description: "Furniture stands in front of them." }),
          curtain: optional(z.boolean()).meta({ description: "They have blinds or curtains." }),
        })
        .meta({ title: "WindowRow" }),
    )
    .min(1)
    .max(MOST_ROWS);

/** Area of the windows in square feet; undefined without windows. */
export function areaOf(windows: readonly WindowRow[] | undefined, catalog: Catalog): number | undefined {
  return windows && measure(windows, flatGlassOf(catalog).round_up).sqft;
}

type Body = Readonly<Record<string, unknown>> | undefined;

/** The windows of a request; undefined where they are left out, or have an issue of their own. */
function windowsIn(body: Body): WindowRow[] | undefined {
  // To make the schema takes ten times as long as the rest of an estimate.
  return body?.windows === undefined ? undefined : windowRows().safeParse(body.windows).data;
}

/** The checks of `windows` and of the field that says the area outright: both may be given when they agree. */
export function glassChecks(areaField: "total_sqft" | "square_footage") {
  return {
    area: (sqft: number | undefined, _: Catalog, body?: Body): FieldIssue | undefined => {
      const windows = windowsIn(body);
      return differ(sqft, windows) ? { message: apart(sqft, windows, "windows") } : undefined;
    },
    windows: (windows: readonly WindowRow[] | undefined, catalog: Catalog, body?: Body): FieldIssue | undefined => {
      if ((areaOf(windows, catalog) ?? 0) > MOST_SQFT) return { message: `must add up to ${MOST_SQFT} sq ft or less` };
      const sqft = body?.[areaField];
      return typeof sqft === "number" && differ(sqft, windows)
        ? { message: apart(sqft, windows, areaField) }
        : undefined;
    },
  };
}

/** The issue of a count of windows that disagrees with the rows. */
export function countCheck(kind: "blocked" | "curtain") {
  return (count: number | undefined, _: Catalog, body?: Body): FieldIssue | undefined => {
    const windows = windowsIn(body);
    const counted = windows && measure(windows, "none")[kind];
    return counted && count !== undefined && count !== counted
      ? { message: `is ${count}, but windows has ${counted} marked ${kind}: send one of them` }
      : undefined;
  };
}

/** Two areas count as the same up to this difference. */
const PERCENT = 1;

/** Whether a stated area and the exact area of the windows are more than one percent apart. */
function differ(sqft: number | undefined, windows: readonly WindowRow[] | undefined): sqft is number {
  if (sqft === undefined || !windows) return false;
  const exact = hundredthsOf(measure(windows, "none").sqft);
  return Math.abs(hundredthsOf(sqft) - exact) * 100 > exact * PERCENT;
}

function apart(sqft: number, windows: readonly WindowRow[] | undefined, other: string): string {
  const measured = measure(windows ?? [], "none").sqft;
  const [one, two] = other === "windows" ? [sqft, measured] : [measured, sqft];
  return `is ${one} sq ft, but ${other} ${other === "windows" ? "add up to" : "is"} ${two} sq ft: correct one, or send one of them`;
}
