import type { Catalog } from "../../catalog/schema.ts";
import { entryOf } from "../../catalog/words.ts";
import type { Work } from "../../domain/work.ts";
import type { Warning } from "../core/envelope.ts";

/** Warnings about what was asked for and is not charged, because it does not go with the service. */
export function notApplicable(
  { service, notApplicable: codes, removal }: Work,
  { remove_old_film: wantsRemoval }: { remove_old_film?: boolean | undefined },
  { automotive: { addons } }: Catalog,
): Warning[] {
  const warning = (field: string, what: string) => ({
    code: "ADDON_NOT_APPLICABLE",
    field,
    message: `${what} does not go with ${service} and is not charged.`,
  });
  return [
    ...codes.map((code) => warning("addons", `${entryOf(addons, code).name} (${code})`)),
    ...(wantsRemoval && removal === null ? [warning("remove_old_film", "Removing old film")] : []),
  ];
}
