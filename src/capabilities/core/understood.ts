/** What the reader says about what it understood. Source: contract 1. */
import { joinWithAnd } from "../../schema/explain.ts";
import { isPlainLine } from "../../schema/fields.ts";
import type { Placed } from "../../schema/names.ts";
import { shownName, type Warning } from "./envelope.ts";
import { LONGEST_WORD } from "./meaning.ts";

/** The warnings that name the proper fields of a value that was sent under another name. */
export function placed(name: string, places: readonly Placed[], at: (name: string) => string): Warning[] {
  const [place] = places;
  if (place === undefined) return [understood(at(name), "is understood as an extra that is not wished: leave it out")];
  const { isPart, item } = place;
  if (isPart && Array.isArray(item))
    return [understood(at(name), `is understood as ${item} in ${at(place.field)}: send it there`)];
  const fields = isPart
    ? Object.keys(Object(item)).map((part) => at(`${place.field}.${part}`))
    : places.map(({ field }) => at(field));
  if (fields[0] === at(name))
    return [understood(at(name), `is understood as a part of ${place.field}: send it inside`)];
  if (place.isRead === "as times")
    return [
      understood(
        at(name),
        `is understood as ${joinWithAnd(places.map(({ field, item }) => `${field} ${item}`))}: send it so`,
      ),
    ];
  if (fields.length > 1)
    return [understood(at(name), `is understood as ${joinWithAnd(fields)}: send it under those names`)];
  if (place?.isRead === undefined)
    return [understood(at(name), `is understood as ${fields[0]}: send it under that name`)];
  const warning = understood(at(name), `is understood as ${fields[0]} ${place.item}, in inches: send it so`);
  return place.isRead === "in inches"
    ? [
        warning,
        { code: "SIZE_CHECK", field: warning.field, message: "Sizes without a unit were taken as inches: check them." },
      ]
    : [warning];
}

export function taken(path: string, given: unknown, meant: unknown, what = ""): Warning {
  const text = JSON.stringify(given) ?? "";
  const shown = text.length > LONGEST_WORD ? "" : `${typeof given === "string" ? `"${given}"` : text} `;
  const isDigits = typeof given === "number" && typeof meant === "string" && meant === String(given);
  const proper =
    typeof meant === "number" ? `the number ${meant}` : typeof meant === "string" ? meant : JSON.stringify(meant);
  return understood(
    path,
    `${shown}is understood as ${what}${isDigits ? "text" : proper}: send ${isDigits ? `"${meant}"` : proper}`,
  );
}

export function understood(path: string, what: string): Warning {
  const field = shownName(path);
  const message = isPlainLine(what) ? `${field} ${what}.` : `${field} is understood.`;
  return { code: "UNDERSTOOD", field, message };
}
