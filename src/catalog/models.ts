/** The makes and models of a catalog, in the ways in which people name them. Made with the shop; `domain/vehicle-class.ts` looks up. */
import { plainWords } from "../lib/text.ts";
import type { Catalog } from "./schema.ts";

export interface KnownModel {
  vehicleType: string;
  /** As the catalog writes it, like `Honda CR-V`. */
  name: string;
}

/** A vehicle type by what was typed; null where several types fit. */
type TypesByText = Map<string, string | null>;

export interface Models {
  all: readonly KnownModel[];
  /**
   * By make and model, and by the model alone where only one make has it and it is no trim of others, as two letters often are;
   * undefined where several have it. Spaces, hyphens and letter case do not count.
   */
  byName: ReadonlyMap<string, KnownModel | undefined>;
  /** The type by any model, with its make and without. */
  typeByModel: ReadonlyMap<string, string | null>;
  /** The type by what a model of it begins with, with its make and without. Every name of `byName` begins so. */
  typeByBegunModel: ReadonlyMap<string, string | null>;
  /** The type by what its own word begins with. */
  typeByBeginning: ReadonlyMap<string, string | null>;
}

/** `x5` and `rav4`, but not `lx`. */
const SAYS_ENOUGH = /^(?=.*\d)..|^.{3}/;

export function modelsOf({ automotive }: Catalog): Models {
  const all: KnownModel[] = [];
  const byName = new Map<string, KnownModel | undefined>();
  const typeByModel: TypesByText = new Map();
  const typeByBeginning: TypesByText = new Map();
  const typeByBegunModel: TypesByText = new Map();

  for (const type of Object.keys(automotive.vehicle_types)) addBeginnings(typeByBeginning, type, type);
  for (const [vehicleType, { examples = [] }] of Object.entries(automotive.vehicle_facts))
    for (const name of examples) {
      const known = { vehicleType, name };
      const words = plainWords(name);
      const whole = words.join("");
      const model = words.slice(1).join("");
      all.push(known);
      byName.set(whole, known);
      if (SAYS_ENOUGH.test(model)) byName.set(model, byName.has(model) ? undefined : known);
      for (const text of [model, whole]) {
        if (text !== "") add(typeByModel, text, vehicleType);
        addBeginnings(typeByBegunModel, text, vehicleType);
      }
    }
  return { all, byName, typeByModel, typeByBegunModel, typeByBeginning };
}

function addBeginnings(types: TypesByText, name: string, type: string): void {
  for (let end = 1; end <= name.length; end++) add(types, name.slice(0, end), type);
}

function add(types: TypesByText, text: string, type: string): void {
  const before = types.get(text);
  types.set(text, before === undefined || before === type ? type : null);
}
