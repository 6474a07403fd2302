import type { Catalog } from "../../catalog/schema.ts";
import { words } from "../../catalog/terms.ts";
import type { Confirmation } from "./confirmation.ts";

/** Add-ons and shades of a booking in few words, for the shop's text. */
export function extrasOf(
  {
    addons,
    remove_old_film: removesFilm,
    shade,
    windshield_shade: windshield,
  }: Pick<Confirmation, "addons" | "remove_old_film" | "shade" | "windshield_shade">,
  catalog: Catalog,
): string[] {
  const sides = shade !== null && typeof shade === "object" ? Object.values(shade).map((one) => one ?? "-") : [shade];
  const { removal } = words(catalog);
  const remover = catalog.services.find(({ key }) => key === removal);
  return [
    ...(removesFilm ? [remover?.name ?? "old film off"] : []),
    ...addons.map((code) => catalog.automotive.addons[code]?.name ?? code),
    ...(shade === null ? [] : [`shade ${sides.join("/")}`]),
    ...(windshield === null ? [] : [`windshield ${windshield}`]),
  ];
}
