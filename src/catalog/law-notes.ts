/** Facts about a tint law that a customer should know, besides the legal shades. Notes of one or two sentences, made with the shop. */
import { POSITIONS } from "../constants.ts";
import { formatMoney } from "../lib/money.ts";
import { spaced } from "../lib/text.ts";
import type { Catalog, Jurisdiction } from "./schema.ts";
import { entryOf } from "./terms.ts";

/** By jurisdiction, then by vehicle type. Not frozen, so that answers which hold them are written fast. */
export type LawNotes = ReadonlyMap<string, ReadonlyMap<string, string[]>>;

/** Source: the jurisdiction's keys of `tint_law` in the catalog. */
export function lawNotesOf({ tint_law: law, automotive, currency }: Catalog): LawNotes {
  const vehicles = Object.keys(automotive.vehicle_types).map((vehicle) => ({
    vehicle,
    vehicleClass: entryOf(law.vehicle_class, vehicle),
    isUnsure: law.confirm_class.includes(vehicle),
  }));
  const notes = new Map<string, Map<string, string[]>>();
  for (const [key, here] of Object.entries(law.jurisdictions)) {
    const forAll = notesForAll(here, currency);
    const byVehicle = new Map<string, string[]>();
    for (const { vehicle, vehicleClass, isUnsure } of vehicles) {
      const found: string[] = [];
      const ofClass = here.class_notes?.[vehicleClass];
      if (here.note) found.push(here.note);
      if (ofClass) found.push(ofClass);
      if (isUnsure)
        found.push(`A ${vehicle} can count as either vehicle class: check the TYPE on the door-jamb label.`);
      byVehicle.set(vehicle, found.concat(forAll));
    }
    notes.set(key, byVehicle);
  }
  return notes;
}

/** What is the same for every vehicle. */
function notesForAll(here: Jurisdiction, currency: string): string[] {
  return [
    ...(here.measure === "unclear" ? [UNCLEAR] : []),
    ...reflectance(here.reflectance_max ?? {}),
    ...(here.colors_restricted?.length ? [`Restricted colors: ${here.colors_restricted.join(", ")}.`] : []),
    ...(here.installer_must_certify ? ["The installer certifies the film with a label on the glass."] : []),
    ...exemptionsIn(here, currency),
  ];
}

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
  return exemptions.map(
    ({ kind, authority, needs, fee, renew_years: years, carry_in_vehicle: carry, min_vlt: vlt }) => {
      const terms = [
        authority && `apply to ${authority}`,
        needs && `needs ${needs}`,
        fee !== undefined && `fee ${formatMoney(fee, currency)}`,
        years && `renewed every ${years} years`,
        carry && "carried in the vehicle",
        vlt && `down to ${vlt}% VLT`,
      ].filter((term) => term);
      return `There is a ${kind} exemption${terms.length > 0 ? `: ${terms.join(", ")}` : "; ask the authority"}.`;
    },
  );
}
