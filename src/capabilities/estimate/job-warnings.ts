/** Warnings about the work that an estimate or a booking asks for. */
import { perCatalog } from "../../catalog/per-catalog.ts";
import type { AutomotiveFilm } from "../../catalog/schema.ts";
import type { Shop } from "../../catalog/shop.ts";
import { entryOf } from "../../catalog/terms.ts";
import type { Position } from "../../constants.ts";
import { tintedPositions } from "../../domain/automotive.ts";
import { nearestShades } from "../../domain/shade.ts";
import type { Verdict } from "../../domain/tint-law.ts";
import { isBarred } from "../../domain/tint-law.ts";
import { GLASS_NAMES } from "../../domain/tint-law-wording.ts";
import type { Work, WorkRequest } from "../../domain/work.ts";
import { capitalised } from "../../lib/text.ts";
import { joinWithAnd, oneOf } from "../../schema/explain.ts";
import type { Warning } from "../core/envelope.ts";
import { type JobRequest, SIDES, shadesOf } from "../shared/job.ts";

type Wishes = Partial<Pick<JobRequest, "shade" | "windshield_shade" | "remove_old_film">> &
  Pick<WorkRequest, "film_type" | "coverage">;
/** A brief answer has few words. */
type View = "full" | "brief";

export function jobWarnings(work: Work, wishes: Wishes, catalog: Shop, view: View = "full"): Warning[] {
  const tinted = tintedPositions(catalog, work);
  return [
    ...notUsed(work, wishes),
    ...notApplicable(work, wishes, catalog, view),
    ...notStocked(work, tinted, wishes, catalog, view),
    ...notChecked(work, tinted, wishes, view),
  ];
}

/** About a film and a coverage of a service that has no choice of them. */
function notUsed({ service, filmType, coverage }: Work, wishes: Wishes): Warning[] {
  const warning = (field: string, why: string): Warning => ({
    code: "FIELD_IGNORED",
    field,
    message: `${field} was not used: ${service} ${why}.`,
  });
  return [
    ...(wishes.film_type !== undefined && filmType === null ? [warning("film_type", "has no choice of film")] : []),
    ...(wishes.coverage !== undefined && coverage === null
      ? [warning("coverage", "always covers the same glass")]
      : []),
  ];
}

/** About what was asked for and is not charged, because it does not go with the service. */
function notApplicable(
  { service, notApplicable: codes, removal }: Work,
  { remove_old_film: wantsRemoval }: Wishes,
  { automotive: { addons } }: Shop,
  view: View,
): Warning[] {
  const warning = (field: string, what: string): Warning => ({
    code: "ADDON_NOT_APPLICABLE",
    field,
    message: `${what} does not go with ${service} and is not charged.`,
  });
  if (view === "brief" && codes.length > 1) return [warning("addons", joinWithAnd(codes))];
  return [
    ...codes.map((code) => warning("addons", `${entryOf(addons, code).name} (${code})`)),
    ...(wantsRemoval && removal === null ? [warning("remove_old_film", "Removing old film")] : []),
  ];
}

/** About wished shades that the film does not come in, with the nearest two. Source: contract 15. */
function notStocked(
  { filmType }: Work,
  tinted: readonly Position[],
  wishes: Wishes,
  catalog: Shop,
  view: View,
): Warning[] {
  const messages = filmType === null ? undefined : notStockedMessages(catalog)[view].get(filmType);
  if (!messages) return [];
  const wished = shadesOf(wishes, catalog);
  // One shade for all glass is wished at several positions, and one warning is enough.
  const found = new Map<string, { field: string; vlt: number; message: string }>();
  for (const position of tinted) {
    const vlt = wished[position];
    const message = vlt === undefined ? null : messages[vlt];
    const field = position === "windshield" ? "windshield_shade" : "shade";
    if (vlt !== undefined && message) found.set(`${field} ${vlt}`, { field, vlt, message });
  }
  const code = "SHADE_NOT_STOCKED";
  if (view === "full") return [...found.values()].map(({ field, message }) => ({ code, field, message }));
  return [...Map.groupBy(found.values(), ({ message }) => message)].map(([nearest, of]) => {
    const vlts = new Set(of.map(({ vlt }) => `${vlt}%`));
    return { code, field: of[0]?.field ?? "shade", message: `No ${[...vlts].join(", ")}: ${nearest}.` };
  });
}

/** For each film, by VLT from 0 to 100: what to say when it does not come in that shade, in brief the nearest alone; null where it does. */
const notStockedMessages = perCatalog(({ automotive }) => {
  const messages = (say: (film: AutomotiveFilm, vlt: number, nearest: Shade[]) => string) =>
    new Map(
      Object.entries(automotive.films).map(([code, film]) => [
        code,
        Array.from({ length: 101 }, (_, vlt) => {
          const nearest = nearestShades(film, vlt);
          return nearest ? say(film, vlt, nearest) : null;
        }),
      ]),
    );
  const name = ({ label, vlt }: Shade) => (label === vlt ? `${label}%` : `${label} (measured ${vlt}%)`);
  return {
    full: messages(
      (film, vlt, nearest) =>
        `${film.name} does not come in ${vlt}%; the nearest are ${joinWithAnd(nearest.map(name))}.`,
    ),
    brief: messages((_film, _vlt, nearest) => oneOf(nearest.map(({ label }) => label))),
  };
});
type Shade = AutomotiveFilm["shades"][number];

/** About glass whose film the law does not permit: what it asks, and the darkest shade in stock that is legal. Source: contract 2. */
export function lawWarnings(law: Pick<Verdict, "name" | "checks">, view: View = "full"): Warning[] {
  const barred = law.checks.filter(isBarred);
  if (barred.length === 0) return [];
  const fieldOf = ({ position }: (typeof barred)[number]) =>
    position === "windshield" && (view === "full" || barred.length === 1) ? "windshield_shade" : "shade";
  const byField = Map.groupBy(barred, fieldOf);
  return [...byField].map(([field, checks]) => ({
    code: "NOT_LEGAL",
    field,
    message: `Not legal in ${law.name}: ${view === "brief" ? briefly(checks) : joinWithAnd(checks.map(inShort))}.`,
  }));
}

/** The shades that the law does not permit (`5% on the front side windows is not legal in Georgia`), and what it asks. @returns null when all are legal */
export function barredInWords({ name, checks }: Pick<Verdict, "name" | "checks">) {
  const barred = checks.filter(isBarred);
  if (barred.length === 0) return null;
  const glass = (checks: readonly Check[]) => joinWithAnd(checks.map(({ position }) => GLASS_NAMES[position]));
  const shades = [...Map.groupBy(barred, ({ film_vlt: vlt }) => vlt)].map(([vlt, on]) => `${vlt}% on the ${glass(on)}`);
  return {
    which: `${joinWithAnd(shades)} is not legal in ${name}`,
    asks: [...Map.groupBy(barred, asksOf)].map(([asks, of]) => capitalised(`${glass(of)}: ${asks}.`)),
  };
}

type Check = Verdict["checks"][number];

/** Glass of which the law asks the same stands together: `front side and rear side (at least 32% light; darkest 50)`. */
function briefly(checks: readonly Check[]): string {
  const asked = ({ rule, min_vlt: least, darkest_legal_shade: darkest }: Check) => {
    const film = rule === "no_film" ? "no film" : "strip only";
    return (least === null ? film : `at least ${least}% light`) + (darkest === null ? "" : `; darkest ${darkest}`);
  };
  return [...Map.groupBy(checks, asked)]
    .map(([asks, of]) => `${joinWithAnd(of.map((one) => GLASS_NAMES[one.position].replace(" windows", "")))} (${asks})`)
    .join(", ");
}

function inShort(check: Check): string {
  return `${GLASS_NAMES[check.position]} (${asksOf(check)})`;
}

function asksOf({ rule, min_vlt: least, darkest_legal_shade: darkest }: Check): string {
  const film = rule === "no_film" ? "no film is permitted" : "only a strip at the top is permitted";
  const asks = least === null ? film : `at least ${least}% of light must pass`;
  return asks + (darkest === null ? "" : `; the darkest in stock that is: ${darkest}`);
}

/** About wished shades of glass that gets no film. */
function notChecked(work: Work, tinted: readonly Position[], wishes: Wishes, view: View): Warning[] {
  const warning = (field: string, message: string): Warning => ({
    code: "SHADE_NOT_APPLICABLE",
    field,
    message: view === "brief" ? "No film is ordered there, so this was not checked." : message,
  });
  if (work.filmType === null)
    return (["shade", "windshield_shade"] as const)
      .filter((field) => wishes[field] !== undefined)
      .map((field) => warning(field, `No tint film is applied with ${work.service}, so the shade was not checked.`));
  const isTinted = tinted.includes("windshield");
  const { shade } = wishes;
  const bare =
    typeof shade === "object" ? SIDES.filter((side) => shade[side] !== undefined && !tinted.includes(side)) : [];
  if (bare.length > 0)
    return [
      warning(
        "shade",
        `No film is applied to the ${joinWithAnd(bare.map((one) => GLASS_NAMES[one]))} with this coverage, so that shade was not checked.`,
      ),
    ];
  return wishes.windshield_shade === undefined || isTinted
    ? []
    : [
        warning(
          "windshield_shade",
          "Not checked, because no film for the full windshield was priced: add windshield to addons.",
        ),
      ];
}
