import type { Catalog } from "../../catalog/schema.ts";
import { entryOf } from "../../catalog/words.ts";
import { nearestShades } from "../../domain/shade.ts";
import type { Verdict } from "../../domain/tint-law.ts";
import type { Work } from "../../domain/work.ts";
import { allOf } from "../../schema/explain.ts";
import type { Warning } from "../core/envelope.ts";
import { type JobRequest, shadesOf } from "../shared/job.ts";

/** Warnings about wished shades that the film does not come in, with the nearest two. Source: contract section 15. */
export function notStocked(
  { filmType }: Pick<Work, "filmType">,
  { checks }: Pick<Verdict, "checks">,
  input: Pick<JobRequest, "shade" | "windshield_shade">,
  catalog: Catalog,
): Warning[] {
  if (filmType === null) return [];
  const film = entryOf(catalog.automotive.films, filmType);
  const wished = shadesOf(input, catalog);
  const tinted = checks.filter(({ reason }) => reason !== "no_film_priced").map(({ position }) => position);
  const found = tinted.flatMap((position) => {
    const vlt = wished[position];
    const nearest = vlt === undefined ? undefined : nearestShades(film, vlt);
    if (!nearest) return [];
    const field = position === "windshield" ? "windshield_shade" : "shade";
    const names = nearest.map(({ label, vlt: measured }) =>
      label === measured ? `${label}%` : `${label} (measured ${measured}%)`,
    );
    const message = `${film.name} does not come in ${vlt}%; the nearest are ${allOf(names)}.`;
    return [{ code: "SHADE_NOT_STOCKED", field, message }];
  });
  // One shade for all glass is wished at several positions.
  return [...new Map(found.map((warning) => [`${warning.field} ${warning.message}`, warning])).values()];
}
