/** Wished shades as people say them: `35`, `limo`, `35/20`, `35 front 20 back`, `limo back`. */
import type { Shop } from "../../src/catalog/shop.ts";
import { SIDE_POSITIONS, type Side } from "../../src/domain/work.ts";
import { readShades } from "../../src/job/shades-said.ts";
import { spaced } from "../../src/lib/text.ts";
import { readWord } from "./enums.ts";

/** A request whose shade is as it was typed, with a shade for each glass where several were named */
export function withShades<Request extends object>(request: Request, catalog: Shop): Request {
  const { shade }: { shade?: unknown } = request;
  return typeof shade === "string" ? { ...request, shade: readShades(shade, catalog) } : request;
}

/** Shades by glass as they can be typed again: `35/20`, or `35 front side, 20 rear window`. */
export function shadesTyped(shades: object): string {
  const { front_side: front, rear_side: rear, rear_window: back }: Partial<Record<Side, unknown>> = shades;
  const isGiven = (shade: unknown) => shade !== undefined && shade !== null;
  if ([front, rear, back].every(isGiven)) return rear === back ? `${front}/${rear}` : `${front}/${rear}/${back}`;
  const sides = SIDE_POSITIONS.filter((side) => isGiven(Object(shades)[side]));
  return sides.map((side) => `${Object(shades)[side]} ${spaced(side)}`).join(", ");
}

/** `front_side=35,rear_side=5` in the exact names. @throws UsageError for unknown glass */
export function namedShades(typed: string): Partial<Record<Side, string>> {
  return Object.fromEntries(
    typed.split(",").map((part) => {
      const [name = "", shade = ""] = part.split("=");
      return [readWord("a position of --shade", name.trim(), SIDE_POSITIONS), shade.trim()];
    }),
  );
}
