/** The work of a flat-glass estimate as the fields of a token. */
import type { FlatGlassEstimate, FlatGlassRequest } from "../../domain/flat-glass.ts";
import { hundredthsOf } from "../../domain/money.ts";

export interface HeldGlass {
  site_type: string;
  square_footage: number;
  primary_concern: string;
  needs_ladder: boolean;
  floors: number | undefined;
  blocked_windows: number | undefined;
  curtain_windows: number | undefined;
  existing_film_sqft: number | undefined;
}

/** Rows of windows do not fit into a token; it holds their area, and how many are blocked or have curtains. */
export function toGlassFields(
  { site_type, floors, blocked_windows, curtain_windows, existing_film_sqft }: FlatGlassRequest,
  { sqft, concern, ladderRequired, glazing }: FlatGlassEstimate,
): string[] {
  const hundredths = (area: number) => hundredthsOf(area).toString(36);
  const blocked = blocked_windows ?? glazing?.blocked;
  const curtain = curtain_windows ?? glazing?.curtain;
  const rest = [floors, blocked, curtain].map((count) => String(count || ""));
  const old = existing_film_sqft ? hundredths(existing_film_sqft) : "";
  return [site_type, hundredths(sqft), concern, ladderRequired ? "l" : "", ...rest, old];
}

export function toGlass([site = "", area = "", concern = "", ladder, ...rest]: readonly string[]): HeldGlass {
  const [floors, blocked, curtain] = rest.map((count) => (count === "" ? undefined : Number(count)));
  const old = rest[3];
  return {
    site_type: site,
    square_footage: sqftOf(area),
    primary_concern: concern,
    needs_ladder: ladder === "l",
    floors,
    blocked_windows: blocked,
    curtain_windows: curtain,
    existing_film_sqft: old ? sqftOf(old) : undefined,
  };
}

function sqftOf(hundredths: string): number {
  return Number.parseInt(hundredths, 36) / 100;
}
