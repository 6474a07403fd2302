/** The tint laws as a vehicle meets them, made with the shop: the rules for its class, and what a customer should know besides. */
import { POSITIONS, type Position, VEHICLE_CLASSES } from "../constants.ts";
import { formatMoney } from "../lib/money.ts";
import { spaced } from "../lib/text.ts";
import type { Catalog, Jurisdiction, TintRule } from "./schema.ts";
import { entryOf } from "./terms.ts";

type VehicleClass = (typeof VEHICLE_CLASSES)[number];

interface ClassRules {
  vehicleClass: VehicleClass;
  /** The law is obeyed when one of these is. */
  alternatives: readonly Readonly<Record<Position, TintRule>>[];
  /** VLT of the factory glass that is assumed. */
  glass: Readonly<Record<Position, number>>;
}

export interface VehicleLaw {
  jurisdiction: Jurisdiction;
  /** The rules of each class that the vehicle can count as, the likeliest first. */
  classes: readonly [ClassRules, ...ClassRules[]];
  /** What is said where the class is in doubt; empty where it is not. */
  doubt: string;
  /** One or two sentences each. Not frozen: JSON.stringify takes three times as long for what is. */
  notes: string[];
}

/** By jurisdiction, then by vehicle type. */
type Laws = ReadonlyMap<string, ReadonlyMap<string, VehicleLaw>>;

/** Source: `tint_law` in the catalog. */
export function lawsOf({ tint_law: law, automotive, currency }: Catalog): Laws {
  const vehicles = Object.keys(automotive.vehicle_types).map((vehicle) => ({
    vehicle,
    vehicleClass: entryOf(law.vehicle_class, vehicle),
    isUnsure: law.confirm_class.includes(vehicle),
  }));
  const laws = new Map<string, Map<string, VehicleLaw>>();
  for (const [key, jurisdiction] of Object.entries(law.jurisdictions)) {
    const { note, class_notes, classes } = jurisdiction;
    const forAll = notesForAll(jurisdiction, currency);
    const byVehicle = new Map<string, VehicleLaw>();
    const rulesOf = (vehicleClass: VehicleClass): ClassRules => ({
      vehicleClass,
      // A class without its own rules uses the passenger rules, which are stricter.
      alternatives: [...(classes[vehicleClass] ?? classes.passenger)],
      glass: law.glass_vlt[vehicleClass],
    });
    for (const { vehicle, vehicleClass, isUnsure } of vehicles) {
      const ofClass = class_notes?.[vehicleClass];
      const notes: string[] = [];
      if (note) notes.push(note);
      if (ofClass) notes.push(ofClass);
      const doubt = isUnsure
        ? `A ${spaced(vehicle)} can count as either vehicle class: check the TYPE on the door-jamb label.`
        : "";
      if (isUnsure) notes.push(doubt);
      notes.push(...forAll);
      const usual = rulesOf(vehicleClass);
      const others = isUnsure ? VEHICLE_CLASSES.map(rulesOf).filter((other) => isOtherLaw(other, usual)) : [];
      byVehicle.set(vehicle, { jurisdiction, classes: [usual, ...others], doubt, notes });
    }
    laws.set(key, byVehicle);
  }
  return laws;
}

/** Whether the law is another one for a class than for another. */
function isOtherLaw(...[one, other]: [one: ClassRules, other: ClassRules]): boolean {
  return !Bun.deepEquals([one.alternatives, one.glass], [other.alternatives, other.glass]);
}

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
        vlt && `down to ${vlt}% of visible light`,
      ].filter((term) => term);
      return `There is a ${kind} exemption${terms.length > 0 ? `: ${terms.join(", ")}` : "; ask the authority"}.`;
    },
  );
}

export function statesNamed(text: string, { tint_law: { jurisdictions } }: Pick<Catalog, "tint_law">): string[] {
  const words = ` ${text.toLowerCase().replace(/[^a-z]+/g, " ")} `;
  const named = Object.entries(jurisdictions).filter(([, { name }]) => words.includes(` ${name.toLowerCase()} `));
  // West Virginia is not Virginia.
  const isPart = (name: string) => named.some(([, state]) => state.name.endsWith(` ${name}`));
  return named.flatMap(([key, { name }]) => (isPart(name) ? [] : key));
}

/** The key of the state that a text names, if it is one other than the shop's. */
export function stateElsewhere(text: string, shop: Pick<Catalog, "tint_law">): string | undefined {
  const [one, other] = statesNamed(text, shop);
  return other === undefined && one !== shop.tint_law.home ? one : undefined;
}
