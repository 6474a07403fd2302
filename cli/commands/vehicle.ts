/** `tint vehicle`: the vehicle types that the shop prices. */

import { addVehicleType } from "../../src/catalog/edit/terms.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { coverageLabel, entryOf, type Terms } from "../../src/catalog/terms.ts";
import { addTerm, type NewWordOptions, newWord, termCommands } from "../catalog/term-commands.ts";
import { wordsForHelp } from "../catalog/terms.ts";
import { textTable } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import { choiceOption } from "../typed/enums.ts";

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  const shop = await wordsForHelp(args);
  const { vehicleTypes } = shop;
  const last = vehicleTypes.at(-1);
  const add = `tint vehicle add minivan --like ${last}`;
  const remove = "tint vehicle remove minivan";
  command.examples("tint vehicle", add, remove);
  const vehicle = termCommands(command, VEHICLE, shop);
  vehicle.list(
    "the vehicle types",
    "The vehicle types, with the class that the tint law puts them in and the minutes of a tint job.",
    vehicleRows,
  );
  vehicle
    .add(
      "price another vehicle type",
      "Adds a vehicle type with every price and length of another one, in the same class of the tint law. Change its prices afterwards with tint price set.",
      "minivan",
    )
    .addOption(
      choiceOption("--like <vehicle>", "the vehicle type whose prices are copied", vehicleTypes).makeOptionMandatory(),
    )
    .examples(add, `${add} --dry-run`)
    .action(addVehicle);

  vehicle.set(
    "change what customers read of a vehicle type",
    "Changes the name or the line about it. Prices: tint price set.",
    `tint vehicle set ${last} --name "Van or minibus"`,
  );
  vehicle.rename(`tint vehicle rename ${last} minivan`);
  vehicle.move(`tint vehicle move ${last} --first`);
  vehicle.remove(
    "no longer price a vehicle type",
    "Removes a vehicle type with its prices. Bookings already made keep theirs.",
    add,
    remove,
  );
}

const VEHICLE = {
  kind: "vehicle" as const,
  what: "a vehicle type",
  wordsOf: ({ vehicleTypes }: Terms) => vehicleTypes,
  facts: [
    {
      ...{ flag: "name", takes: "text", about: "as customers read it" },
      at: (vehicle: string) => ["automotive", "vehicle_names", vehicle],
    },
    {
      ...{ flag: "about", takes: "text", about: "one line that tells it from the others" },
      at: (vehicle: string) => ["automotive", "vehicle_facts", vehicle, "about"],
    },
  ],
};

function vehicleRows(catalog: Shop) {
  const { vehicleTypes, coverages } = catalog.terms;
  const minutesOf = (vehicle: string, coverage: string) => {
    const minutes = entryOf(catalog.scheduling.job_minutes, coverage);
    return typeof minutes === "number" ? minutes : entryOf(minutes, vehicle);
  };
  const rows = vehicleTypes.map((vehicle) => ({
    vehicle_type: vehicle,
    class: entryOf(catalog.tint_law.vehicle_class, vehicle),
    confirm_class: catalog.tint_law.confirm_class.includes(vehicle),
    minutes: Object.fromEntries(coverages.map((coverage) => [coverage, minutesOf(vehicle, coverage)])),
  }));
  const text = textTable(
    ["vehicle", "class", ...coverages.map((coverage) => `minutes, ${coverageLabel(coverage, catalog)}`)],
    rows.map((row) => [
      row.vehicle_type,
      row.confirm_class ? `${row.class}, to be checked` : row.class,
      ...coverages.map((coverage) => String(minutesOf(row.vehicle_type, coverage))),
    ]),
  );
  return { rows, text };
}

async function addVehicle(typed: string, { like, ...options }: NewWordOptions & { like: string }): Promise<void> {
  const vehicle = newWord(typed);
  await addTerm(options, "vehicle", vehicle, (text) => addVehicleType(text, vehicle, like));
}
