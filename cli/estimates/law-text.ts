/** Tint law in the owner's words. */

/** Rules speak of VLT for programs; people say how much of the light passes. */
export function withoutVlt(text: string): string {
  return text
    .replaceAll("Wished VLT of", "Wished darkness in % of")
    .replaceAll("% VLT (visible light)", "% of the light")
    .replaceAll("% VLT", "% of the light");
}
