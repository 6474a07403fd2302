/** The work of a flat-glass estimate as the fields of a token. */
import type { FlatGlassEstimate, FlatGlassRequest } from "../../domain/flat-glass.ts";

export interface HeldGlass {
  site_type: string;
  square_footage: number;
  primary_concern: string;
  needs_ladder: boolean;
}

export function toGlassFields(
  { site_type, floors, blocked_windows, curtain_windows, existing_film_sqft }: FlatGlassRequest,
  { sqft, concern, ladderRequired }: FlatGlassEstimate,
): string[] {
  const hundredths = (area: number) => Math.round(area * 100).toString(36);
  const rest = [floors, blocked_windows, curtain_windows].map((count) => String(count ?? ""));
  const old = existing_film_sqft ? hundredths(existing_film_sqft) : "";
  return [site_type, hundredths(sqft), concern, ladderRequired ? "l" : "", ...rest, old];
}

export function toGlass([site = "", area = "", concern = "", ladder]: readonly string[]): HeldGlass {
  return {
    site_type: site,
    square_footage: Number.parseInt(area, 36) / 100,
    primary_concern: concern,
    needs_ladder: ladder === "l",
  };
}
