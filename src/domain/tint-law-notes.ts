/** Facts about a tint law that a customer should know, besides the legal shades. */
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Jurisdiction } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { entryOf } from "../catalog/terms.ts";
import { POSITIONS } from "../constants.ts";
import { spaced } from "../lib/text.ts";
import { formatMoney } from "./money.ts";

/** Notes of one or two sentences. Source: the jurisdiction's keys of `tint_law` in the catalog. */
export function lawNotes(catalog: Shop, here: Jurisdiction, vehicle: string): string[] {
  const isUnsure = catalog.tint_law.confirm_class.includes(vehicle);
  const ofClass = here.class_notes?.[entryOf(catalog.tint_law.vehicle_class, vehicle)];
  return [
    ...(here.note ? [here.note] : []),
    ...(ofClass ? [ofClass] : []),
    ...(isUnsure ? [`A ${vehicle} can count as either vehicle class: check the TYPE on the door-jamb label.`] : []),
    ...(notesForAll(catalog).get(here) ?? []),
  ];
}

/** The notes of each jurisdiction that are the same for every vehicle. */
const notesForAll = perCatalog(
  ({ tint_law: law, currency }) =>
    new Map(
      Object.values(law.jurisdictions).map((here) => [
        here,
        [
          ...(here.measure === "unclear" ? [UNCLEAR] : []),
          ...reflectance(here.reflectance_max ?? {}),
          ...(here.colors_restricted?.length ? [`Restricted colors: ${here.colors_restricted.join(", ")}.`] : []),
          ...(here.installer_must_certify ? ["The installer certifies the film with a label on the glass."] : []),
          ...exemptionsIn(here, currency),
        ],
      ]),
    ),
);

const UNCLEAR =
  "It is not known whether this law measures the film alone or film and glass together. The check assumes both together, which is stricter.";

/** One sentence per limit, with the glass that it applies to. */
function reflectance(limits: NonNullable<Jurisdiction["reflectance_max"]>): string[] {
  const byLimit = Map.groupBy(
    POSITIONS.filter((position) => limits[position] !== undefined),
    (position) => limits[position],
  );
  return [...byLimit].map(
    ([limit, positions]) =>
      `Reflectance may be at most ${limit}% (${spaced(positions.join(", "))}); the shade check does not cover this.`,
  );
}

/** Who may have darker glass, a sentence each. */
export function exemptionsIn({ exemptions = [] }: Jurisdiction, currency: string): string[] {
  return exemptions.map((exemption) => exemptionInWords(exemption, currency));
}

type Exemption = NonNullable<Jurisdiction["exemptions"]>[number];

function exemptionInWords(exemption: Exemption, currency: string): string {
  const { kind, authority, needs, fee, renew_years: years, carry_in_vehicle: carry, min_vlt: vlt } = exemption;
  const terms = [
    authority && `apply to ${authority}`,
    needs && `needs ${needs}`,
    fee !== undefined && `fee ${formatMoney(fee, currency)}`,
    years && `renewed every ${years} years`,
    carry && "carried in the vehicle",
    vlt && `down to ${vlt}% VLT`,
  ].filter((term) => term);
  return `There is a ${kind} exemption${terms.length > 0 ? `: ${terms.join(", ")}` : "; ask the authority"}.`;
}
